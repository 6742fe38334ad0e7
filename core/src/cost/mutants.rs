//! Mutants: documents that nobody would write, read in every way (repaired, or read as pages and robots.txt, every other one), with bounds so low that each is reached.
//!
//! The seeds are the examples and the cases of the tests. What is changed follows from a number alone, so that a mutant
//! that breaks a law can be made again: `URLSET_MUTANTS` sets how many there are, `URLSET_MUTANTS_FROM` the first.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::RecordBatch;

use crate::limits::Bounds;
use crate::read::tests::Pieces;
use crate::read::{Options, Reader};
use crate::rewrite;
use crate::robots::{Robots, target};
use crate::{page, read};

/// How many there are unless told otherwise.
const MUTANTS: u64 = 200_000;
/// Longest mutant, in bytes.
const LONGEST: usize = 1_200;

/// Numbers without pattern, the same for the same beginning. <https://prng.di.unimi.it/splitmix64.c>
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Pieces that matter to some reader.
const PIECES: &[&[u8]] = &[
    b"<",
    b">",
    b"&",
    b"\"",
    b"'",
    b"/",
    b"=",
    b"]]>",
    b"<![CDATA[",
    b"<!--",
    b"-->",
    b"<?",
    b"?>",
    b"<!DOCTYPE a [",
    b"]>",
    b"<!ENTITY x 'y'>",
    b"&x;",
    b"&amp;",
    b"&#0;",
    b"&#x41;",
    b"&eacute;",
    b"<url>",
    b"</url>",
    b"<loc>",
    b"</loc>",
    b"<loc>https://e.com/b</loc>",
    b"<lastmod>",
    b"</lastmod>",
    b"<sitemap>",
    b"<urlset>",
    b"</urlset>",
    b"<sitemapindex>",
    b"<image:image>",
    b"<image:loc>",
    b"</image:image>",
    b"<xhtml:link href='x'/>",
    b" xmlns='urn:x'",
    b" xmlns:p='urn:p'",
    b"<p:a>",
    b"</p:a>",
    b"<rss>",
    b"<item>",
    b"<link>",
    b"<url a='<' b>",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"\0",
    b"\x01",
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    "\u{fffd}".as_bytes(),
    "é".as_bytes(),
    "😀".as_bytes(),
    b"\x1f\x8b\x08",
    b"https://e.com/",
    b"http://[::",
    b"%zz",
    b"User-agent: *\n",
    b"Disallow: /*$\n",
    b"Sitemap: /x\n",
    b"<b>",
    b"</b>",
    b"<p>",
    b"<table>",
    b"<svg>",
    b"<script type=application/ld+json>{",
    b"<meta name=robots content=noindex>",
    b"<template>",
];

