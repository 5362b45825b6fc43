//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::CallOptions;
use pennyweight_thumb::core::Core;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::ThumbMachine;

use super::qemu::{self, Entry};
use super::stream::{program, Program, Set};
use super::{board, RAM_BASE, RAM_SIZE};
use crate::qemu::Qemu;
use crate::whole::{self, Stepped};

/// N, Z, C, V, Q and GE.
const FLAGS: u32 = 0xf80f_0000;

/// Runs the program of `seed` on both; returns the instructions compared.
///
/// # Errors
/// A mismatch, with seed, instruction and both states; or QEMU failed.
pub fn stream<C: Core>(
    qemu: &Qemu,
    set: Set,
    seed: u64,
    halfwords: usize,
    passes: u16,
) -> Result<u64, String> {
    let program = program(set, seed, halfwords, passes);
    let mut log = qemu::start(qemu, set.machine(), &program.bytes, &seed.to_string())?;
    let mut machine = reset::<C>(&program)?;
    let code = (program.bytes.as_slice(), 0);
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = qemu::entry(&mut log)?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(&machine);
        if ours.registers != theirs.registers || (ours.xpsr ^ theirs.xpsr) & FLAGS != 0 {
            let states = states(&ours, "ours", &theirs, "QEMU");
            return Err(whole::mismatch(seed, instructions, code, previous, &states));
        }
        if ours.registers[15] == program.end {
            break;
        }
        previous = Some(ours.registers[15]);
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

/// The loop over predecoded code must end in the same state as single steps, at the same cost.
fn whole_run<C: Core>(
    seed: u64,
    program: &Program,
    stepped: &ThumbMachine<C>,
    instructions: u64,
    cycles: u64,
) -> Result<(), String> {
    let mut machine = reset::<C>(program)?;
    let outcome =
        machine.run_to(program.end, &CallOptions { budget: cycles + 1_000_000, ..CallOptions::default() });
    let stepped = Stepped { machine: stepped, instructions, cycles };
    whole::agree(seed, (&machine, outcome), stepped, (RAM_BASE, RAM_SIZE), |a, b| {
        (a.state() != b.state()).then(|| states(&ours(a), "whole", &ours(b), "steps"))
    })
}

fn reset<C: Core>(program: &Program) -> Result<ThumbMachine<C>, String> {
    let mut machine = ThumbMachine::from_flash(&board(C::NAME), &program.bytes, program.bytes.len(), 0)
        .map_err(|e| e.to_string())?;
    machine.state_mut().pc &= !1;
    // QEMU begins with Z set; the architecture leaves it open.
    machine.state_mut().flags.set_apsr(1 << 30);
    Ok(machine)
}

fn ours<C: Core>(machine: &ThumbMachine<C>) -> Entry {
    let state = machine.state();
    let mut registers = [0; 16];
    for (number, register) in (0..15).zip(&mut registers) {
        *register = state.registers[Reg::from_bits(number)];
    }
    registers[15] = state.pc;
    Entry { registers, xpsr: state.flags.apsr() }
}

fn states(a: &Entry, a_name: &str, b: &Entry, b_name: &str) -> String {
    let mut text = format!("       {a_name:>8} {b_name:>8}\n");
    for (number, (x, y)) in a.registers.iter().zip(&b.registers).enumerate() {
        let mark = if x == y { "" } else { "  <--" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  R{number:<3} {x:08x} {y:08x}{mark}");
    }
    let (x, y) = (a.xpsr & FLAGS, b.xpsr & FLAGS);
    let _ = writeln!(text, "  NZCV {x:08x} {y:08x}{}", if x == y { "" } else { "  <--" });
    text
}
