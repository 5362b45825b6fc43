//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::CallOptions;
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::RiscvMachine;

use super::qemu::{self, Entry};
use super::stream::{program, Program};
use super::{virt, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::Qemu;
use crate::whole::{self, Stepped};

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream(qemu: &Qemu, seed: u64, halfwords: usize, passes: u32) -> Result<u64, String> {
    let program = program(seed, halfwords, passes);
    let mut log = qemu::start(qemu, &program.bytes, &seed.to_string())?;
    let mut machine = reset(&program)?;
    let code = (program.bytes.as_slice(), FLASH_BASE);
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = qemu::entry(&mut log)?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(&machine);
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

/// The loop over decoded code must end in the same state as single steps, at the same cost.
///
/// # Errors
/// It does not; the sentence says how.
pub fn whole_run(
    seed: u64,
    program: &Program,
    stepped: &RiscvMachine,
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
pub fn reset(program: &Program) -> Result<RiscvMachine, String> {
    RiscvMachine::from_flash(&virt(), &program.bytes, program.bytes.len(), FLASH_BASE)
        .map_err(|e| e.to_string())
}

fn ours(machine: &RiscvMachine) -> Entry {
    let state = machine.state();
    let mut registers = [0; 32];
    for (number, register) in (0..).zip(&mut registers) {
        *register = state.registers[Reg::source(number)];
    }
    Entry { registers, pc: state.pc }
}

fn states(a: &Entry, a_name: &str, b: &Entry, b_name: &str) -> String {
    let mut text = format!("       {a_name:>8} {b_name:>8}\n");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  pc   {:08x} {:08x}{}", a.pc, b.pc, if a.pc == b.pc { "" } else { "  <--" });
    for (number, (x, y)) in a.registers.iter().zip(&b.registers).enumerate().filter(|(_, (x, y))| x != y) {
        let _ = writeln!(text, "  x{number:<3} {x:08x} {y:08x}  <--");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{reset, whole_run};
    use crate::riscv::stream::program;
    use crate::riscv::FLASH_BASE;

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
