//! Our side, held against QEMU's after every instruction.

use std::fmt::Write as _;

use pennyweight_machine::{CallOptions, Exit, Machine as _};
use pennyweight_thumb::core::Core;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::ThumbMachine;

use super::qemu::{Entry, Qemu};
use super::stream::{program, Program, Set};
use super::{board, RAM_BASE, RAM_SIZE};

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
    let mut log = qemu.start(set.machine(), &program.bytes, &seed.to_string())?;
    let mut machine = reset::<C>(&program)?;
    let (mut instructions, mut cycles) = (0u64, 0u64);
    let mut previous = None;
    loop {
        let theirs = log
            .entry()?
            .ok_or_else(|| format!("seed {seed}: QEMU ended after {instructions} instructions"))?;
        let ours = ours(&machine);
        if ours.registers != theirs.registers || (ours.xpsr ^ theirs.xpsr) & FLAGS != 0 {
            return Err(mismatch(seed, instructions, &program, previous, &ours, &theirs));
        }
        if ours.registers[15] == program.end {
            break;
        }
        previous = Some(ours.registers[15]);
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
    if outcome.exit != Exit::Returned {
        return Err(format!("seed {seed}: run as a whole, the program ends with {:?}", outcome.exit));
    }
    if machine.state() != stepped.state() {
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
    let memory = |machine: &ThumbMachine<C>| {
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

fn reset<C: Core>(program: &Program) -> Result<ThumbMachine<C>, String> {
    let mut machine = ThumbMachine::from_flash(&board(C::NAME), &program.bytes, program.bytes.len())
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
    match program.bytes.get(pc as usize..pc as usize + 4) {
        Some(&[a, b, c, d]) => {
            format!("{:04x} {:04x}", u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
        }
        _ => "an instruction outside the program".into(),
    }
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
