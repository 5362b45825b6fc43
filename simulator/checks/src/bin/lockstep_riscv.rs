//! `lockstep_riscv [--set rv32imac|rv32ec|rv32imac-zbs] [--seed S] [--instructions N] [--quick] [--falsify]`:
//! random RV32IMAC programs with Zba, Zbb and Zbkb, RV32EC programs, or RV32IMAC programs with Zbs too, on QEMU's
//! `virt` and on our simulator; registers are compared after every instruction, memory at the end of every program. Ends with status 1 at
//! the first difference.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Choice, Command};
use pennyweight_checks::qemu::QemuLockstep;
use pennyweight_checks::riscv::compare::RiscvComparison;
use pennyweight_checks::riscv::{qemu, Set};

const COMMAND: Command = Command {
    name: "lockstep_riscv",
    choice: Some(Choice { option: "--set", names: &Set::NAMES }),
    folder: None,
    instructions: 1_000_000,
    quick: 50_000,
};

fn main() -> ExitCode {
    COMMAND.main(|set, request| {
        request.lockstep(QemuLockstep::open(qemu::find(), RiscvComparison::of(Set::QEMU[set])))
    })
}
