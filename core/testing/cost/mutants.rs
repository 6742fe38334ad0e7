//! Mutants: documents that nobody would write. This is fuzzing on stable Rust, with a fixed number of inputs: each
//! mutant is checked with the functions of `invariants`, as in the fuzz targets.
//!
//! The seeds are the examples and the cases of the tests. A mutant depends only on its number, so that one that breaks
//! an invariant can be reproduced: `URLSET_MUTANTS` sets the number of mutants, `URLSET_MUTANTS_FROM` the first one.

use std::panic::catch_unwind;
use std::path::Path;

use crate::invariants;

/// Default number of mutants.
const MUTANTS: u64 = 80_000;
/// Folders with seeds.
const FOLDERS: &str = include_str!("../../fuzz/seeds.txt");
/// Longest mutant, in bytes.
const LONGEST: usize = 1_200;

/// A pseudo-random sequence, the same for the same seed. <https://prng.di.unimi.it/splitmix64.c>
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

    fn of<'a>(&mut self, list: &'a [Vec<u8>]) -> &'a [u8] {
        &list[self.below(list.len())]
    }
}

/// Pieces that are significant to some reader.
const DICTIONARY: &str = include_str!("../../fuzz/pieces.dict");

/// Returns the entries of a libFuzzer dictionary. <https://llvm.org/docs/LibFuzzer.html#dictionaries>
fn pieces(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = dictionary
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

/// Replaces `\x` and two hexadecimal digits by the byte that they stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut out = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        out.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        out.extend_from_slice(rest.as_bytes());
    }
    out
}

fn mutate(numbers: &mut Numbers, seeds: &[Vec<u8>], pieces: &[Vec<u8>]) -> Vec<u8> {
    let seed = numbers.of(seeds);
    let begin = if seed.len() > LONGEST {
        numbers.below(seed.len() - LONGEST)
    } else {
        0
    };
    // Half of those that are cut keep their start, which determines the kind of document.
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
                let other = numbers.of(seeds);
                let from = numbers.below(other.len() + 1);
                let piece = other[from..other.len().min(from + numbers.below(120))].to_vec();
                bytes.splice(at..end, piece);
            }
            5 => {
                let piece = numbers.of(pieces).repeat(1 + numbers.below(30));
                bytes.splice(at..at, piece);
            }
            _ => {
                let piece = numbers.of(pieces).to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes.truncate(2 * LONGEST);
    bytes
}

/// Returns examples of the repository and cases of its tests, split into parts that can be read.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = FOLDERS.lines().map(|folder| root.join(folder)).collect();
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
            } else if matches!(kind.as_str(), "xml" | "txt" | "html" | "gz" | "rss" | "atom" | "bin") {
                seeds.extend(std::fs::read(&path).ok().filter(|bytes| !bytes.is_empty()));
            } else if kind == "toml" {
                // Cases: the text between triple quotes is a document or a part of one.
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
fn mutants_keep_the_invariants() {
    let (seeds, pieces) = (seeds(), pieces(DICTIONARY));
    let (first, count) = (number("URLSET_MUTANTS_FROM", 0), number("URLSET_MUTANTS", MUTANTS));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut broken: Vec<String> = std::thread::scope(|scope| {
        let (seeds, pieces) = (&seeds, &pieces);
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    (first + thread..first + count)
                        .step_by(threads as usize)
                        .filter_map(|mutant| broken_invariant(mutant, seeds, pieces))
                        .take(5)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().expect("panics are caught"))
            .collect()
    });
    broken.truncate(10);
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

fn broken_invariant(mutant: u64, seeds: &[Vec<u8>], pieces: &[Vec<u8>]) -> Option<String> {
    let bytes = mutate(&mut Numbers(mutant), seeds, pieces);
    let panic = catch_unwind(|| {
        invariants::read(&bytes);
        // Each of the others only for every other mutant, so that 80,000 do not take too long.
        if mutant.is_multiple_of(2) {
            invariants::fix(&bytes);
        } else {
            invariants::page(&bytes);
            invariants::robots(&bytes);
            invariants::gzip(&bytes);
        }
    })
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
