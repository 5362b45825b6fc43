//! MIPS32. Code of 16 bits is interpreted.

mod at;
mod blocks;
mod lower;
mod processor;

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, LoadError};
use pennyweight_mips::{Mips, INSTRUCTION_SET};

use crate::engine::Engine;

/// A MIPS core with one flash and one RAM, whose code can be translated.
pub type TranslatedMachine = crate::processor::TranslatedMachine<Mips>;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board has another
/// instruction set.
///
/// # Errors
/// As for [`crate::machine`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    let known = INSTRUCTION_SET.names.contains(&board.core.instruction_set.as_str());
    known.then(|| crate::processor::machine::<Mips>(board, image, engine))
}

#[cfg(test)]
mod tests;
