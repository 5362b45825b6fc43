//! The parts that are compared.

use std::ops::{Range, RangeInclusive};

use pennyweight_avr::{Variant, SPACE};
use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// The independent simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    /// simavr: AVRe+.
    Simavr,
    /// yasimavr: AVRxt.
    Yasimavr,
}

/// A part that both simulators know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Its name, for the peer and on the command line.
    pub name: &'static str,
    /// The independent simulator that has it.
    pub simulator: Simulator,
    /// Bytes of flash.
    pub flash: u32,
    /// First SRAM address in data space.
    pub sram: u16,
    /// One past the last SRAM address in data space.
    pub sram_end: u16,
    /// The data-space address of I/O register 0x1e, which does nothing on any of them: GPIOR0, EEARL,
    /// GPIOR2.
    pub io: u16,
}

/// Upper bits of ELPM's address.
pub const RAMPZ: u16 = 0x5b;

/// Where AVRxt's data space shows flash.
const WINDOW: u16 = 0x4000;

/// All of them.
pub const CHIPS: [Chip; 3] = [
    Chip {
        name: "atmega328p",
        simulator: Simulator::Simavr,
        flash: 0x8000,
        sram: 0x100,
        sram_end: 0x900,
        io: 0x3e,
    },
    Chip {
        name: "atmega128",
        simulator: Simulator::Simavr,
        flash: 0x2_0000,
        sram: 0x100,
        sram_end: 0x1100,
        io: 0x3e,
    },
    Chip {
        name: "atmega4809",
        simulator: Simulator::Yasimavr,
        flash: 0xc000,
        sram: 0x2800,
        sram_end: 0x4000,
        io: 0x1e,
    },
];

/// Their names.
pub const NAMES: [&str; 3] = [CHIPS[0].name, CHIPS[1].name, CHIPS[2].name];

impl Chip {
    /// Flash in words.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.flash / 2
    }

    /// Does it have RAMPZ and ELPM?
    #[must_use]
    pub fn extended(&self) -> bool {
        self.flash > 0x1_0000
    }

    /// Is its core an AVRxt?
    #[must_use]
    pub fn is_xt(&self) -> bool {
        self.simulator == Simulator::Yasimavr
    }

    /// How its words become instructions.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let reach = SPACE as u32; // more than 8 KiB of flash
        Variant { extended: self.extended(), io: (self.io - 0x1e) as u8, mul: true, jmp: true, reach }
    }

    /// SPL, SPH and SREG in data space.
    #[must_use]
    pub fn core_registers(&self) -> RangeInclusive<u16> {
        self.io + 0x1f..=self.io + 0x21
    }

    /// SRAM in data space.
    #[must_use]
    pub fn sram(&self) -> Range<u16> {
        self.sram..self.sram_end
    }

    /// Can this address be read as flash?
    #[must_use]
    pub fn shows_flash(&self, address: u16) -> bool {
        self.is_xt() && address >= WINDOW && u32::from(address - WINDOW) < self.flash
    }

    /// As a Pennyweight board.
    #[must_use]
    pub fn board(&self) -> Board {
        let memory = |name: &str, kind, base, size| Memory {
            name: name.into(),
            kind,
            base,
            size,
            timing: MemoryTiming::ZeroWait,
        };
        let data = |address: u16| 0x80_0000 + u32::from(address);
        let mut memories = vec![
            memory("flash", MemoryKind::Flash, 0, self.flash),
            memory("sram", MemoryKind::Ram, data(self.sram), u32::from(self.sram_end - self.sram)),
        ];
        if self.is_xt() {
            memories.push(memory("window", MemoryKind::Flash, data(WINDOW), self.flash));
        }
        let core = if self.is_xt() { "avrxt" } else { "avre+" };
        Board::plain(pennyweight_bundled::core(core), memories)
    }
}
