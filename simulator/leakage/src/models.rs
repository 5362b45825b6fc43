//! The cores with a leakage model, of all instruction sets.

use crate::experiment::{Setup, Traced};
use crate::{avr, thumb};

/// The names of the timing models of all cores with a leakage model.
#[must_use]
pub fn models() -> Vec<&'static str> {
    thumb::NAMES.into_iter().chain(avr::NAMES).collect()
}

/// Where the model of a core is taken from, if it has one.
#[must_use]
pub fn model_source(timing: &str) -> Option<&'static str> {
    thumb::model_source(timing).or_else(|| avr::model_source(timing))
}

/// The program of `setup`, after its first trace.
pub(crate) fn traced(setup: &Setup<'_>) -> Result<Box<dyn Traced>, String> {
    thumb::traced(setup).or_else(|| avr::traced(setup)).unwrap_or_else(|| {
        Err(format!(
            "{}: the core {:?} has no leakage model; use a board with one of {}",
            setup.board.id,
            setup.board.core.name,
            models().join(", ")
        ))
    })
}
