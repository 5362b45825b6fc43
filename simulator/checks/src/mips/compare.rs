//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::CallOptions;
use pennyweight_mips::op::Reg;
use pennyweight_mips::MipsMachine;

use super::qemu::{self, Entry};
use super::stream::{program, Program};
use super::{mipssim, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::Qemu;
use crate::whole::{self, Stepped};

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream(qemu: &Qemu, set: Set, seed: u64, words: usize, passes: u32) -> Result<u64, String> {
    let program = program(set, seed, words, passes);
    let mut log = qemu::start(qemu, &program.bytes, &seed.to_string())?;
    let mut machine = reset(&program)?;
    let code = (program.bytes.as_slice(), FLASH_BASE);
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let mut next = || {
            qemu::entry(&mut log)?
                .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))
        };
        let ours = ours(&machine);
        let mut theirs = next()?;
        // QEMU enters a delay slot that it then skips.
        let skipped = previous.map(|pc: u32| pc.wrapping_add(4));
        if Some(theirs.pc) == skipped && ours.pc == theirs.pc.wrapping_add(4) {
            theirs = next()?;
        }
        if ours != theirs {
            let states = states(&ours, "ours", &theirs, "QEMU");
            return Err(whole::mismatch(seed, instructions, code, previous, &states));
        }
        if ours.pc == FLASH_BASE + program.end {
            break;
        }
        previous = Some(ours.pc);
        cycles += machine.step().map_err(|fault| {
            let was = whole::instruction(code.0, code.1, fault.pc);
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

/// A run must end in the same state as single steps, at the same cost.
///
/// # Errors
/// It does not; the sentence says how.
pub fn whole_run(
    seed: u64,
    program: &Program,
    stepped: &MipsMachine,
    instructions: u64,
    cycles: u64,
) -> Result<(), String> {
    let mut machine = reset(program)?;
    let options = CallOptions { budget: cycles + 1_000_000, ..CallOptions::default() };
    let outcome = machine.run_to(FLASH_BASE + program.end, &options);
    let stepped = Stepped { machine: stepped, instructions, cycles };
    whole::agree(seed, (&machine, outcome), stepped, (RAM_BASE, RAM_SIZE), |a, b| {
        (ours(a) != ours(b)).then(|| states(&ours(a), "whole", &ours(b), "steps"))
    })
}

/// Our machine before the program's first instruction.
///
/// # Errors
/// The board refuses the program.
pub fn reset(program: &Program) -> Result<MipsMachine, String> {
    MipsMachine::from_flash(&mipssim(), &program.bytes, program.bytes.len(), FLASH_BASE)
        .map_err(|e| e.to_string())
}

fn ours(machine: &MipsMachine) -> Entry {
    let state = machine.state();
    let high_low = state.extra.high_low;
    let mut registers = [0; 32];
    for (number, register) in (0..).zip(&mut registers) {
        *register = state.registers[Reg(number)];
    }
    Entry { registers, high_low: [(high_low >> 32) as u32, high_low as u32], pc: state.pc & !1 }
}

fn states(a: &Entry, a_name: &str, b: &Entry, b_name: &str) -> String {
    let mut text = format!("       {a_name:>8} {b_name:>8}\n");
    let mut line = |name: &str, x: u32, y: u32| {
        if x != y || name == "pc" {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {name:<4} {x:08x} {y:08x}{}", if x == y { "" } else { "  <--" });
        }
    };
    line("pc", a.pc, b.pc);
    for (number, (&x, &y)) in a.registers.iter().zip(&b.registers).enumerate() {
        line(&format!("r{number}"), x, y);
    }
    line("hi", a.high_low[0], b.high_low[0]);
    line("lo", a.high_low[1], b.high_low[1]);
    text
}

#[cfg(test)]
mod tests {
    use super::{reset, whole_run};
    use crate::mips::stream::program;
    use crate::mips::{Set, FLASH_BASE};

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        let sets = [Set::Mips32, Set::Mips16e];
        for (set, seed) in sets.into_iter().flat_map(|set| (0..20).map(move |seed| (set, seed))) {
            let program = program(set, seed, 1500, 3);
            let mut machine = reset(&program).expect("the board is sound");
            let (mut instructions, mut cycles, mut short) = (0, 0, 0);
            while machine.state().pc != FLASH_BASE + program.end {
                short += u64::from(machine.state().pc & 1);
                cycles += machine.step().unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
                instructions += 1;
            }
            assert_eq!(short > 1_000, set == Set::Mips16e, "{short} instructions of 16 bits");
            whole_run(seed, &program, &machine, instructions, cycles).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
