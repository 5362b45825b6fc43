//! Random MSP430 programs in lock step with mspdebug: registers, flags, PC and cycles after every few
//! instructions, RAM after every program.
//!
//! ```text
//! lockstep_msp430 [--seed S] [--instructions N] [--quick] [--falsify]
//! ```
//!
//! Exit status: 0 if all agree, 1 at the first difference, 2 if the command line is wrong or mspdebug
//! is missing.

use std::process::ExitCode;

use pennyweight_checks::lockstep::Command;
use pennyweight_checks::msp430::lockstep::Msp430Lockstep;
use pennyweight_checks::msp430::peer;

const COMMAND: Command =
    Command { name: "lockstep_msp430", choice: None, folder: None, instructions: 10_000_000, quick: 100_000 };

fn main() -> ExitCode {
    COMMAND.main(|_, request| request.lockstep(peer::find().map(|()| Msp430Lockstep::default())))
}
