//! What a piece of work costs: steps that were taken and memory that was held, both counted.
//!
//! A step is one run of a block of machine code that has no branch in it. The compiler puts a call to
//! `__sanitizer_cov_trace_pc` into each block of this crate and of the crates that it uses (the flags are in the
//! Makefile), so that a loop is counted whether or not anybody thought of it. What libc does in one call counts by its
//! length: the linker sends those calls through here. Only functions that the standard library holds compiled, such as
//! `str::from_utf8`, are not counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// One for all threads, since nothing may be called where it is counted: so tests run one after the other.
static mut STEPS: u64 = 0;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Called at the beginning of every block. Functions of such names are not instrumented themselves.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc() {
    // SAFETY: one thread counts at a time.
    unsafe { STEPS += 1 };
}

fn steps() -> u64 {
    // SAFETY: as above.
    unsafe { STEPS }
}

/// Bytes that libc copies or compares in about the time of one step.
const BYTES_A_STEP: usize = 16;

/// Stands before a function of libc: counts the bytes that it is given, and calls it.
macro_rules! count_calls {
    ($($wrap:ident $real:ident ($($arg:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        unsafe extern "C" { fn $real($($arg: $kind,)* length: usize) -> $result; }
        #[cfg(target_os = "linux")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrap($($arg: $kind,)* length: usize) -> $result {
            // SAFETY: one thread counts at a time; the arguments are handed on as they came.
            unsafe {
                STEPS += (length / BYTES_A_STEP) as u64;
                $real($($arg,)* length)
            }
        }
    )*};
}

#[cfg(target_os = "linux")]
count_calls! {
    __wrap_memcpy __real_memcpy(to: *mut u8, from: *const u8) -> *mut u8;
    __wrap_memmove __real_memmove(to: *mut u8, from: *const u8) -> *mut u8;
    __wrap_memset __real_memset(to: *mut u8, byte: i32) -> *mut u8;
    __wrap_memcmp __real_memcmp(one: *const u8, other: *const u8) -> i32;
    __wrap_bcmp __real_bcmp(one: *const u8, other: *const u8) -> i32;
}

/// The allocator of the system, with what each thread holds counted.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn hold(bytes: i64) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

// SAFETY: everything is left to the allocator of the system; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may both be held while one is copied to the other.
        hold(size as i64);
        hold(-(layout.size() as i64));
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        unsafe { System.dealloc(place, layout) }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Bytes that were read, as the work itself says.
    pub read: u64,
    pub steps: u64,
    /// Most bytes that were allocated at a time, beyond those from before.
    pub peak: u64,
}

/// Runs something on this thread and counts what it costs.
pub fn measure(run: impl FnOnce() -> u64) -> Cost {
    let (steps, held) = (steps(), HELD.get());
    PEAK.set(held);
    let read = run();
    Cost {
        read,
        steps: self::steps() - steps,
        peak: (PEAK.get() - held).max(0) as u64,
    }
}
