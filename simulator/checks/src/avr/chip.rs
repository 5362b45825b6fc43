//! The parts that are compared.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// A part that both simulators know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Its name, for simavr and on the command line.
    pub name: &'static str,
    /// Bytes of flash.
    pub flash: u32,
    /// One past the last SRAM address in data space; SRAM starts at [`SRAM`].
    pub sram_end: u16,
}

/// First SRAM address in data space.
pub const SRAM: u16 = 0x100;

/// All of them.
pub const CHIPS: [Chip; 2] = [
    Chip { name: "atmega328p", flash: 0x8000, sram_end: 0x900 },
    Chip { name: "atmega128", flash: 0x2_0000, sram_end: 0x1100 },
];

impl Chip {
    /// The chip of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Chip> {
        CHIPS.into_iter().find(|chip| chip.name == name)
    }

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

    /// As a board of ours.
    #[must_use]
    pub fn board(&self) -> Board {
        let memory = |name: &str, kind, base, size| Memory {
            name: name.into(),
            kind,
            base,
            size,
            timing: MemoryTiming::ZeroWait,
        };
        let sram = u32::from(self.sram_end - SRAM);
        Board {
            id: self.name.into(),
            core: "avre+".into(),
            extensions: Vec::new(),
            hz: 16_000_000,
            memories: vec![
                memory("flash", MemoryKind::Flash, 0, self.flash),
                memory("sram", MemoryKind::Ram, 0x80_0000 + u32::from(SRAM), sram),
            ],
        }
    }
}
