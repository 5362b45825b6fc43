//! `lockstep_thumb [--set v6m|v7m|v7em|v8m] [--seed S] [--instructions N] [--quick] [--falsify]`: random
//! programs of that instruction set on QEMU and on our simulator of a core that has it; registers and
//! flags are compared after every instruction, memory at the end of every program. Ends with status 1 at
//! the first difference.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Choice, Command};
use pennyweight_checks::qemu::QemuLockstep;
use pennyweight_checks::thumb::stream::Set;
use pennyweight_checks::thumb::{compare, qemu};
use pennyweight_thumb::core::{CortexM0, CortexM3, CortexM33, CortexM4};

const COMMAND: Command = Command {
    name: "lockstep_thumb",
    choice: Some(Choice { option: "--set", names: &Set::NAMES }),
    folder: None,
    instructions: 1_000_000,
    quick: 100_000,
};

fn main() -> ExitCode {
    COMMAND.main(|set, request| {
        let set = Set::ALL[set];
        match set {
            Set::V6m => request
                .lockstep(QemuLockstep::open(qemu::find(), compare::ThumbComparison::<CortexM0>::new(set))),
            Set::V7m => request
                .lockstep(QemuLockstep::open(qemu::find(), compare::ThumbComparison::<CortexM3>::new(set))),
            Set::V7em => request
                .lockstep(QemuLockstep::open(qemu::find(), compare::ThumbComparison::<CortexM4>::new(set))),
            Set::V8m => request
                .lockstep(QemuLockstep::open(qemu::find(), compare::ThumbComparison::<CortexM33>::new(set))),
        }
    })
}
