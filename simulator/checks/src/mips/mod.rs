//! Lock step of the MIPS simulator with QEMU's 4KEm, which has the M4K's instructions.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), delay slots included, and [`compare`] compares Pennyweight's with them. Neither the encodings
//! nor their meaning come from our decoder: the generator assembles by itself.

pub mod compare;
mod encode16;
mod pieces;
mod pieces16;
pub mod qemu;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// What programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// MIPS32 alone.
    Mips32,
    /// 16-bit code mostly, which MIPS32 enters and leaves.
    Mips16e,
}

impl Set {
    /// Their names on the command line, in the order of [`Set::ALL`].
    pub const NAMES: [&'static str; 2] = ["mips32", "mips16e"];
    /// All of them.
    pub const ALL: [Set; 2] = [Set::Mips32, Set::Mips16e];
}

/// Where code is: RAM on QEMU's `mipssim`, flash in Pennyweight.
pub const FLASH_BASE: u32 = 0x8010_0000;
/// Bytes that code may take.
pub const FLASH_SIZE: u32 = 0x2_0000;
/// First address of the RAM that programs use.
pub const RAM_BASE: u32 = 0x8000_0000;
/// Its bytes.
pub const RAM_SIZE: u32 = 0x4000;

/// The part of `mipssim` that programs use, as a Pennyweight board.
#[must_use]
pub fn mipssim() -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core("m4k"),
        vec![
            memory("ram", MemoryKind::Ram, RAM_BASE, RAM_SIZE),
            memory("flash", MemoryKind::Flash, FLASH_BASE, FLASH_SIZE),
        ],
    )
}
