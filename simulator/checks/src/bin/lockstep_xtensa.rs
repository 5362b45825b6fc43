//! `lockstep_xtensa --set call0|windowed --seed S --instructions N [--quick]`: random programs for the
//! LX106, or for a core with windows and loops as the LX6 has, on QEMU and on our simulator; registers are
//! compared after every instruction, memory at the end of every program. Ends with status 1 at the first
//! difference.

use std::process::ExitCode;

use pennyweight_checks::command::Command;
use pennyweight_checks::xtensa::{compare, qemu, Set};

fn main() -> ExitCode {
    let command = Command { name: "lockstep_xtensa", sets: &Set::NAMES, quick: 50_000, short: 4_000 };
    command.run(qemu::find(), |qemu, set, seed, length, passes| {
        compare::stream(qemu, Set::ALL[set], seed, length, passes.into())
    })
}
