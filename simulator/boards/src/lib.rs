//! Puts cores and memories together: a simulated board from a board's file, its core's and an image.
//!
//! The one place that knows every instruction set. Adding one is a line in [`INSTRUCTION_SETS`]; adding
//! a core with a known one is a file, and nothing here.

#[cfg(feature = "interpreters")]
use pennyweight_machine::instruction_set::{Load, Simulated};
#[cfg(feature = "interpreters")]
use pennyweight_machine::Image;
use pennyweight_machine::{Board, CoreFile, InstructionSet};

/// The instruction sets that there are.
const INSTRUCTION_SETS: [&InstructionSet; 6] = [
    &pennyweight_avr::INSTRUCTION_SET,
    &pennyweight_msp430::INSTRUCTION_SET,
    &pennyweight_thumb::INSTRUCTION_SET,
    &pennyweight_riscv::INSTRUCTION_SET,
    &pennyweight_xtensa::INSTRUCTION_SET,
    &pennyweight_mips::INSTRUCTION_SET,
];

/// Their interpreters.
#[cfg(feature = "interpreters")]
const INTERPRETERS: [Load; INSTRUCTION_SETS.len()] = [
    pennyweight_avr::machine,
    pennyweight_msp430::machine,
    pennyweight_thumb::machine,
    pennyweight_riscv::machine,
    pennyweight_xtensa::machine,
    pennyweight_mips::machine,
];

/// Is a core's file right, whatever board it is on?
///
/// # Errors
/// One sentence that names the file, the field and the remedy.
pub fn check_core(core: &CoreFile) -> Result<(), String> {
    (INSTRUCTION_SETS[find(core)?].check_core)(core).map_err(|error| error.to_string())
}

/// Can the board's core be on such a board?
///
/// # Errors
/// One sentence that names the file, the field and the remedy.
pub fn check_board(board: &Board) -> Result<(), String> {
    (INSTRUCTION_SETS[suited(board)?].check_board)(board).map_err(|error| error.to_string())
}

/// A simulated board with `image` loaded, whose programs an interpreter runs.
///
/// # Errors
/// One sentence: the core's or the board's file is wrong, or the image is not for it or does not fit its
/// memories.
#[cfg(feature = "interpreters")]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, String> {
    INTERPRETERS[suited(board)?](board, image).map_err(|error| error.to_string())
}

/// The package that implements the instruction set of this name.
#[must_use]
pub fn package(instruction_set: &str) -> Option<&'static str> {
    INSTRUCTION_SETS.into_iter().find(|set| set.names.contains(&instruction_set)).map(|set| set.package)
}

/// The place of the board's instruction set in the lists, if the board has nothing that it does not support.
fn suited(board: &Board) -> Result<usize, String> {
    let found = find(&board.core)?;
    if board.random.is_some() && !INSTRUCTION_SETS[found].random {
        let what = format!("is for Cortex-M cores only, and the core is {:?}; remove it", board.core.name);
        return Err(board.error("[random]", &what).to_string());
    }
    Ok(found)
}

fn find(core: &CoreFile) -> Result<usize, String> {
    let known: Vec<&str> = INSTRUCTION_SETS.iter().flat_map(|set| set.names).copied().collect();
    let name =
        core.one_of("instruction_set", &core.instruction_set, &known).map_err(|error| error.to_string())?;
    let found = INSTRUCTION_SETS.into_iter().position(|set| set.names.contains(&name));
    found.ok_or_else(|| format!("{}: instruction_set is {name:?}, which no simulator has", core.source))
}
