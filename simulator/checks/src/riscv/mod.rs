//! Lock step of the RISC-V simulator with QEMU's `virt` machine.
//!
//! A random program ([`stream`]) runs on both; QEMU writes its registers before every instruction
//! ([`qemu`]), and [`compare`] compares Pennyweight's with them. Neither the encodings nor their meaning
//! come from our decoder: the generator assembles by itself. [`rtl`] compares cycles too, with Hazard3's source.

pub mod compare;
pub mod encode;
mod pieces;
mod pieces_hazard3;
pub mod qemu;
pub mod rtl;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// What programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// RV32IMAC with Zba, Zbb and Zbkb.
    Rv32imac,
    /// RV32IMC: the ESP32-C3's.
    Rv32imc,
    /// RV32EC.
    Rv32ec,
    /// RV32IMAC with Zba, Zbb, Zbkb and Zbs.
    Zbs,
    /// The same with Zcb and Zcmp, which QEMU 7 lacks: Hazard3's.
    Hazard3,
}

impl Set {
    /// The names of [`Set::QEMU`] on the command line, in its order.
    pub const NAMES: [&'static str; 4] = ["rv32imac", "rv32imc", "rv32ec", "rv32imac-zbs"];
    /// Those that are compared with QEMU.
    pub const QEMU: [Set; 4] = [Set::Rv32imac, Set::Rv32imc, Set::Rv32ec, Set::Zbs];
    /// All of them.
    pub const ALL: [Set; 5] = [Set::Rv32imac, Set::Rv32imc, Set::Rv32ec, Set::Zbs, Set::Hazard3];

    /// The number of its registers.
    #[must_use]
    pub fn registers(self) -> u32 {
        match self {
            Set::Rv32imac | Set::Rv32imc | Set::Zbs | Set::Hazard3 => 32,
            Set::Rv32ec => 16,
        }
    }

    /// Has it M, A, Zifencei, Zba, Zbb and Zbkb?
    #[must_use]
    pub fn is_large(self) -> bool {
        !matches!(self, Set::Rv32imc | Set::Rv32ec)
    }

    /// Has it M?
    #[must_use]
    pub fn multiplies(self) -> bool {
        self != Set::Rv32ec
    }

    /// Is it for Hazard3?
    #[must_use]
    pub fn is_hazard3(self) -> bool {
        matches!(self, Set::Zbs | Set::Hazard3)
    }
}

/// Where code is: RAM on the `virt` machine, flash in Pennyweight.
pub const FLASH_BASE: u32 = 0x8010_0000;
/// Bytes that code may take.
pub const FLASH_SIZE: u32 = 0x4_0000;
/// First address of the RAM that programs use.
pub const RAM_BASE: u32 = 0x8000_0000;
/// Its bytes.
pub const RAM_SIZE: u32 = 0x4000;

/// The part of QEMU's `virt` that programs use, as a Pennyweight board with such a flash.
#[must_use]
pub fn virt(set: Set, flash: MemoryTiming) -> Board {
    let memory =
        |name: &str, kind, base, size, timing| Memory { name: name.into(), kind, base, size, timing };
    let memories = vec![
        memory("flash", MemoryKind::Flash, FLASH_BASE, FLASH_SIZE, flash),
        memory("sram", MemoryKind::Ram, RAM_BASE, RAM_SIZE, MemoryTiming::ZeroWait),
    ];
    match set {
        Set::Rv32imac => Board {
            extensions: ["zba", "zbb", "zbkb"].map(String::from).to_vec(),
            ..Board::plain(pennyweight_bundled::core("sifive-e31"), memories)
        },
        Set::Rv32imc => Board::plain(pennyweight_bundled::core("esp32-c3"), memories),
        Set::Rv32ec => Board::plain(pennyweight_bundled::core("qingke-v2a"), memories),
        Set::Zbs | Set::Hazard3 => Board::plain(pennyweight_bundled::core("hazard3"), memories),
    }
}
