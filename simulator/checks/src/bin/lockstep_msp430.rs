//! Random MSP430 and MSP430X programs in lock step with mspdebug: registers, flags, PC and cycles after every
//! few instructions, RAM after every program.
//!
//! ```text
//! lockstep_msp430 [--set original|cpux] [--seed S] [--instructions N] [--quick] [--falsify]
//! ```
//!
//! Exit status: 0 if all agree, 1 at the first difference, 2 if the command line is wrong or mspdebug
//! is missing.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Choice, Command};
use pennyweight_checks::msp430::lockstep::Msp430Lockstep;
use pennyweight_checks::msp430::{peer, Set};

const COMMAND: Command = Command {
    name: "lockstep_msp430",
    choice: Some(Choice { option: "--set", names: &Set::NAMES }),
    folder: None,
    instructions: 10_000_000,
    quick: 100_000,
};

fn main() -> ExitCode {
    COMMAND.main(|set, request| {
        request.lockstep(peer::find().map(|has_cpux| Msp430Lockstep::of(Set::of(set, has_cpux))))
    })
}
