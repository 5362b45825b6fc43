//! `lockstep_mips --set mips32|mips16e --seed S --instructions N [--quick]`: random MIPS32 programs, or
//! programs that are 16-bit code for the most part, on QEMU's 4KEm and on our
//! simulator; registers are compared after every instruction, memory at the end of every program. Ends
//! with status 1 at the first difference.

use std::process::ExitCode;

use pennyweight_checks::command::Command;
use pennyweight_checks::mips::{compare, qemu, Set};

fn main() -> ExitCode {
    let command =
        Command { name: "lockstep_mips", sets: &["mips32", "mips16e"], quick: 50_000, short: 4_000 };
    command.run(qemu::find(), |qemu, set, seed, length, passes| {
        let set = if set == 0 { Set::Mips32 } else { Set::Mips16e };
        compare::stream(qemu, set, seed, length, passes.into())
    })
}
