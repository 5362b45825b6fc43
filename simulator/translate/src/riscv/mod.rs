//! RISC-V: 32-bit cores with or without branch prediction and an instruction cache, with a buffer in front of the
//! core, or with prediction of the last backward branch.

mod at;
mod blocks;
mod looped;
mod lower;
mod processor;
mod shape;

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, LoadError};
use pennyweight_riscv::{Riscv, INSTRUCTION_SET};

use crate::engine::Engine;

/// A RISC-V core with one flash and one RAM, whose code can be translated.
pub type TranslatedMachine = crate::processor::TranslatedMachine<Riscv>;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board has another
/// instruction set.
///
/// # Errors
/// As for [`crate::machine`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    let known = INSTRUCTION_SET.names.contains(&board.core.instruction_set.as_str());
    known.then(|| crate::processor::machine::<Riscv>(board, image, engine))
}

#[cfg(test)]
mod tests;
