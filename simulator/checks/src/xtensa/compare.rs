//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::CallOptions;
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::XtensaMachine;

use super::qemu::{self, Entry, SPECIAL};
use super::stream::{program, Program};
use super::{Set, RAM_SIZE};
use crate::qemu::Qemu;
use crate::whole::{self, Stepped};

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream(qemu: &Qemu, kind: Set, seed: u64, bytes: usize, passes: u32) -> Result<u64, String> {
    let program = program(kind, seed, bytes, passes);
    let mut log = qemu::start(qemu, kind, &program.bytes, program.entry, &seed.to_string())?;
    let mut machine = reset(&program)?;
    let code = (program.bytes.as_slice(), kind.flash());
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = qemu::entry(&mut log, kind)?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(kind, &machine);
        if ours != theirs {
            let states = states(&ours, "ours", &theirs, "QEMU");
            return Err(whole::mismatch(seed, instructions, code, previous, &states));
        }
        if ours.pc == kind.flash() + program.end {
            break;
        }
        previous = Some(ours.pc);
        let tally = machine.step_counted().map_err(|fault| {
            let was = whole::instruction(code.0, code.1, fault.pc);
            format!(
                "seed {seed}: instruction {instructions}, {was} at {:#x}: we fault, QEMU goes on: {}",
                fault.pc, fault.kind
            )
        })?;
        cycles += tally.cycles;
        instructions += tally.instructions;
    }
    drop(log);
    whole_run(seed, &program, &machine, instructions, cycles)?;
    Ok(instructions)
}

/// The loop over decoded code must end in the same state as single steps, at the same cost.
///
/// # Errors
/// It does not; the sentence says how.
pub fn whole_run(
    seed: u64,
    program: &Program,
    stepped: &XtensaMachine,
    instructions: u64,
    cycles: u64,
) -> Result<(), String> {
    let mut machine = reset(program)?;
    let options = CallOptions { budget: cycles + 1_000_000, ..CallOptions::default() };
    let outcome = machine.run_to(program.kind.flash() + program.end, &options);
    let stepped = Stepped { machine: stepped, instructions, cycles };
    whole::agree(seed, (&machine, outcome), stepped, (program.kind.ram(), RAM_SIZE), |a, b| {
        (ours(program.kind, a) != ours(program.kind, b))
            .then(|| states(&ours(program.kind, a), "whole", &ours(program.kind, b), "steps"))
    })
}

/// Our machine before the program's first instruction.
///
/// # Errors
/// The board refuses the program.
pub fn reset(program: &Program) -> Result<XtensaMachine, String> {
    let (board, entry) = (program.kind.board(), program.kind.flash() + program.entry);
    let mut machine = XtensaMachine::from_flash(&board, &program.bytes, program.bytes.len(), entry)
        .map_err(|e| e.to_string())?;
    if program.kind == Set::Windowed {
        // What the peer's configuration has after reset.
        machine.state_mut().extra.windows.vectors = 0x2000;
    }
    Ok(machine)
}

fn ours(kind: Set, machine: &XtensaMachine) -> Entry {
    let state = machine.state();
    let mut entry = Entry { sar: state.sar, pc: state.pc, ..Entry::default() };
    for (number, register) in (0..).zip(&mut entry.registers) {
        *register = state.registers[Reg(number)];
    }
    if kind == Set::Windowed {
        let extra = &state.extra;
        let (windows, loops, mac) = (&extra.windows, &extra.loops, &extra.mac);
        let [m0, m1, m2, m3] = mac.data;
        entry.special = [
            loops.begin,
            loops.end,
            loops.count,
            extra.booleans,
            mac.low(),
            mac.high(),
            m0,
            m1,
            m2,
            m3,
            windows.vectors,
            windows.epc,
            windows.save,
            windows.cause,
            windows.base,
            windows.start,
            windows.ps,
            extra.compare,
            extra.thread,
        ];
        for (to, four) in entry.file.chunks_mut(4).zip(windows.physical(state.registers)) {
            to.copy_from_slice(&four);
        }
    }
    entry
}

fn states(a: &Entry, a_name: &str, b: &Entry, b_name: &str) -> String {
    let mut text = format!("       {a_name:>8} {b_name:>8}\n");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  pc   {:08x} {:08x}{}", a.pc, b.pc, if a.pc == b.pc { "" } else { "  <--" });
    for (number, (x, y)) in a.registers.iter().zip(&b.registers).enumerate().filter(|(_, (x, y))| x != y) {
        let _ = writeln!(text, "  a{number:<3} {x:08x} {y:08x}  <--");
    }
    for ((name, x), y) in SPECIAL.iter().zip(a.special).zip(b.special).filter(|((_, x), y)| x != y) {
        let _ = writeln!(text, "  {name} {x:08x} {y:08x}  <--");
    }
    for (number, (x, y)) in a.file.iter().zip(&b.file).enumerate().filter(|(_, (x, y))| x != y) {
        let _ = writeln!(text, "  ar{number:<2} {x:08x} {y:08x}  <--");
    }
    if a.sar != b.sar {
        let _ = writeln!(text, "  sar  {:08x} {:08x}  <--", a.sar, b.sar);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{reset, whole_run};
    use crate::xtensa::stream::program;
    use crate::xtensa::Set;

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        for seed in 0..40 {
            let kind = if seed % 2 == 0 { Set::Call0 } else { Set::Windowed };
            let program = program(kind, seed, 3000, 3);
            let mut machine = reset(&program).expect("the board is sound");
            let (mut instructions, mut cycles) = (0, 0);
            while machine.state().pc != kind.flash() + program.end {
                let tally = machine.step_counted().unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
                cycles += tally.cycles;
                instructions += tally.instructions;
            }
            whole_run(seed, &program, &machine, instructions, cycles).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
