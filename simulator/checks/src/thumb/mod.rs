//! Lock step of the ARMv6-M simulator with QEMU's `microbit` machine.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), and [`compare`] holds ours against them. Neither the encodings nor their meaning
//! come from our decoder: the generator assembles by itself.

pub mod compare;
pub mod encode;
mod pieces;
pub mod qemu;
pub mod random;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// Bytes of the microbit's flash, at address 0 (nRF51822).
pub const FLASH_SIZE: u32 = 0x4_0000;
/// First address of its RAM.
pub const RAM_BASE: u32 = 0x2000_0000;
/// Bytes of its RAM.
pub const RAM_SIZE: u32 = 0x4000;

/// QEMU's `microbit` as a board of ours.
#[must_use]
pub fn microbit() -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board {
        id: "microbit".into(),
        core: "cortex-m0".into(),
        extensions: Vec::new(),
        hz: 16_000_000,
        memories: vec![
            memory("flash", MemoryKind::Flash, 0, FLASH_SIZE),
            memory("sram", MemoryKind::Ram, RAM_BASE, RAM_SIZE),
        ],
    }
}
