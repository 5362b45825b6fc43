//! This crate's entry in the list of instruction sets.

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, InstructionSet, LoadError};

use crate::layout::Layout;
use crate::machine::AvrMachine;
use crate::timing::{Core, SETS};

/// AVR with a 16-bit program counter.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &SETS,
    check_core: |core| Ok(Core::of_file(core, &core.extensions).map(drop)?),
    random: false,
    check_board: |board| Ok(Layout::of(board).map(drop)?),
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`AvrMachine::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    Ok(Box::new(AvrMachine::new(board, image)?))
}
