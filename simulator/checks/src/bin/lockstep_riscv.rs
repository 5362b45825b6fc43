//! `lockstep_riscv [--seed S] [--instructions N] [--quick] [--falsify]`: random RV32IMAC programs with
//! Zba, Zbb and Zbkb on QEMU's `virt` and on our simulator; registers are compared after every
//! instruction, memory at the end of every program. Ends with status 1 at the first difference.

use std::process::ExitCode;

use pennyweight_checks::lockstep::Command;
use pennyweight_checks::qemu::QemuLockstep;
use pennyweight_checks::riscv::{compare, qemu};

const COMMAND: Command =
    Command { name: "lockstep_riscv", choice: None, instructions: 1_000_000, quick: 50_000 };

fn main() -> ExitCode {
    COMMAND.main(|_, request| request.lockstep(QemuLockstep::open(qemu::find(), compare::RiscvComparison)))
}
