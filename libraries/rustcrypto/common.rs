//! What the adapters share: slices of what SUPERCOP's functions are given, and what a panic does.

use core::panic::PanicInfo;
use core::{ptr, slice};

/// A panic stops the program, which is reported as a crash.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    #[cfg(target_arch = "arm")]
    // SAFETY: an undefined instruction; nothing goes on after it.
    unsafe {
        core::arch::asm!("udf #0", options(noreturn));
    }
    #[cfg(not(target_arch = "arm"))]
    // SAFETY: as above.
    unsafe {
        core::arch::asm!("unimp", options(noreturn));
    }
}

/// `length` bytes at `bytes`, which may be null if there are none.
///
/// # Safety
/// As many bytes must be readable there.
pub unsafe fn input<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    slice::from_raw_parts(bytes, length)
}

/// `length` bytes at `to`, with those at `from` copied there: the ciphers work in place.
///
/// # Safety
/// As many bytes must be readable at `from` and writable at `to`.
pub unsafe fn copied<'a>(to: *mut u8, from: *const u8, length: usize) -> &'a mut [u8] {
    if length == 0 {
        return &mut [];
    }
    ptr::copy(from, to, length);
    slice::from_raw_parts_mut(to, length)
}
