//! This crate's entry in the list of instruction sets.

use pennyweight_machine::InstructionSet;

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
    machine: |board, image| Ok(Box::new(AvrMachine::new(board, image)?)),
};
