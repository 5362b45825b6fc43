//! `lockstep_thumb --set v6m|v7m|v7em --seed S --instructions N [--quick]`: random programs of that
//! instruction set on QEMU and on our simulator of a core that has it; registers and flags are compared
//! after every instruction, memory at the end of every program. Ends with status 1 at the first
//! difference.

use std::process::ExitCode;

use pennyweight_checks::command::Command;
use pennyweight_checks::thumb::stream::Set;
use pennyweight_checks::thumb::{compare, qemu};
use pennyweight_thumb::core::{CortexM0, CortexM3, CortexM4};

fn main() -> ExitCode {
    let command = Command { name: "lockstep_thumb", sets: &Set::NAMES, quick: 100_000, short: 8_000 };
    command.run(qemu::find(), |qemu, set, seed, length, passes| {
        let set = Set::ALL[set];
        let compare = match set {
            Set::V6m => compare::stream::<CortexM0>,
            Set::V7m => compare::stream::<CortexM3>,
            Set::V7em => compare::stream::<CortexM4>,
        };
        compare(qemu, set, seed, length, passes)
    })
}
