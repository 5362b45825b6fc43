//! Cortex-M cores: programs that are traced, and the models of the cores.

mod bus;
mod models;
mod operands;
mod program;
mod state;
mod tracker;

use crate::experiment::{Setup, Traced};
use models::{choose, Modelled, Task};
use program::Program;

/// The program of `setup`, after its first trace.
pub(crate) fn traced(setup: &Setup<'_>) -> Result<Box<dyn Traced>, String> {
    let core = &setup.board.core;
    choose(&core.timing, Load(setup)).unwrap_or_else(|| {
        Err(format!(
            "{}: the core {:?} has no leakage model; use a board with one of {}",
            setup.board.id,
            core.name,
            models().join(", ")
        ))
    })
}

/// The names of the timing models of all cores with a leakage model.
#[must_use]
pub fn models() -> Vec<&'static str> {
    models::NAMES.to_vec()
}

/// Where the model of a core is taken from, if it has one.
#[must_use]
pub fn model_source(timing: &str) -> Option<&'static str> {
    choose(timing, Source)
}

struct Load<'a>(&'a Setup<'a>);

impl Task for Load<'_> {
    type Output = Result<Box<dyn Traced>, String>;

    fn with<C: Modelled>(self) -> Self::Output {
        Ok(Box::new(Program::<C>::new(self.0)?))
    }
}

struct Source;

impl Task for Source {
    type Output = &'static str;

    fn with<C: Modelled>(self) -> Self::Output {
        C::LEAKAGE.source
    }
}
