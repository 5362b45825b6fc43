//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::{CallOptions, Exit, Machine as _};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::XtensaMachine;

use super::qemu::{Entry, Qemu};
use super::stream::{program, Program};
use super::{sim, FLASH_BASE, RAM_BASE, RAM_SIZE};

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream(qemu: &Qemu, seed: u64, halfwords: usize, passes: u32) -> Result<u64, String> {
    let program = program(seed, halfwords, passes);
    let mut log = qemu.start(&program.bytes, program.entry, &seed.to_string())?;
    let mut machine = reset(&program)?;
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = log
            .entry()?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(&machine);
        if ours != theirs {
            return Err(mismatch(seed, instructions, &program, previous, &ours, &theirs));
        }
        if ours.pc == FLASH_BASE + program.end {
            break;
        }
        previous = Some(ours.pc);
        cycles += machine.step().map_err(|fault| {
            let was = instruction(&program, fault.pc);
            format!(
                "seed {seed}: instruction {instructions}, {was} at {:#x}: we fault, QEMU goes on: {}",
                fault.pc, fault.kind
            )
        })?;
        instructions += 1;
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
    let outcome = machine.run_to(FLASH_BASE + program.end, &options);
    if outcome.exit != Exit::Returned {
        return Err(format!("seed {seed}: run as a whole, the program ends with {:?}", outcome.exit));
    }
    if ours(&machine) != ours(stepped) {
        return Err(format!(
            "seed {seed}: run as a whole, the program ends in another state than step by step\n{}",
            states(&ours(&machine), "whole", &ours(stepped), "steps")
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
        machine.read(RAM_BASE, &mut bytes).map(|()| bytes)
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
    XtensaMachine::from_flash(&sim(), &program.bytes, program.bytes.len(), FLASH_BASE + program.entry)
        .map_err(|e| e.to_string())
}

fn ours(machine: &XtensaMachine) -> Entry {
    let state = machine.state();
    let mut registers = [0; 16];
    for (number, register) in (0..).zip(&mut registers) {
        *register = state.registers[Reg(number)];
    }
    Entry { registers, sar: state.sar, pc: state.pc }
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
    let start = pc.wrapping_sub(FLASH_BASE) as usize;
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
    if a.sar != b.sar {
        let _ = writeln!(text, "  sar  {:08x} {:08x}  <--", a.sar, b.sar);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{reset, whole_run};
    use crate::xtensa::stream::program;
    use crate::xtensa::FLASH_BASE;

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        for seed in 0..40 {
            let program = program(seed, 1500, 3);
            let mut machine = reset(&program).expect("the board is sound");
            let (mut instructions, mut cycles) = (0, 0);
            while machine.state().pc != FLASH_BASE + program.end {
                cycles += machine.step().unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
                instructions += 1;
            }
            whole_run(seed, &program, &machine, instructions, cycles).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
