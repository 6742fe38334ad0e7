//! The cost of hostile input: for every reader, 40 shapes of input that were or might be expensive.
//!
//! Each shape is built at one size and at twice the size. Work and memory may at most triple: a loop within a loop over
//! the input quadruples them. Time is not measured, so the tests give the same result on every machine. They run with
//! `make test-cost`, since all code must be compiled with counters in it; `counter` describes what is counted.

mod counter;
mod mutants;
mod readers;
mod shapes;

use counter::measure;
use readers::Run;
use shapes::Shape;

/// Approximate size of a shape, in bytes; the second one has twice the size. Large enough for a loop within a loop to
/// stand out from linear work, and for the window to be filled several times.
const SIZE: usize = 96 * 1024;
/// Maximum cost of a byte at twice the size, in percent of its cost at the single size: with it, twice the input costs
/// three times as much. Linear is 100; tables that double as they grow take a bit more.
const GROWTH: u64 = 150;
/// This few steps per byte always pass, whatever they were at the single size: documents that take the express path
/// cost next to nothing until they exceed the window.
const FEW: u64 = 50;
/// Work and memory of any input: buffers, tables of names.
const STEPS_FOR_NOTHING: u64 = 1_000_000;
const BYTES_FOR_NOTHING: u64 = 4 * 1024 * 1024;

/// Maximum cost of a reader for each byte of its input.
pub struct Most {
    pub steps: u64,
    pub bytes: u64,
}

/// Checks the shapes of one reader against the limits, and reports all violations at once.
fn hold(reader: &str, shapes: &[Shape], most: &Most, runs: &[(&str, Run)]) {
    assert!(shapes.len() >= 40, "{reader} has {} shapes", shapes.len());
    let mut broken = Vec::new();
    for shape in shapes {
        let (once, twice) = (shape.build(SIZE), shape.build(2 * SIZE));
        for (way, run) in runs {
            let (first, second) = (measure(|| run(&once)), measure(|| run(&twice)));
            if std::env::var_os("URLSET_COST").is_some() {
                let (steps, bytes) = (second.steps / second.read, second.peak / second.read);
                println!(
                    "{steps:6} steps and {bytes:4} bytes per byte: {reader}, {way}: {}",
                    shape.name
                );
            }
            let grown = |before: u64, free: u64| before.max(free) * second.read / first.read * GROWTH / 100;
            let breaks = [
                (
                    second.steps > grown(first.steps, STEPS_FOR_NOTHING + FEW * first.read),
                    "work grows faster than the input",
                ),
                (
                    second.peak > grown(first.peak, BYTES_FOR_NOTHING),
                    "memory grows faster than the input",
                ),
                (
                    second.steps > STEPS_FOR_NOTHING + most.steps * second.read,
                    "too much work",
                ),
                (
                    second.peak > BYTES_FOR_NOTHING + most.bytes * second.read,
                    "too much memory",
                ),
            ];
            for (_, what) in breaks.iter().filter(|(breaks, _)| *breaks) {
                broken.push(format!("{}, {way}: {what}: {first:?}, then {second:?}", shape.name));
            }
        }
    }
    assert!(broken.is_empty(), "{reader}:\n{}", broken.join("\n"));
}

#[test]
fn nested_loops_are_detected() {
    // Tests the tests: they detect work that nobody counts by hand, in this crate, in others and in libc.
    let quadratic: [(&str, fn(&[u8]) -> usize); 4] = [
        ("a loop", |text| {
            let later = |at: usize| text[at..].iter().filter(|byte| **byte == text[at]).count();
            (0..text.len()).map(later).sum()
        }),
        ("a search by another crate", |text| {
            let found = (0..text.len()).filter_map(|at| memchr::memchr(b'x', &text[at..]));
            found.count()
        }),
        ("a search through a list", |text| {
            let mut list: Vec<String> = Vec::new();
            for at in 0..text.len() {
                let name = format!("{at}");
                if !list.contains(&name) {
                    list.push(name);
                }
            }
            list.len()
        }),
        ("a copy by libc", |text| {
            let mut rest = text.to_vec();
            while !rest.is_empty() {
                rest.drain(..1);
            }
            rest.len()
        }),
    ];
    let text = |length: usize| std::hint::black_box(vec![b'a'; length]);
    let cost = |run: fn(&[u8]) -> usize, length: usize| {
        let text = text(length);
        measure(|| std::hint::black_box(run(&text)) as u64)
    };
    for (name, run) in quadratic {
        let (first, second) = (cost(run, 6_000), cost(run, 12_000));
        assert!(second.steps > 3 * first.steps, "{name}: {first:?}, then {second:?}");
    }
    let held = measure(|| std::hint::black_box(vec![0_u8; 1 << 20]).len() as u64);
    assert!((1 << 20..1 << 21).contains(&held.peak), "{held:?}");
}

macro_rules! held {
    ($($test:ident $module:ident $steps:literal $bytes:literal [$($way:literal $run:ident),*];)*) => {$(
        #[test]
        fn $test() {
            let most = Most { steps: $steps, bytes: $bytes };
            hold(stringify!($module), shapes::$module::SHAPES, &most, &[$(($way, readers::$run)),*]);
        }
    )*};
}

held! {
    xml_costs_what_it_weighs xml 250 60 ["read" read];
    text_costs_what_it_weighs text 300 60 ["read" read];
    feeds_cost_what_they_weigh feed 250 60 ["read" read];
    gzip_costs_what_it_weighs gzip 250 80 ["read" read];
    robots_cost_what_they_weigh robots 500 120 ["read" read_robots];
    pages_cost_what_they_weigh page 500 120 ["read" read_page];
    fixing_costs_what_it_weighs fix 1000 120 ["fix" fix];
    writing_costs_what_it_weighs write 1000 80 ["write" write];
}

/// Patterns of access logs, each with what fills a line that follows it nearly, and the end of the line.
const PATTERNS: [(&str, &str, &str, &str); 10] = [
    ("quotes", "%x \"%r\" \"%u\"", "1 \"", "\" "),
    ("escaped quotes", "%x \"%r\" %s", "1 \"", "\\\""),
    ("backslashes", "%x \"%r\" %s", "1 \"", "\\"),
    ("backslashes and quotes", "%x \"%r\"", "1 \"GET /\\\\", "\"a"),
    ("spaces", "%x %~%~%U %s", "1 ", " "),
    ("texts that begin alike", "%x %U aaaaaaaaaaab%s", "1 / ", "aaaaaaaaaaac"),
    ("a list of spaces", "~h{, } [%x] %U", "1.2.3.4,", " "),
    ("brackets", "%^[%^[%^[%x] %U", "", "[] "),
    ("slashes", "$msec $host$request_uri $status", "1 ", "/a"),
    (
        "many fields",
        "%^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^ %^|%x %U",
        "",
        "a ",
    ),
];

#[test]
fn a_line_costs_in_proportion_to_its_length_whatever_the_pattern() {
    for (name, pattern, head, unit) in PATTERNS {
        let pattern = crate::log::Pattern::new(pattern).expect(name);
        let line = |length: usize| [head, &unit.repeat(length / unit.len())].concat();
        let cost = |length: usize| {
            let line = line(length);
            measure(|| {
                std::hint::black_box(pattern.read(line.as_bytes()).is_some());
                line.len() as u64
            })
        };
        let (first, second) = (cost(SIZE), cost(2 * SIZE));
        let most = 3 * first.steps.max(1_000);
        assert!(second.steps < most, "{name}: {first:?}, then {second:?}");
    }
}
