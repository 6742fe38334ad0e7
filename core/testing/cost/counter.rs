//! The cost of a piece of work: steps taken and memory allocated, both counted.
//!
//! A step is one run of a block of machine code without a branch. The compiler puts a call to
//! `__sanitizer_cov_trace_pc` into each block of this crate and of its dependencies (the flags are in the Makefile), so
//! that every loop is counted, including those that nobody thought of. Work that libc does in one call counts by its
//! length: the linker routes those calls through here. Only precompiled functions of the standard library, such as
//! `str::from_utf8`, are not counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// One counter for all threads, because the counting code cannot call anything. Tests therefore run one after the
/// other.
static mut STEPS: u64 = 0;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Called at the start of every block. Functions with such names are not instrumented themselves.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc() {
    // SAFETY: one thread counts at a time.
    unsafe { STEPS += 1 };
}

fn steps() -> u64 {
    // SAFETY: as above.
    unsafe { STEPS }
}

/// Bytes that libc copies or compares in roughly the time of one step.
const BYTES_A_STEP: usize = 16;

/// Wraps a function of libc: counts the bytes that it is given, and calls it.
macro_rules! count_calls {
    ($($wrap:ident $real:ident ($($arg:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        unsafe extern "C" { fn $real($($arg: $kind,)* length: usize) -> $result; }
        #[cfg(target_os = "linux")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrap($($arg: $kind,)* length: usize) -> $result {
            // SAFETY: one thread counts at a time; the arguments are passed on unchanged.
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

/// The system allocator, with the memory of each thread counted.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn hold(bytes: i64) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

// SAFETY: everything is delegated to the system allocator; counting allocates nothing.
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
        // Old and new allocation can both exist while one is copied to the other.
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
    /// Bytes read, as reported by the work itself.
    pub read: u64,
    pub steps: u64,
    /// Maximum bytes allocated at a time, on top of those allocated before.
    pub peak: u64,
}

/// Runs a function on this thread and counts its cost.
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
