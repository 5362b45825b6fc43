//! WCH QingKe V2A, as in the CH32V003.
//!
//! References: QingKeV2 Microprocessor Manual V1.0, "Overview" and table 1-1: RV32EC with the instructions
//! XW, two pipeline stages, static branch prediction. The manual has no cycles; these are jnk0le's
//! measurements on a CH32V003, "pipeline cycle test", `doc/ch32v003_(qkv2).md` (github.com/jnk0le/random):
//! loads and stores take 2 cycles; a taken branch or jump takes 3 without wait states, and one more if its
//! target is a 32-bit instruction that is not aligned to a word. What wait states add is the flash's, see
//! `pennyweight_memory::timing::FetchBuffer`.
//!
//! # What the sources leave open, and what is taken instead
//!
//! * All other instructions, branches that are not taken among them: 1 cycle, and no instruction waits for
//!   the result of another.
//! * Multiplications and atomic operations: the core has none; extensions with them are refused.

use pennyweight_machine::{BoardError, CoreFile};

use super::{refuse_extension, Core, Division, Interlocks, JumpCosts, Refill};

/// The extensions whose timing is known.
const EXTENSIONS: [&str; 4] = ["c", "zicsr", "zifencei", "xw"];

/// What a taken branch or jump costs.
const REFILL: Refill = Refill { taken: 2, jump: 2, split: 1 };

/// The core of the CH32V003.
pub const QINGKE_V2A: Core = Core {
    access: 2,
    load_word: 1,
    load_part: 1,
    multiply: 1,
    multiply_high: 1,
    csr: 1,
    atomic: 1,
    modification: 1,
    division: Division::ByQuotient(1, 1),
    interlocks: Interlocks::REGISTERS,
    jumps: JumpCosts::Refilled(REFILL),
};

/// The core with the numbers of a core's file.
pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
    refuse_extension(file, |name| EXTENSIONS.contains(&name))?;
    let mut given = file.parameters();
    let access = given.number("access", QINGKE_V2A.access, (1, 64), "the cycles of a load or store")?;
    let taken =
        given.number("taken", REFILL.taken, (0, 64), "the cycles that a taken branch or jump takes more")?;
    let split = "the cycles that a jump to a 32-bit instruction in two words takes more";
    let split = given.number("split", REFILL.split, (0, 64), split)?;
    given.finish()?;
    Ok(Core { access, jumps: JumpCosts::Refilled(Refill { taken, jump: taken, split }), ..QINGKE_V2A })
}
