//! Lock step of the MSP430 simulator with `mspdebug`'s.
//!
//! A random program ([`stream`]) runs on Pennyweight, which decides where states are compared: after every
//! few instructions. mspdebug ([`peer`]) then does the same, and [`lockstep`] holds registers, cycles and
//! memory against each other. The generator assembles by itself ([`encode`]).
//!
//! Debian's mspdebug 0.22 differs from the manual in a few points; the generator avoids what cannot
//! be compared, and [`lockstep`] corrects what can:
//!
//! - RRC never sets V there (SLAU049: it does if the value was positive and C is set), so an
//!   instruction that sets V again follows each RRC;
//! - `@SP+` of a byte adds 1 to SP, PUSH.B writes a whole word, DADD of digits above 9 differs;
//! - constants of the generators cost what their addressing mode would.

pub mod encode;
pub mod lockstep;
pub mod peer;
pub mod stream;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::Board;

/// First address of flash, and of programs.
pub const FLASH: u16 = 0x4000;
/// First and one past the last address of RAM.
pub const RAM: (u16, u16) = (0x1100, 0x3900);

/// The MSP430F1611's memories.
#[must_use]
pub fn board() -> Board {
    let memory = |name: &str, kind, base: u16, size| Memory {
        name: name.into(),
        kind,
        base: base.into(),
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core("msp430"),
        vec![
            memory("sram", MemoryKind::Ram, RAM.0, u32::from(RAM.1 - RAM.0)),
            memory("flash", MemoryKind::Flash, FLASH, 0x1_0000 - u32::from(FLASH)),
        ],
    )
}
