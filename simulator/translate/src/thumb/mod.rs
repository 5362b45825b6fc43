//! Cortex-M cores with memories that do not wait, a cache for code and data or one for each, or flash that
//! reads ahead line by line; those of ARMv6-M also with a prefetch buffer, those that fetch ahead with a
//! cache for code; the Cortex-M3 also with flash and RAM behind a bus matrix.

mod at;
mod blocks;
mod conditional;
mod costs;
mod flags;
mod lower;
mod matrix;
mod operation;
mod processor;
mod values;
mod wide;

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image, LoadError};
use pennyweight_thumb::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM33, CortexM4};
use pennyweight_thumb::Thumb;

use crate::engine::Engine;
use crate::processor::machine as load;

/// A Cortex-M core with one flash and one RAM, whose code can be translated.
pub type TranslatedMachine<C> = crate::processor::TranslatedMachine<Thumb<C>>;

/// A simulated board with `image` loaded, whose programs `engine` runs; `None` if the board's core is not
/// translated.
///
/// # Errors
/// As for [`crate::machine`].
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Option<Result<Simulated, LoadError>> {
    match board.core.timing.as_str() {
        CortexM0::MODEL => Some(load::<Thumb<CortexM0>>(board, image, engine)),
        CortexM0Plus::MODEL => Some(load::<Thumb<CortexM0Plus>>(board, image, engine)),
        CortexM3::MODEL => Some(load::<Thumb<CortexM3>>(board, image, engine)),
        CortexM4::MODEL => Some(load::<Thumb<CortexM4>>(board, image, engine)),
        CortexM33::MODEL => Some(load::<Thumb<CortexM33>>(board, image, engine)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
