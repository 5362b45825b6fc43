//! Lock step of the MSP430 simulators with `mspdebug`'s.
//!
//! A random program ([`stream`]) runs on Pennyweight, which decides where states are compared: after every
//! few instructions. mspdebug ([`peer`]) then does the same, and [`lockstep`] holds registers, cycles and
//! memory against each other. The generator assembles by itself ([`encode`]).
//!
//! The random functions of [`function`] are for comparing translated code with the interpreter.
//!
//! The sets are the original CPU and CPUX. mspdebug 0.26 and newer simulate CPUX too (`simx`); older ones, such as
//! Debian 12's 0.22, do not. With these, Pennyweight's CPUX is compared on the original's instructions: the lower
//! 16 bits of registers, flags and memory, but not cycles, which differ.
//!
//! Debian's mspdebug 0.22 differs from the manual in a few points; the generator avoids what cannot
//! be compared, and [`lockstep`] corrects what can:
//!
//! - RRC never sets V there (SLAU049: it does if the value was positive and C is set), so an
//!   instruction that sets V again follows each RRC;
//! - `@SP+` of a byte adds 1 to SP, PUSH.B writes a whole word, DADD of digits above 9 differs;
//! - constants of the generators cost what their addressing mode would.
//!
//! `simx` differs from the manual (SLAU367) in these points:
//!
//! - RETI also executes CALLA R0, `PUSHM.A` and `POPM.A` move words, CALLA &ADDR is relative to PC, CALLA x(Rn)
//!   takes its distance as unsigned, MOVA counts ADDR from behind the instruction: the generator makes none of
//!   these;
//! - C and V of SUBA and CMPA are wrong for 0 and 0x80000, Z of RLAM if bits are shifted out, V of DADD is
//!   defined: another instruction sets the flags again;
//! - MOV, ADD and SUB to PC, and ADDA, SUBA and CMPA of a number take a cycle less, as its author found on an
//!   MSP430FR5739, PUSHX.A in indexed modes one more, and PUSHM.W and POPM.W twice as many per register.

mod cpux;
pub mod encode;
#[cfg(feature = "translator")]
pub mod function;
pub mod lockstep;
pub mod peer;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// First address of flash, and of programs.
pub const FLASH: u16 = 0x4000;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The original CPU.
    Original,
    /// CPUX with a peer that has the original CPU: its instructions, without cycles.
    Shared,
    /// CPUX.
    Cpux,
}

impl Set {
    /// The names on the command line.
    pub const NAMES: [&'static str; 2] = ["original", "cpux"];

    /// The set of a name's index, with an mspdebug that has CPUX or not.
    #[must_use]
    pub fn of(index: usize, has_cpux: bool) -> Set {
        match (index, has_cpux) {
            (0, _) => Set::Original,
            (_, false) => Set::Shared,
            (_, true) => Set::Cpux,
        }
    }

    /// First and one past the last address of RAM: of the MSP430F1611, or of the MSP430FR5994.
    #[must_use]
    pub fn ram(self) -> (u16, u16) {
        if self == Set::Original {
            (0x1100, 0x3900)
        } else {
            (0x1c00, 0x3c00)
        }
    }
}

/// The memories of the MSP430F1611, or of the MSP430FR5994 without wait states.
#[must_use]
pub fn board(set: Set) -> Board {
    let (core, ram) = (if set == Set::Original { "msp430" } else { "msp430x" }, set.ram());
    let memory = |name: &str, kind, base: u16, size| Memory {
        name: name.into(),
        kind,
        base: base.into(),
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core(core),
        vec![
            memory("sram", MemoryKind::Ram, ram.0, u32::from(ram.1 - ram.0)),
            memory("flash", MemoryKind::Flash, FLASH, 0x1_0000 - u32::from(FLASH)),
        ],
    )
}
