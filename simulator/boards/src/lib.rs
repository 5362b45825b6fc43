//! Puts cores and memories together: a simulated board from a board description and an image.
//!
//! The one place that knows every core. Adding a core is one line in [`CORES`].

use pennyweight_machine::{Board, Image, Machine};
use pennyweight_thumb::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM4};
use pennyweight_thumb::ThumbMachine;

/// Makes a machine, or explains in one sentence why it cannot.
type Constructor = fn(&Board, &Image) -> Result<Box<dyn Machine + Send + Sync>, String>;

/// The cores by the name that a board file's `core.name` uses.
const CORES: &[(&str, Constructor)] = &[
    ("avre+", avr),
    ("avrxt", avr),
    ("cortex-m0", thumb::<CortexM0>),
    ("cortex-m0plus", thumb::<CortexM0Plus>),
    ("cortex-m3", thumb::<CortexM3>),
    ("cortex-m4", thumb::<CortexM4>),
    ("sifive-e31", riscv),
    ("sifive-e31-g000", riscv),
    ("lx106", xtensa),
    ("lx6", xtensa),
    ("m4k", mips),
    ("msp430", msp430),
];

fn avr(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    pennyweight_avr::AvrMachine::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

fn msp430(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    pennyweight_msp430::Msp430Machine::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

fn xtensa(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    pennyweight_xtensa::XtensaMachine::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

fn mips(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    pennyweight_mips::MipsMachine::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

fn riscv(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    pennyweight_riscv::RiscvMachine::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

fn thumb<C: Core>(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    ThumbMachine::<C>::new(board, image)
        .map(|machine| Box::new(machine) as Box<dyn Machine + Send + Sync>)
        .map_err(|error| error.to_string())
}

/// The names of all cores, in order.
#[must_use]
pub fn cores() -> Vec<&'static str> {
    CORES.iter().map(|&(name, _)| name).collect()
}

/// Refuses a board whose core no simulator has.
///
/// # Errors
/// One sentence that names the field and the cores there are.
pub fn check_core(board: &Board) -> Result<(), String> {
    find(board).map(|_| ())
}

/// A simulated board with `image` loaded.
///
/// # Errors
/// One sentence: the core is unknown, or the image is not for it or does not fit its memories.
pub fn machine(board: &Board, image: &Image) -> Result<Box<dyn Machine + Send + Sync>, String> {
    find(board)?(board, image)
}

fn find(board: &Board) -> Result<Constructor, String> {
    CORES.iter().find(|&&(name, _)| name == board.core).map(|&(_, constructor)| constructor).ok_or_else(
        || {
            format!(
                "board {}: core.name is '{}', but the simulator has only: {}",
                board.id,
                board.core,
                cores().join(", ")
            )
        },
    )
}
