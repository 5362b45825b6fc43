//! Pennyweight and mspdebug, side by side.

use std::collections::BTreeMap;

use pennyweight_machine::account::Tally;
use pennyweight_machine::{Exit, Machine};
use pennyweight_msp430::{Instruction, Kind, Msp430Machine, Operand, Registers, Unary};

use super::peer::{self, Record};
use super::{board, stream, FLASH, RAM};
use crate::lockstep::{Driver, Memory, Session, Stretch};
use crate::random::Random;

/// Instructions between two points of comparison, at most.
const LONGEST: u32 = 8;

/// The MSP430 compared with mspdebug's.
#[derive(Debug, Default)]
pub struct Msp430Lockstep {
    /// How often each kind of instruction was executed: operation, size and addressing modes.
    kinds: BTreeMap<String, u64>,
}

impl Driver for Msp430Lockstep {
    type Session<'a> = Running<'a>;

    fn peer(&self) -> String {
        "mspdebug".into()
    }

    fn begin(&mut self, seed: u64, _short: bool) -> Result<Running<'_>, String> {
        let mut random = Random::new(seed);
        let words = stream::program(&mut random);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let ram: Vec<u8> = (RAM.0..RAM.1).map(|_| random.next() as u8).collect();
        let mut machine = Msp430Machine::with_flash(&board(), &bytes).map_err(|error| error.to_string())?;
        machine.write(RAM.0.into(), &ram).map_err(|error| format!("{error:?}"))?;
        let mut registers = Registers::default();
        registers.0[0] = FLASH;
        machine.set_registers(&registers);
        let end = FLASH + 2 * (words.len() as u16 - 1);
        Ok(Running {
            kinds: &mut self.kinds,
            machine,
            random,
            words,
            ram,
            end,
            cycles: 0,
            steps: Vec::new(),
            records: Vec::new().into_iter(),
            after: Vec::new(),
        })
    }

    fn remarks(&self) -> Vec<String> {
        vec![format!("{} kinds of instructions", self.kinds.len())]
    }
}

/// A program under way. mspdebug runs it as a whole, after Pennyweight, and stops where Pennyweight did.
pub struct Running<'a> {
    kinds: &'a mut BTreeMap<String, u64>,
    machine: Msp430Machine,
    random: Random,
    words: Vec<u16>,
    /// RAM at the start.
    ram: Vec<u8>,
    /// The address of the last instruction.
    end: u16,
    /// Pennyweight's, constants as mspdebug charges them.
    cycles: u64,
    /// Instructions up to each point of comparison.
    steps: Vec<u32>,
    /// mspdebug's states at these points.
    records: std::vec::IntoIter<Record>,
    /// Its RAM at the end.
    after: Vec<u8>,
}

impl Session for Running<'_> {
    type State = Record;

    const BATCH: usize = usize::MAX;

    fn ours(&mut self) -> Result<Option<Stretch<Record>>, String> {
        let length = 1 + self.random.below(LONGEST);
        let mut executed = Vec::new();
        let mut spent = Tally::default();
        while self.machine.registers().0[0] != self.end {
            let address = self.machine.registers().0[0];
            let instruction = self.machine.instruction(address);
            // V after RRC is not comparable: the next instruction sets it again.
            let is_rrc = matches!(instruction.kind, Kind::One { unary: Unary::Rrc, .. });
            let outcome = self.machine.step();
            if outcome.exit != Exit::Returned {
                return Err(format!("{:?} at {address:#06x}: {instruction}", outcome.exit));
            }
            *self.kinds.entry(kind(&instruction)).or_default() += 1;
            spent.instructions += 1;
            spent.cycles += outcome.cycles;
            self.cycles += outcome.cycles + surcharge(&instruction);
            executed.push(address.into());
            if executed.len() as u32 >= length && !is_rrc {
                break;
            }
        }
        if executed.is_empty() {
            return Ok(None);
        }
        self.steps.push(executed.len() as u32);
        let state = Record { registers: self.machine.registers().0, cycles: self.cycles };
        Ok(Some(Stretch { executed, spent, state }))
    }

    fn replay(&mut self) -> Result<(), String> {
        let (records, after) = peer::run(&self.words, &self.ram, &self.steps, (FLASH, RAM.0))?;
        self.records = records.into_iter();
        self.after = after;
        Ok(())
    }

    fn theirs(&mut self, _ours: &Record) -> Result<Record, String> {
        self.records.next().ok_or_else(|| "mspdebug gave too few states".to_owned())
    }

    fn memory(&mut self) -> Result<Option<Memory>, String> {
        let mut ours = vec![0; self.ram.len()];
        self.machine.read(RAM.0.into(), &mut ours).map_err(|error| format!("{error:?}"))?;
        Ok(Some(Memory { address: RAM.0.into(), ours, theirs: std::mem::take(&mut self.after) }))
    }

    fn instruction(&self, address: u32) -> String {
        self.machine.instruction(address as u16).to_string()
    }
}

/// Cycles that mspdebug 0.22 charges beyond the manual: it takes a constant for what its addressing
/// mode is with other registers.
fn surcharge(instruction: &Instruction) -> u64 {
    let Kind::Two { source: Operand::Constant(value), target, .. } = instruction.kind else {
        return match instruction.kind {
            Kind::One { unary: Unary::Push, operand: Operand::Constant(value), .. } => match mode(value) {
                0 => 0,
                2 => 1,
                _ => 2,
            },
            _ => 0,
        };
    };
    let to_pc = target == Operand::Register(0);
    match (mode(value), to_pc) {
        (0, _) | (2, true) => 0,
        (1, false) => 2,
        _ => 1,
    }
}

/// The addressing mode that a constant is made by (SLAU049, table 3-2).
fn mode(constant: u16) -> u16 {
    match constant {
        0 => 0,
        1 => 1,
        2 | 4 => 2,
        // 8 and -1.
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
        Kind::Extended(extended) => extended.name(),
        Kind::Undefined(_) => "undefined".into(),
    }
}
