//! The `sitemap` crate: `SiteMapReader` over the bytes, every entry taken. Speaks the same lines as ../worker.py.

use std::env::args;
use std::ffi::c_long;
use std::hint::black_box;
use std::io::{stdin, BufRead};
use std::time::{Duration, Instant};

use sitemap::reader::{SiteMapEntity, SiteMapReader};

unsafe extern "C" {
    fn clock() -> c_long;
}

/// Returns the CPU time of this process in seconds: POSIX counts it in microseconds.
fn busy() -> f64 {
    // SAFETY: `clock` has no arguments and no preconditions.
    unsafe { clock() as f64 / 1e6 }
}

fn read(data: &[u8]) -> usize {
    SiteMapReader::new(data).filter(|entity| matches!(black_box(entity), SiteMapEntity::Url(_))).count()
}

fn main() {
    let path = args().nth(1).expect("pass a sitemap");
    let data = std::fs::read(path).expect("the sitemap is readable");
    println!(r#"{{"versions": {{"sitemap (crate)": "0.4.1"}}}}"#);
    for _ in stdin().lock().lines() {
        // As in ../worker.py: a turn lasts at least a second, and the mean of its reads counts.
        let (used, start) = (busy(), Instant::now());
        let (mut reads, mut entries) = (0, 0);
        while reads == 0 || start.elapsed() < Duration::from_secs(1) {
            entries = read(&data);
            reads += 1;
        }
        let (seconds, cpu) = (start.elapsed().as_secs_f64() / f64::from(reads), (busy() - used) / f64::from(reads));
        println!(r#"{{"seconds": {seconds}, "cpu_seconds": {cpu}, "entries": {entries}}}"#);
    }
}
