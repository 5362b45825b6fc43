//! The table `[random]` of a board file: the part's random number generator.

use crate::board::{BoardError, Memory};
use crate::fields::Fields;

/// A generator with a register that states whether a number is ready, and one that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomSource {
    /// Address of the status register.
    pub status: u32,
    /// The status register's bits of which one is set when a number is ready.
    pub ready: u32,
    /// Address of the register with the number.
    pub data: u32,
    /// Bits of a number.
    pub bits: u32,
    /// Cycles of the core's clock from the read of a number until the next one is ready.
    pub cycles: u32,
    /// Does the program write to the status register to clear it?
    pub acknowledge: bool,
}

/// The most cycles that a number may take.
const SLOWEST: u32 = 10_000_000;

/// Reads the table; no register may lie inside a memory.
pub(super) fn read(mut fields: Fields<'_>, memories: &[Memory]) -> Result<RandomSource, BoardError> {
    let status = fields.word("status", 0, u32::MAX, "the address of the status register")?;
    let ready = fields.word("ready", 1, u32::MAX, "the mask of the status bit of a number that is ready")?;
    let data = fields.word("data", 0, u32::MAX, "the address of the register with the number")?;
    let bits = fields.word("bits", 8, 32, "the bits of a number, 8 or 32")?;
    let cycles = fields.word("cycles", 1, SLOWEST, "the core's cycles that a number takes")?;
    let acknowledge =
        fields.optional_flag("acknowledge", "true if the program clears the status register")?;
    if bits != 8 && bits != 32 {
        return Err(fields.error("bits", &format!("is {bits}; write 8 or 32")));
    }
    if data & (bits / 8 - 1) != 0 {
        return Err(fields.error("data", &format!("is {data:#x}; give a multiple of {}", bits / 8)));
    }
    for (field, address) in [("status", status), ("data", data)] {
        let inside = |memory: &&Memory| address >= memory.base && u64::from(address) < memory.end();
        if let Some(memory) = memories.iter().find(inside) {
            let what = format!("is {address:#x}, inside memory {}; give the register's address", memory.name);
            return Err(fields.error(field, &what));
        }
    }
    if status & !3 == data & !3 {
        return Err(fields.error("data", "is in the same word as status; correct one of them"));
    }
    fields.finish()?;
    Ok(RandomSource { status, ready, data, bits, cycles, acknowledge })
}
