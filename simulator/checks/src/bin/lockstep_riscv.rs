//! `lockstep_riscv --seed S --instructions N [--quick]`: random RV32IMAC programs with
//! Zba, Zbb and Zbkb on QEMU's `virt` and on our simulator; registers are compared after every
//! instruction, memory at the end of every program. Ends with status 1 at the first difference.

use std::process::ExitCode;

use pennyweight_checks::command::Command;
use pennyweight_checks::riscv::{compare, qemu};

fn main() -> ExitCode {
    let command = Command { name: "lockstep_riscv", sets: &[], quick: 50_000, short: 4_000 };
    command
        .run(qemu::find(), |qemu, _, seed, length, passes| compare::stream(qemu, seed, length, passes.into()))
}
