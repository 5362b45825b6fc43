//! AVR cores: programs that are traced, and the models of the cores.

mod models;
mod operands;
mod program;
mod state;

use crate::experiment::{Setup, Traced};
use crate::traced::Program;
use models::choose;
use program::AvrProgram;

pub use models::NAMES;

/// The program of `setup`, after its first trace; `None` if its core has no model here.
pub fn traced(setup: &Setup<'_>) -> Option<Result<Box<dyn Traced>, String>> {
    let model = choose(&setup.board.core.timing)?;
    Some(AvrProgram::new(setup, model).and_then(|program| Ok(Box::new(Program::new(program, setup)?) as _)))
}

/// Where the model of a core is taken from, if it has one here.
pub fn model_source(timing: &str) -> Option<&'static str> {
    choose(timing).map(|model| model.source)
}
