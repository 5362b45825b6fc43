//! What runs programs. No result depends on it.

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image};
use pennyweight_translate::Engine;
use pyo3::prelude::*;

use super::refuse;

/// A machine with the engine that the environment selects.
pub fn selected(board: &Board, image: &Image) -> PyResult<Simulated> {
    let engine = Engine::of_environment().map_err(refuse)?;
    pennyweight_translate::machine(board, image, engine).map_err(refuse)
}

/// A machine with the engine of this name.
pub fn named(board: &Board, image: &Image, engine: &str) -> PyResult<Simulated> {
    let engine = Engine::of_name(engine).map_err(refuse)?;
    pennyweight_translate::machine(board, image, engine).map_err(refuse)
}
