//! Lock step of the Xtensa simulator with QEMU's LX106 and Diamond 233L.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), and [`compare`] compares Pennyweight's with them. Neither the encodings nor their meaning
//! come from our decoder: the generator assembles by itself.

pub mod compare;
pub mod encode;
mod pieces;
pub(crate) mod pieces_lx6;
pub mod qemu;
pub mod stream;
pub(crate) mod vectors;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Board, CoreFile};

/// Which instructions are compared, on which of QEMU's cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The LX106: base instructions, and calls by CALL0.
    Call0,
    /// The Diamond 233L: windows, loops, division, booleans and multiply-accumulate as the LX6 has
    /// them, with 32 physical registers.
    Windowed,
}

impl Set {
    /// Their names on the command line, in the order of [`Set::ALL`].
    pub const NAMES: [&'static str; 2] = ["call0", "windowed"];
    /// All of them.
    pub const ALL: [Set; 2] = [Set::Call0, Set::Windowed];

    /// QEMU's name of the core.
    #[must_use]
    pub fn peer(self) -> &'static str {
        match self {
            Set::Call0 => "lx106",
            Set::Windowed => "de233_fpu",
        }
    }

    /// Pennyweight's core: of the Diamond 233L, the LX6 as far as QEMU has it, with 32 physical registers
    /// and no high halves of products.
    fn core(self) -> CoreFile {
        let mut core = pennyweight_bundled::core(self.bundled());
        if self == Set::Windowed {
            core.extensions.retain(|name| name != "multiply-high" && name != "windows");
            core.extensions.push("windows-32".into());
        }
        core
    }

    fn bundled(self) -> &'static str {
        match self {
            Set::Call0 => "lx106",
            Set::Windowed => "lx6",
        }
    }

    /// Where code is: RAM on QEMU's `sim` machine, flash in Pennyweight.
    #[must_use]
    pub fn flash(self) -> u32 {
        self.ram() + 0x10_0000
    }

    /// First address of the RAM that programs use.
    #[must_use]
    pub fn ram(self) -> u32 {
        match self {
            Set::Call0 => 0x6000_0000,
            Set::Windowed => 0x1_0000,
        }
    }

    /// The part of QEMU's `sim` that programs use, as a Pennyweight board.
    #[must_use]
    pub fn board(self) -> Board {
        let memory = |name: &str, kind, base, size| Memory {
            name: name.into(),
            kind,
            base,
            size,
            timing: MemoryTiming::ZeroWait,
        };
        Board::plain(
            self.core(),
            vec![
                memory("flash", MemoryKind::Flash, self.flash(), FLASH_SIZE),
                memory("dram", MemoryKind::Ram, self.ram(), RAM_SIZE),
            ],
        )
    }
}

/// Bytes that code may take.
pub const FLASH_SIZE: u32 = 0x2_0000;
/// Bytes of the RAM that programs use.
pub const RAM_SIZE: u32 = 0x4000;