fn mutate(numbers: &mut Numbers, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = &seeds[numbers.below(seeds.len())];
    let begin = if seed.len() > LONGEST {
        numbers.below(seed.len() - LONGEST)
    } else {
        0
    };
    // Half of those that are cut begin at the beginning, since that is where it shows what they are.
    let begin = if numbers.below(2) == 0 { 0 } else { begin };
    let mut bytes = seed[begin..seed.len().min(begin + LONGEST)].to_vec();
    for _ in 0..=numbers.below(5) {
        let at = numbers.below(bytes.len() + 1);
        let end = bytes.len().min(at + numbers.below(40));
        match numbers.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            3 => {
                let copy = bytes[at..end].repeat(1 + numbers.below(8));
                bytes.splice(at..at, copy);
            }
            4 => {
                let other = &seeds[numbers.below(seeds.len())];
                let from = numbers.below(other.len() + 1);
                let piece = other[from..other.len().min(from + numbers.below(120))].to_vec();
                bytes.splice(at..end, piece);
            }
            5 => {
                let piece = numbers.of(PIECES).repeat(1 + numbers.below(30));
                bytes.splice(at..at, piece);
            }
            _ => {
                let piece = numbers.of(PIECES).to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes.truncate(2 * LONGEST);
    bytes
}

/// Everything that reading gives.
#[derive(PartialEq, Debug)]
struct Reading {
    tables: Vec<(&'static str, RecordBatch)>,
    facts: String,
}

/// How one mutant is read.
#[derive(Clone, Copy)]
struct Way {
    express: bool,
    schema: bool,
    window: usize,
    piece: usize,
}

const LOW: Bounds = Bounds {
    window: 512,
    token_length: 256,
    depth: 12,
};

fn source(bytes: &[u8], piece: usize) -> Box<Pieces> {
    Box::new(Pieces::of(bytes, piece))
}

fn read(bytes: &[u8], way: Way) -> Reading {
    let options = Options {
        document_id: 7,
        max_inflated: 4_000,
        batch_rows: 1_000_000,
        hash: false,
        express: way.express,
        schema: way.schema,
        bounds: Bounds {
            window: way.window,
            ..LOW
        },
    };
    let mut reader = Reader::new(source(bytes, way.piece), options);
    let mut tables = Vec::new();
    while let Some(batch) = reader.next_batch().expect("memory can be read") {
        tables.extend(batch.tables.into_iter().map(|(name, batch)| (name.name(), batch)));
    }
    let read::Facts {
        decoded,
        kind,
        version,
        prolog,
        namespaces,
        namespace_places: _,
        foreign,
        totals,
        well_formed,
        complete,
        first_line,
    } = reader.facts().expect("the document was read to its end");
    let facts = format!(
        "{decoded:?} {kind} {version:?} {prolog:?} {namespaces:?} {foreign:?} {totals:?} {well_formed:?} {complete} \
         {first_line:?}"
    );
    Reading { tables, facts }
}

fn same<T: PartialEq + Debug>(law: &str, one: T, other: T) {
    assert!(one == other, "{law}:\n{one:?}\n{other:?}");
}

/// The laws of reading, for any bytes.
fn hold(bytes: &[u8], numbers: &mut Numbers) {
    let usual = Way {
        express: true,
        schema: false,
        window: LOW.window,
        piece: usize::MAX,
    };
    let cut = Way {
        window: 1 + numbers.below(300),
        piece: 1 + numbers.below(64),
        ..usual
    };
    let reading = read(bytes, usual);
    let size: usize = reading.tables.iter().map(|(_, batch)| batch.num_rows()).sum();
    assert!(size <= 16 + 4 * bytes.len(), "{size} rows of {} bytes", bytes.len());
    same("pieces do not matter", read(bytes, cut), reading);
    let general = Way {
        express: false,
        ..usual
    };
    same(
        "the express way gives what the general way gives",
        read(bytes, general),
        read(bytes, usual),
    );
    let schema = Way { schema: true, ..usual };
    same(
        "pieces do not matter to the schemas",
        read(bytes, Way { schema: true, ..cut }),
        read(bytes, schema),
    );
}

/// The laws of the repair, for any bytes.
fn hold_fix(bytes: &[u8], numbers: &mut Numbers) {
    let (window, piece) = (1 + numbers.below(300), 1 + numbers.below(64));
    if let Err(broken) = rewrite::tests::hold(bytes, window, piece) {
        panic!("{broken}");
    }
}

/// The laws of pages and of robots.txt, for any bytes.
fn hold_others(bytes: &[u8]) {
    let facts = page::read(
        bytes,
        page::Options {
            charset: None,
            images: true,
        },
    );
    assert!(facts.images.len() + facts.canonicals.len() <= bytes.len());
    let robots = Robots::parse(bytes, Some("https://e.com/robots.txt"));
    let rows = robots.rules_table(1).expect("memory suffices").num_rows();
    assert!(rows <= bytes.len() * bytes.len() / 64 + 16, "{rows} rows of robots");
    drop(robots.sitemap_table(1));
    std::hint::black_box(
        robots
            .verdict(
                &["googlebot"],
                Default::default(),
                target("/a/b?c").expect("it begins with a slash"),
            )
            .is_allowed(),
    );
}

/// Examples of the repository and cases of its tests, each in pieces of what may be read.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![
        root.join("examples"),
        root.join("tests/reader"),
        root.join("tests/fix/cases"),
        root.join("tests/robots"),
    ];
    folders.push(root.join("tests/page"));
    folders.push(root.join("tests/rules/cases"));
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        paths.sort();
        for path in paths {
            let kind = path
                .extension()
                .and_then(|kind| kind.to_str())
                .unwrap_or_default()
                .to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if matches!(kind.as_str(), "xml" | "txt" | "html" | "gz" | "rss" | "atom") {
                seeds.extend(std::fs::read(&path).ok().filter(|bytes| !bytes.is_empty()));
            } else if kind == "toml" {
                // Cases: what stands between triple quotes is a document, or a part of one.
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                seeds.extend(
                    text.split("\"\"\"")
                        .skip(1)
                        .step_by(2)
                        .map(|case| case.as_bytes().to_vec()),
                );
                seeds.extend(
                    text.split("'''")
                        .skip(1)
                        .step_by(2)
                        .map(|case| case.as_bytes().to_vec()),
                );
            }
        }
    }
    assert!(seeds.len() > 100, "only {} seeds", seeds.len());
    seeds
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn laws_hold_for_mutants() {
    let seeds = seeds();
    let (first, count) = (number("URLSET_MUTANTS_FROM", 0), number("URLSET_MUTANTS", MUTANTS));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut broken: Vec<String> = std::thread::scope(|scope| {
        let seeds = &seeds;
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    (first + thread..first + count)
                        .step_by(threads as usize)
                        .filter_map(|mutant| broken_law(mutant, seeds))
                        .take(5)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().expect("laws are caught"))
            .collect()
    });
    broken.truncate(10);
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

fn broken_law(mutant: u64, seeds: &[Vec<u8>]) -> Option<String> {
    let mut numbers = Numbers(mutant);
    let bytes = mutate(&mut numbers, seeds);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        hold(&bytes, &mut numbers);
        // Every other one each, so that 200,000 take no longer than they may.
        if mutant.is_multiple_of(2) {
            hold_fix(&bytes, &mut numbers);
        } else {
            hold_others(&bytes);
        }
    }))
    .err()?;
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    let said: String = said.unwrap_or("a panic").chars().take(3_000).collect();
    Some(format!(
        "mutant {mutant}: {said}\n{:?}",
        String::from_utf8_lossy(&bytes)
    ))
}
