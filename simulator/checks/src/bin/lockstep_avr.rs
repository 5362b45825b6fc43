//! Random AVR programs in lock step with simavr (AVRe+) and yasimavr (AVRxt): registers, SREG, SP, PC
//! and SRAM after every instruction, and with simavr the cycles too. Where yasimavr counts other cycles
//! than Pennyweight, which has those of the manual (see the tests in `simulator/avr`), the kinds are listed.
//!
//! ```text
//! lockstep_avr [--chip atmega328p|atmega128|atmega4809] [--seed S] [--instructions N] [--quick] [--falsify]
//! ```
//!
//! Without `--chip`, all, each with a third of the instructions. Exit status: 0 if all agree, 1 at the
//! first difference, 2 if the command line is wrong or a peer is missing.

use std::process::ExitCode;

use pennyweight_checks::avr::chip::{CHIPS, NAMES};
use pennyweight_checks::avr::lockstep::AvrLockstep;
use pennyweight_checks::lockstep::command::{Choice, Command};

const COMMAND: Command = Command {
    name: "lockstep_avr",
    choice: Some(Choice { option: "--chip", names: &NAMES }),
    folder: None,
    instructions: 10_000_000,
    quick: 400_000,
};

fn main() -> ExitCode {
    COMMAND.main(|chip, request| request.lockstep(AvrLockstep::open(CHIPS[chip])))
}
