//! Every reader as a function of bytes, with its result dropped. Each returns how many bytes it had to read: those of
//! the input, or those that it decompresses to.

use std::borrow::Cow;
use std::io::Cursor;

use crate::limits::{Bounds, DEFAULT_MAX_INFLATED};
use crate::page;
use crate::read::{Options, Reader};
use crate::rewrite::{self, Limits, Rewriter};
use crate::robots::{Robots, target};
use crate::write::entry::{Entry, Item, Link, Value};
use crate::write::gathered::Gathered;
use crate::write::stream::Stream;
use crate::write::{self, Dates};

pub type Run = fn(&[u8]) -> u64;

pub fn read(document: &[u8]) -> u64 {
    let options = Options {
        document_id: 1,
        url: None,
        max_inflated: DEFAULT_MAX_INFLATED,
        batch_rows: 16_384,
        hash: true,
        express: true,
        bounds: Bounds::default(),
    };
    let mut reader = Reader::new(Box::new(Cursor::new(document.to_vec())), options);
    while let Some(batch) = reader.next_batch().expect("memory can be read") {
        drop(batch);
    }
    let decoded = &reader.facts().expect("it was read completely").decoded;
    decoded.bytes.max(decoded.wire_bytes)
}

pub fn fix(document: &[u8]) -> u64 {
    let options = rewrite::Options {
        max_inflated: DEFAULT_MAX_INFLATED,
        base: Some("https://example.com/".to_owned()),
        limits: Limits {
            entries: 50_000,
            bytes: 50 << 20,
        },
        express: true,
        bounds: Bounds::default(),
    };
    let mut rewriter = Rewriter::new(Box::new(Cursor::new(document.to_vec())), options);
    while let Some(piece) = rewriter.next_piece().expect("memory can be read") {
        drop(piece);
    }
    assert!(rewriter.result().is_some());
    document.len() as u64
}

pub fn read_page(content: &[u8]) -> u64 {
    let options = page::Options {
        images: true,
        links: true,
        ..page::Options::default()
    };
    let facts = page::read(content, options);
    let anchors = facts.anchors.hashes();
    drop(
        facts
            .links
            .targets("https://example.com/", facts.base.as_deref(), &anchors),
    );
    content.len() as u64
}

pub fn read_robots(file: &[u8]) -> u64 {
    let robots = Robots::parse(file, Some("https://example.com/robots.txt"));
    drop(robots.rules_table(1));
    drop(robots.sitemap_table(1));
    let long = format!("/{}", "a".repeat(2_000));
    for path in ["/", "/a/b/c.html?d=e&f=g", "/%61/%zz/é", long.as_str()] {
        let target = target(path).expect("it starts with a slash");
        for agents in [
            &["googlebot"] as &[&str],
            &["googlebot-image", "googlebot"],
            &["a1"],
            &["none"],
        ] {
            std::hint::black_box(robots.verdict(agents, Default::default(), target).is_allowed());
        }
    }
    file.len() as u64
}

/// Writes one entry per line: loc, lastmod, changefreq, priority, then fields named `image`, `caption`, `link` and
/// `own`, all separated by tabs.
pub fn write(lines: &[u8]) -> u64 {
    let options = write::Options {
        max_entries: 50_000,
        max_bytes: 50 << 20,
        max_news: 1_000,
        base: None,
        hosts: Vec::new(),
        dates: Dates::Day,
        require_lastmod: false,
        latest: i64::MAX,
        strip: true,
        drop_fields: true,
        doubtful: false,
        sensitive: None,
        unique: true,
        pretty: false,
        stylesheet: None,
        gzip: None,
        namespaces: vec![("own".to_owned(), "urn:own".to_owned())],
        newest: 0,
        merges: None,
    };
    let mut stream = Stream::new(options);
    let mut gathered = Gathered::default();
    let text = String::from_utf8_lossy(lines);
    for (number, line) in text.lines().enumerate() {
        gathered.push(number as u64, entry(line));
        if gathered.is_full() {
            let full = std::mem::take(&mut gathered);
            hand_over(&mut stream, full);
        }
    }
    hand_over(&mut stream, gathered);
    drop(stream.finish());
    lines.len() as u64
}

fn hand_over(stream: &mut Stream, mut gathered: Gathered) {
    stream.add(&mut gathered).expect("the limits are not reached");
    drop(stream.take());
}

fn entry(line: &str) -> Entry<'_> {
    let mut fields = line.split('\t');
    let mut value = || {
        fields
            .next()
            .filter(|text| !text.is_empty())
            .map(|text| Value::Text(text.into()))
    };
    let loc = value().map(|loc| Cow::Owned(loc.text().into_owned()));
    let mut entry = Entry {
        loc,
        lastmod: value(),
        changefreq: value(),
        priority: value(),
        ..Entry::default()
    };
    for field in fields {
        let (name, text) = field.split_once('=').unwrap_or((field, ""));
        let one =
            |name: &'static str, text: &str| (Cow::Borrowed(name), Item::One(Value::Text(text.to_owned().into())));
        match name {
            "image" => entry.images.push(vec![one("loc", text)]),
            "caption" => entry
                .images
                .push(vec![one("loc", "https://example.com/1.png"), one("caption", text)]),
            "link" => entry.alternates.push(Link {
                hreflang: Cow::Owned(text.split(' ').next().unwrap_or_default().to_owned()),
                href: Cow::Owned(text.split(' ').nth(1).unwrap_or_default().to_owned()),
            }),
            "tags" => entry.videos.push(vec![
                one("title", "t"),
                (
                    Cow::Borrowed("tags"),
                    Item::Many(
                        text.split(',')
                            .map(|tag| Some(Value::Text(tag.to_owned().into())))
                            .collect(),
                    ),
                ),
            ]),
            name if name.contains(':') => {
                entry
                    .own
                    .push((Cow::Owned(name.to_owned()), Value::Text(text.to_owned().into())));
            }
            _ => {}
        }
    }
    entry
}
