//! Runs simulated programs faster than the interpreters, with the same outcome.
//!
//! Decoded code that runs often is lowered to an intermediate form ([`ir`]), translated to WebAssembly
//! ([`emit`]) and compiled and run by Wasmtime ([`code`]). All else stays in the interpreter: code that runs
//! seldom, code in RAM, rare instructions, observed calls, start-up. Translated code works on copies of the
//! machine's state, of RAM on one that is kept from run to run. If one of its checks fails, the copies are
//! dropped and the interpreter runs from where the code was entered: so every fault is the interpreter's.
//!
//! No number depends on this crate, so it is not in the simulators' versions. Each instruction set has a folder
//! that lowers its operations; nothing else here mentions one.

pub mod avr;
pub mod blocks;
pub mod code;
mod copies;
pub mod emit;
mod engine;
pub mod ir;
pub mod layout;
pub mod learned;
pub mod marked;
pub mod mips;
pub mod msp430;
pub mod processor;
mod prune;
pub mod riscv;
pub mod thumb;
mod tier;
mod translator;
#[cfg(test)]
mod trial;
pub mod unusual;
mod waits;
pub mod xtensa;

pub use engine::{Engine, VARIABLE};

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, Image};

/// A simulated board with `image` loaded, whose programs `engine` runs.
///
/// # Errors
/// One sentence: the core's or the board's file is wrong, or the image is not for it or does not fit its
/// memories.
pub fn machine(board: &Board, image: &Image, engine: Engine) -> Result<Simulated, String> {
    pennyweight_boards::check_board(board)?;
    riscv::machine(board, image, engine)
        .or_else(|| thumb::machine(board, image, engine))
        .or_else(|| xtensa::machine(board, image, engine))
        .or_else(|| mips::machine(board, image, engine))
        .or_else(|| avr::machine(board, image, engine))
        .or_else(|| msp430::machine(board, image, engine))
        .unwrap_or_else(|| {
            let set = &board.core.instruction_set;
            Err(board
                .error("[core]", &format!("has the instruction set {set:?}, which is not translated"))
                .into())
        })
        .map_err(|error| error.to_string())
}
