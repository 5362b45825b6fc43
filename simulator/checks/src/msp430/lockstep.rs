//! Ours and mspdebug, side by side.

use std::collections::BTreeMap;

use pennyweight_machine::{Exit, Machine};
use pennyweight_msp430::{Instruction, Kind, Msp430Machine, Operand, Registers, Unary};

use super::encode::{CG, SR};
use super::peer;
use super::{board, stream, FLASH, RAM};
use crate::thumb::random::Random;

/// Instructions between two looks, at most.
const LONGEST: u32 = 8;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Instructions executed on both sides.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
    /// How often both sides were looked at.
    pub looks: u64,
    /// Random programs.
    pub programs: u64,
    /// How often each kind of instruction was executed: operation, size and addressing modes.
    pub kinds: BTreeMap<String, u64>,
}

/// What ours did up to a look.
struct Look {
    executed: Vec<(u16, Instruction)>,
    registers: Registers,
    cycles: u64,
}

/// Runs at least `instructions` in lock step. Returns what was compared.
///
/// # Errors
/// The first difference, with what led to it; or that the peer cannot be run.
pub fn run(seed: u64, instructions: u64, mut tell: impl FnMut(&Tally)) -> Result<Tally, String> {
    let mut tally = Tally::default();
    while tally.instructions < instructions {
        // Each program has its own seed, so that a difference is found again without the others.
        let seed = seed.wrapping_add(tally.programs);
        program(seed, &mut tally)
            .map_err(|what| format!("{what}\nfound with --seed {seed} --instructions 1"))?;
        tally.programs += 1;
        tell(&tally);
    }
    Ok(tally)
}

fn program(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(seed);
    let words = stream::program(&mut random);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let ram: Vec<u8> = (RAM.0..RAM.1).map(|_| random.next() as u8).collect();
    let mut machine = Msp430Machine::with_flash(&board(), &bytes).map_err(|error| error.to_string())?;
    machine.write(RAM.0.into(), &ram).map_err(|error| format!("{error:?}"))?;
    let mut registers = Registers::default();
    registers.0[0] = FLASH;
    machine.set_registers(&registers);

    let looks = ours(&mut machine, &mut random, FLASH + 2 * (words.len() as u16 - 1), tally)?;
    let steps: Vec<u32> = looks.iter().map(|look| look.executed.len() as u32).collect();
    let (records, after) = peer::run(&words, &ram, &steps, (FLASH, RAM.0))?;
    tally.looks += looks.len() as u64;
    for (position, (look, record)) in looks.iter().zip(&records).enumerate() {
        let mut theirs = record.registers;
        theirs[usize::from(CG)] = 0;
        if theirs != look.registers.0 || record.cycles != look.cycles {
            let before = position.checked_sub(1).map(|i| looks[i].registers.0);
            return Err(difference(look, before, &theirs, record.cycles));
        }
    }
    let mut memory = vec![0; ram.len()];
    machine.read(RAM.0.into(), &mut memory).map_err(|error| format!("{error:?}"))?;
    match memory.iter().zip(&after).position(|(a, b)| a != b) {
        Some(place) => Err(format!(
            "ours and mspdebug differ in RAM at {:#06x} at the end: {:#04x} and {:#04x}",
            usize::from(RAM.0) + place,
            memory[place],
            after[place]
        )),
        None => Ok(()),
    }
}

