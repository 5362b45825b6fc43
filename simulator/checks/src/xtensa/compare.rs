//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::{CallOptions, Exit, Machine as _};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::XtensaMachine;

use super::qemu::{Entry, Qemu, SPECIAL};
use super::stream::{program, Program};
use super::{Set, RAM_SIZE};

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream(qemu: &Qemu, kind: Set, seed: u64, bytes: usize, passes: u32) -> Result<u64, String> {
    let program = program(kind, seed, bytes, passes);
    let mut log = qemu.start(kind, &program.bytes, program.entry, &seed.to_string())?;
    let mut machine = reset(&program)?;
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = log
            .entry()?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(kind, &machine);
        if ours != theirs {
            return Err(mismatch(seed, instructions, &program, previous, &ours, &theirs));
        }
        if ours.pc == kind.flash() + program.end {
            break;
        }
        previous = Some(ours.pc);
        let tally = machine.step_counted().map_err(|fault| {
            let was = instruction(&program, fault.pc);
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
    if outcome.exit != Exit::Returned {
        return Err(format!("seed {seed}: run as a whole, the program ends with {:?}", outcome.exit));
    }
    if ours(program.kind, &machine) != ours(program.kind, stepped) {
        return Err(format!(
            "seed {seed}: run as a whole, the program ends in another state than step by step\n{}",
            states(&ours(program.kind, &machine), "whole", &ours(program.kind, stepped), "steps")
        ));
    }
    if (outcome.instructions, outcome.cycles) != (instructions, cycles) {
        return Err(format!(
            "seed {seed}: run as a whole, the program takes {} instructions and {} cycles, step by step {instructions} and {cycles}",
            outcome.instructions, outcome.cycles
        ));
    }
    let memory = |machine: &XtensaMachine| {
        let mut bytes = vec![0; RAM_SIZE as usize];
        machine.read(program.kind.ram(), &mut bytes).map(|()| bytes)
    };
    if memory(&machine) != memory(stepped) {
        return Err(format!(
            "seed {seed}: run as a whole, the program leaves other memory than step by step"
        ));
    }
    Ok(())
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

fn mismatch(
    seed: u64,
    count: u64,
    program: &Program,
    previous: Option<u32>,
    ours: &Entry,
    theirs: &Entry,
) -> String {
    let after = match previous {
        Some(pc) => format!("after {} at {pc:#x}", instruction(program, pc)),
        None => "at the start".into(),
    };
    format!("seed {seed}: mismatch {after}, instruction {count}\n{}", states(ours, "ours", theirs, "QEMU"))
}

/// The encoding at an address.
fn instruction(program: &Program, pc: u32) -> String {
    let start = pc.wrapping_sub(program.kind.flash()) as usize;
    match program.bytes.get(start..start.saturating_add(4)) {
        Some(&[a, b, c, d]) => {
            format!("{:04x} {:04x}", u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
        }
        _ => "an instruction outside the program".into(),
    }
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
