//! Random programs on Hazard3's source in Verilator and on our simulator, with the configuration of the RP2350:
//! registers and cycles are compared after every instruction, memory at the end of every program.
//!
//! ```text
//! lockstep_hazard3 --rtl CLONE [--seed S] [--instructions N] [--quick] [--falsify]
//! ```
//!
//! CLONE is a clone of github.com/Wren6991/Hazard3. Exit status: 0 if all agree, 1 at the first difference, 2 if
//! the command line is wrong or the peer cannot be built.

use std::process::ExitCode;

use pennyweight_checks::lockstep::command::{Command, Folder};
use pennyweight_checks::riscv::rtl::RtlLockstep;

const COMMAND: Command = Command {
    name: "lockstep_hazard3",
    choice: None,
    folder: Some(Folder {
        option: "--rtl",
        remedy: "clone github.com/Wren6991/Hazard3 and give the clone's folder",
    }),
    instructions: 1_000_000,
    quick: 50_000,
};

fn main() -> ExitCode {
    COMMAND.main(|_, request| request.lockstep(RtlLockstep::open(request.folder())))
}
