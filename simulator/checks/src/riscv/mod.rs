//! Lock step of the RISC-V simulator with QEMU's `virt` machine.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), and [`compare`] holds ours against them. Neither the encodings nor their meaning
//! come from our decoder: the generator assembles by itself.

pub mod compare;
pub mod encode;
mod pieces;
pub mod qemu;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// Where code lies: on the `virt` machine it is RAM too, on ours flash.
pub const FLASH_BASE: u32 = 0x8010_0000;
/// Bytes that code may take.
pub const FLASH_SIZE: u32 = 0x4_0000;
/// First address of the RAM that programs use.
pub const RAM_BASE: u32 = 0x8000_0000;
/// Its bytes.
pub const RAM_SIZE: u32 = 0x4000;

/// The part of QEMU's `virt` that programs use, as a board of ours.
#[must_use]
pub fn virt() -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    let memories = vec![
        memory("flash", MemoryKind::Flash, FLASH_BASE, FLASH_SIZE),
        memory("sram", MemoryKind::Ram, RAM_BASE, RAM_SIZE),
    ];
    Board {
        extensions: ["zba", "zbb", "zbkb"].map(String::from).to_vec(),
        ..Board::plain(pennyweight_bundled::core("sifive-e31"), memories)
    }
}
