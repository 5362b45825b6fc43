//! AVR: cores with a 16-bit program counter, with registers in data space or without.

mod blocks;
mod flags;
mod lower;
mod machine;
mod registers;
mod stack;

pub use machine::TranslatedAvr;

use pennyweight_avr::{AvrMachine, INSTRUCTION_SET};
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, LoadError};

use crate::engine::Engine;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board has another
/// instruction set.
///
/// # Errors
/// As for [`crate::machine`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    let known = INSTRUCTION_SET.names.contains(&board.core.instruction_set.as_str());
    known.then(|| {
        let mut machine = TranslatedAvr::around(AvrMachine::new(board, image)?);
        machine.set_engine(engine);
        Ok(Box::new(machine) as Simulated)
    })
}

#[cfg(test)]
mod tests;
