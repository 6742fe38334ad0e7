//! Sets whose URLs stay in their parts: temporary files, the ledger, and hashes that collide.

use std::path::PathBuf;
use std::sync::Arc;

use super::buckets::Buckets;
use super::record::Record;
use super::{PartName, SHARES, Stable, key_of};
use crate::write::encode::Written;
use crate::write::newest::Newest;
use crate::write::rows::Encoded;
use crate::write::save::Saver;
use crate::write::spare::Spare;
use crate::write::{Dates, Options};

pub fn options(max_entries: u64) -> Options {
    Options {
        max_entries,
        max_bytes: 52_428_800,
        max_news: 1_000,
        base: None,
        hosts: Vec::new(),
        dates: Dates::Time,
        require_lastmod: false,
        latest: i64::MAX,
        strip: false,
        drop_fields: false,
        doubtful: false,
        sensitive: None,
        unique: true,
        pretty: false,
        stylesheet: None,
        gzip: None,
        namespaces: Vec::new(),
        newest: 0,
        merges: Some(4),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("urlset-stable-{name}-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    folder
}

#[test]
fn buckets_return_what_was_pushed() {
    let folder = folder("buckets");
    let mut buckets = Buckets::new(&folder, "some", 3);
    for number in 0..60_000_u32 {
        let at = number as usize % 3;
        buckets.push(at, |out| out.extend(number.to_le_bytes())).unwrap();
    }
    assert_eq!(buckets.bytes(), 240_000);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    for at in 0..3 {
        let wanted: Vec<u8> = (0..60_000_u32)
            .filter(|number| *number as usize % 3 == at)
            .flat_map(u32::to_le_bytes)
            .collect();
        assert_eq!(buckets.read(at).unwrap(), wanted);
        assert_eq!(buckets.take(at).unwrap(), wanted);
        assert_eq!(buckets.take(at).unwrap(), b"");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn records_are_read_back() {
    let mut bytes = Vec::new();
    let written = |namespaces| Written {
        lastmod: (namespaces == 0).then_some(-5),
        key: u128::MAX - 1,
        namespaces,
        images: 3 * namespaces,
        news: namespaces,
        deprecated_fields: namespaces as u8,
        unescaped: namespaces == 0,
        ..Written::default()
    };
    let records = [0, 1].map(|namespaces| Record {
        key: u128::MAX - 1,
        number: 7,
        group: 2,
        part: 9,
        is_kept: namespaces == 1,
        written: written(namespaces),
        entry: b"<url></url>",
    });
    for record in &records {
        record.push(&mut bytes);
    }
    let read = Record::all(&bytes);
    assert_eq!(format!("{read:?}"), format!("{records:?}"));
    // What is cut off is not read beyond its end.
    for length in 0..bytes.len() {
        assert!(Record::all(&bytes[..length]).len() < 2);
    }
}

/// Two URLs whose keys have the same first 64 bits are different URLs, and each is written.
#[test]
fn urls_with_half_the_same_key_are_both_kept() {
    let folder = folder("collision");
    let options = Arc::new(options(10));
    let mut stable = Stable::new(folder.clone(), Arc::clone(&options));
    let keys = [1_u128 << 64, (1_u128 << 64) | 1, 1_u128 << 64];
    for (number, key) in keys.into_iter().enumerate() {
        let entry = format!("<url><loc>https://example.com/{number}</loc></url>\n");
        let record = Record {
            key,
            number: number as u64,
            group: 0,
            part: super::NOWHERE,
            is_kept: false,
            written: Written::default(),
            entry: entry.as_bytes(),
        };
        stable.entries.push(0, |out| record.push(out)).unwrap();
    }
    stable.know_parts(vec![PartName { group: 0, number: 5 }]);
    // The second one is published.
    let omissions = stable.match_share(0, &[(keys[1], 0)]).unwrap();
    assert_eq!(omissions.len(), 1);
    assert_eq!(omissions[0].loc, "https://example.com/2");
    for share in 1..SHARES {
        assert!(stable.match_share(share, &[]).unwrap().is_empty());
    }
    stable.arrange(0).unwrap();
    let mut saver = Saver::new(folder.clone(), Arc::clone(&options), Spare::default(), 1);
    stable.save(&mut saver, &mut Newest::new(0)).unwrap();
    let saved = saver.finish().unwrap();
    assert_eq!(saved.len(), 1);
    assert_eq!(saved[0].facts.tally.entries, 2);
    assert_eq!((stable.changes().kept, stable.changes().added), (1, 1));
    assert_eq!(stable.take_ledger().share(0).unwrap(), [(keys[0], 0), (keys[1], 0)]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_set_without_rows_has_no_parts() {
    let folder = folder("empty");
    let options = Arc::new(options(10));
    let mut stable = Stable::new(folder.clone(), options);
    assert_eq!(
        stable
            .put(
                0,
                &crate::write::gathered::Gathered::default(),
                &mut Encoded::default(),
                b""
            )
            .unwrap(),
        0
    );
    stable.know_parts(Vec::new());
    stable.arrange(4).unwrap();
    assert!(stable.names().is_empty());
    assert_ne!(key_of("https://example.com/"), key_of("https://example.com/a"));
    std::fs::remove_dir_all(&folder).unwrap();
}
