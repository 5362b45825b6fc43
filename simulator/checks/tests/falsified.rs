//! Every lock step finds a wrong peer: after each comparison of real states, one bit of the peer's state is
//! changed, in another field each time, and must be found as the only difference.

use std::path::Path;
use std::process::Command;

/// Runs a short lock step; returns in how many different fields it found changes, for each chip or set that
/// it compares.
fn fields(program: &str) -> Vec<u64> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let mut command = Command::new(program);
    command.args(["--falsify", "--quick", "--instructions", "3"]);
    if std::env::var_os("PENNYWEIGHT_PYTHON").is_none() && python.is_file() {
        command.env("PENNYWEIGHT_PYTHON", python);
    }
    let output = command.output().expect("the command starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let numbers = out.lines().filter_map(|line| {
        let (found, rest) = line.strip_prefix("  changed states of the peer: ")?.split_once(" in ")?;
        let (fields, rest) = rest.split_once(' ')?;
        assert_eq!(rest, "different fields, all found");
        let (found, fields): (u64, u64) = (found.parse().ok()?, fields.parse().ok()?);
        assert!(found > 500, "{out}");
        Some(fields)
    });
    numbers.collect()
}

/// r0 to r31, SREG, SP, PC, two of I/O and SRAM; cycles with simavr only.
#[test]
fn avr() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_avr")), [39, 39, 38]);
}

/// All registers but the constant generator's, and cycles, of both CPUs.
#[test]
fn msp430() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_msp430")), [16, 16]);
}

/// R0 to R15 and the flags.
#[test]
fn thumb() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_thumb")), [17, 17, 17, 17]);
}

/// x0 to x31 and pc, of all sets.
#[test]
fn riscv() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_riscv")), [33, 33, 33, 33]);
}

/// a0 to a15, SAR and pc; with windows 32 physical and 19 special registers too.
#[test]
fn xtensa() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_xtensa")), [18, 69]);
}

/// r0 to r31, HI, LO and pc.
#[test]
fn mips() {
    assert_eq!(fields(env!("CARGO_BIN_EXE_lockstep_mips")), [35, 35]);
}
