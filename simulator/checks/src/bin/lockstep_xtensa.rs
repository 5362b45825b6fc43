//! `lockstep_xtensa [--set call0|windowed] [--seed S] [--instructions N] [--quick] [--falsify]`: random
//! programs for the LX106, or for a core with windows and loops as the LX6 has, on QEMU and on our
//! simulator; registers are compared after every instruction, memory at the end of every program. Ends
//! with status 1 at the first difference.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Choice, Command};
use pennyweight_checks::qemu::QemuLockstep;
use pennyweight_checks::xtensa::{compare, qemu, Set};

const COMMAND: Command = Command {
    name: "lockstep_xtensa",
    choice: Some(Choice { option: "--set", names: &Set::NAMES }),
    folder: None,
    instructions: 1_000_000,
    quick: 50_000,
};

fn main() -> ExitCode {
    COMMAND.main(|set, request| {
        request.lockstep(QemuLockstep::open(qemu::find(), compare::XtensaComparison(Set::ALL[set])))
    })
}