/// Runs ours to the program's last instruction.
fn ours(
    machine: &mut Msp430Machine,
    random: &mut Random,
    end: u16,
    tally: &mut Tally,
) -> Result<Vec<Look>, String> {
    let mut looks = Vec::new();
    let mut cycles = 0;
    while machine.registers().0[0] != end {
        let length = 1 + random.below(LONGEST);
        let mut executed = Vec::new();
        while machine.registers().0[0] != end {
            let address = machine.registers().0[0];
            let instruction = machine.instruction(address);
            // V after RRC is not comparable: the next instruction sets it anew.
            let is_rrc = matches!(instruction.kind, Kind::One { unary: Unary::Rrc, .. });
            let outcome = machine.step();
            if outcome.exit != Exit::Returned {
                return Err(format!("ours: {:?} at {address:#06x}: {instruction}", outcome.exit));
            }
            tally.instructions += 1;
            tally.cycles += outcome.cycles;
            *tally.kinds.entry(kind(&instruction)).or_default() += 1;
            cycles += outcome.cycles + surcharge(&instruction);
            executed.push((address, instruction));
            if executed.len() as u32 >= length && !is_rrc {
                break;
            }
        }
        looks.push(Look { executed, registers: machine.registers(), cycles });
    }
    Ok(looks)
}

/// Cycles that mspdebug 0.22 charges beyond the manual: it takes a constant for what its addressing
/// mode is with other registers.
fn surcharge(instruction: &Instruction) -> u64 {
    let Kind::Two { source: Operand::Constant(value), target, byte, .. } = instruction.kind else {
        return match instruction.kind {
            Kind::One { unary: Unary::Push, operand: Operand::Constant(value), byte } => {
                match mode(value, byte) {
                    0 => 0,
                    2 => 1,
                    _ => 2,
                }
            }
            _ => 0,
        };
    };
    let to_pc = target == Operand::Register(0);
    match (mode(value, byte), to_pc) {
        (0, _) | (2, true) => 0,
        (1, false) => 2,
        _ => 1,
    }
}

/// The addressing mode that a constant is made by (SLAU049, table 3-2).
fn mode(constant: u16, byte: bool) -> u16 {
    match constant {
        0 => 0,
        1 => 1,
        2 | 4 => 2,
        8 => 3,
        0xff if byte => 3,
        _ => 3,
    }
}

/// Operation, size and modes.
fn kind(instruction: &Instruction) -> String {
    let of = |operand: Operand| match operand {
        Operand::Register(n @ 0..=3) => format!("R{n}"),
        Operand::Register(_) => "Rn".into(),
        Operand::Constant(_) => "#c".into(),
        Operand::Immediate(_) => "#N".into(),
        Operand::Indexed(..) => "X(Rn)".into(),
        Operand::Symbolic(_) => "ADDR".into(),
        Operand::Absolute(_) => "&ADDR".into(),
        Operand::Indirect(_) => "@Rn".into(),
        Operand::Increment(_) => "@Rn+".into(),
    };
    match instruction.kind {
        Kind::Two { alu, byte, source, target } => format!("{alu:?} {byte} {} {}", of(source), of(target)),
        Kind::One { unary, byte, operand } => format!("{unary:?} {byte} {}", of(operand)),
        Kind::Jump(condition, _) => format!("{condition:?}"),
        Kind::Reti => "Reti".into(),
        Kind::Undefined(_) => "undefined".into(),
    }
}

/// The instructions up to a look and all that differs after them.
fn difference(look: &Look, before: Option<[u16; 16]>, theirs: &[u16; 16], cycles: u64) -> String {
    let mut lines = vec!["ours and mspdebug differ after the last of these instructions:".to_owned()];
    for (address, instruction) in &look.executed {
        lines.push(format!("  {address:#06x}  {instruction}"));
    }
    for (number, (ours, theirs)) in look.registers.0.iter().zip(theirs).enumerate() {
        let mark = if ours == theirs { "" } else { "  <--" };
        let was = before.map_or(0, |all| all[number]);
        let name = if number == usize::from(SR) { "SR".into() } else { format!("R{number}") };
        lines.push(format!("  {name:>3}: before {was:#06x}, ours {ours:#06x}, mspdebug {theirs:#06x}{mark}"));
    }
    lines.push(format!(
        "  cycles, constants as mspdebug charges them: ours {}, mspdebug {cycles}",
        look.cycles
    ));
    lines.join("\n")
}
