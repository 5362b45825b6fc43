//! MSP430 and MSP430X.
//!
//! The instructions of both are lowered in one way, operand by operand; CPUX adds registers of 20 bits, its own
//! addressing of them, and repetitions. The hardware multipliers are part of the state that code keeps, because
//! compilers use them for every product. Other peripherals are left to the interpreter.

mod blocks;
mod flags;
mod jumps;
mod lower;
mod machine;
mod multiplier;
mod operands;
mod registers;
mod stack;
mod values;

pub use machine::TranslatedMicrocontroller;

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, LoadError};
use pennyweight_msp430::translator::{Cpu, Cpux, Original};
use pennyweight_msp430::Microcontroller;

use crate::engine::Engine;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board has another
/// instruction set.
///
/// # Errors
/// As for [`crate::machine`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    match board.core.instruction_set.as_str() {
        Original::NAME => Some(made::<Original>(board, image, engine)),
        Cpux::NAME => Some(made::<Cpux>(board, image, engine)),
        _ => None,
    }
}

fn made<X: Cpu>(board: &Board, image: &Image, engine: Engine) -> Result<Simulated, LoadError> {
    let mut machine = TranslatedMicrocontroller::around(Microcontroller::<X>::new(board, image)?);
    machine.set_engine(engine);
    Ok(Box::new(machine))
}

#[cfg(test)]
mod tests;
