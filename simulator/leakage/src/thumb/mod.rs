//! Cortex-M cores: programs that are traced, and the models of the cores.

mod bus;
mod models;
mod operands;
mod program;
mod state;

use crate::experiment::{Setup, Traced};
use crate::traced::Program;
use models::{choose, Modelled, Task};
use program::ThumbProgram;

pub use models::NAMES;

/// The program of `setup`, after its first trace; `None` if its core has no model here.
pub fn traced(setup: &Setup<'_>) -> Option<Result<Box<dyn Traced>, String>> {
    choose(&setup.board.core.timing, Load(setup))
}

/// Where the model of a core is taken from, if it has one here.
pub fn model_source(timing: &str) -> Option<&'static str> {
    choose(timing, Source)
}

struct Load<'a>(&'a Setup<'a>);

impl Task for Load<'_> {
    type Output = Result<Box<dyn Traced>, String>;

    fn with<C: Modelled>(self) -> Self::Output {
        Ok(Box::new(Program::new(ThumbProgram::<C>::new(self.0)?, self.0)?))
    }
}

struct Source;

impl Task for Source {
    type Output = &'static str;

    fn with<C: Modelled>(self) -> Self::Output {
        C::LEAKAGE.source
    }
}
