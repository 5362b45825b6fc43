//! Lock step of the Thumb simulators with QEMU: ARMv6-M with its `microbit` machine, ARMv7-M and
//! ARMv7E-M with `mps2-an385` and `mps2-an386`, Armv8-M with `mps2-an505`.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), and [`compare`] compares Pennyweight's with them. Neither the encodings nor their meaning
//! come from our decoder: the generator assembles by itself.

pub mod compare;
pub mod encode;
mod pieces;
pub mod qemu;
pub mod stream;
mod wide;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// Bytes of program memory that programs use: the microbit's flash (nRF51822).
pub const FLASH_SIZE: u32 = 0x4_0000;
/// Bytes of RAM that programs use: the microbit's.
pub const RAM_SIZE: u32 = 0x4000;

/// QEMU's machine for `set` as a Pennyweight board with that core.
#[must_use]
pub fn board(core: &str, set: stream::Set) -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core(core),
        vec![
            memory("flash", MemoryKind::Flash, set.flash(), FLASH_SIZE),
            memory("sram", MemoryKind::Ram, set.ram(), RAM_SIZE),
        ],
    )
}
