//! `lockstep_mips [--set mips32|mips16e] [--seed S] [--instructions N] [--quick] [--falsify]`: random
//! MIPS32 programs, or programs that are 16-bit code for the most part, on QEMU's 4KEm and on our
//! simulator; registers are compared after every instruction, memory at the end of every program. Ends
//! with status 1 at the first difference.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Choice, Command};
use pennyweight_checks::mips::{compare, qemu, Set};
use pennyweight_checks::qemu::QemuLockstep;

const COMMAND: Command = Command {
    name: "lockstep_mips",
    choice: Some(Choice { option: "--set", names: &Set::NAMES }),
    folder: None,
    instructions: 1_000_000,
    quick: 50_000,
};

fn main() -> ExitCode {
    COMMAND.main(|set, request| {
        request.lockstep(QemuLockstep::open(qemu::find(), compare::MipsComparison(Set::ALL[set])))
    })
}
