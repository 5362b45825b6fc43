//! Pennyweight and mspdebug, side by side.

use std::collections::BTreeMap;

use pennyweight_machine::account::Tally;
use pennyweight_machine::Outcome;
use pennyweight_machine::{Exit, Machine};
use pennyweight_msp430::{
    Alu, Extended, Instruction, Kind, Msp430Machine, Msp430xMachine, Operand, Registers, Rotation, Size,
    Unary,
};

use super::peer::{self, Record};
use super::{board, stream, Set, FLASH};
use crate::lockstep::{Driver, Memory, Session, Stretch};
use crate::random::Random;

#[cfg(feature = "translator")]
mod whole;
#[cfg(not(feature = "translator"))]
mod whole {
    use pennyweight_machine::account::Tally;

    /// Without the translator, nothing is compared.
    pub fn translated(_: &super::Running<'_>, _: Tally) -> Result<u64, String> {
        Ok(0)
    }
}

/// Instructions between two points of comparison, at most.
const LONGEST: u32 = 8;

/// What a session needs of a machine with either CPU.
trait Side: Machine {
    /// All registers.
    fn all(&self) -> [u32; 16];
    /// Begins at an address, with zeros in all registers.
    fn begin(&mut self, address: u16);
    /// Executes an instruction.
    fn execute(&mut self) -> Outcome;
    /// The instruction at an address.
    fn decoded(&self, address: u16) -> Instruction;
}

macro_rules! side {
    ($machine:ty) => {
        impl Side for $machine {
            fn all(&self) -> [u32; 16] {
                self.registers().0.map(u32::from)
            }

            fn begin(&mut self, address: u16) {
                let mut registers = Registers([0; 16]);
                registers.0[0] = address.into();
                self.set_registers(&registers);
            }

            fn execute(&mut self) -> Outcome {
                self.step()
            }

            fn decoded(&self, address: u16) -> Instruction {
                self.instruction(address)
            }
        }
    };
}
side!(Msp430Machine);
side!(Msp430xMachine);

/// A CPU compared with mspdebug's.
#[derive(Debug)]
pub struct Msp430Lockstep {
    set: Set,
    /// How often each kind of instruction was executed: operation, size and addressing modes.
    kinds: BTreeMap<String, u64>,
    /// How often translated code ran.
    translated: u64,
}

impl Msp430Lockstep {
    /// Nothing compared yet.
    #[must_use]
    pub fn of(set: Set) -> Self {
        Msp430Lockstep { set, kinds: BTreeMap::new(), translated: 0 }
    }
}

impl Driver for Msp430Lockstep {
    type Session<'a> = Running<'a>;

    fn peer(&self) -> String {
        "mspdebug".into()
    }

    fn begin(&mut self, seed: u64, _short: bool) -> Result<Running<'_>, String> {
        let mut random = Random::new(seed);
        let (set, ram) = (self.set, self.set.ram());
        let words = stream::program(&mut random, set);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let content: Vec<u8> = (ram.0..ram.1).map(|_| random.next() as u8).collect();
        let board = board(set);
        let made: Result<Box<dyn Side>, _> = match set {
            Set::Original => Msp430Machine::with_flash(&board, &bytes).map(|machine| Box::new(machine) as _),
            _ => Msp430xMachine::with_flash(&board, &bytes).map(|machine| Box::new(machine) as _),
        };
        let mut machine = made.map_err(|error| error.to_string())?;
        machine.write(ram.0.into(), &content).map_err(|error| format!("{error:?}"))?;
        machine.begin(FLASH);
        let end = FLASH + 2 * (words.len() as u16 - 1);
        Ok(Running {
            set,
            kinds: &mut self.kinds,
            translated: &mut self.translated,
            machine,
            random,
            words,
            ram: content,
            end,
            cycles: 0,
            steps: Vec::new(),
            records: Vec::new().into_iter(),
            after: Vec::new(),
        })
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![format!("{} kinds of instructions", self.kinds.len())];
        if self.set == Set::Shared {
            remarks.push(
                "this mspdebug has no CPUX (0.26 has): the original CPU's instructions, without cycles"
                    .into(),
            );
        }
        if self.translated > 0 {
            let runs = self.translated;
            remarks.push(format!("every program ended the same in translated code, entered {runs} times"));
        }
        remarks
    }
}

/// A program under way. mspdebug runs it as a whole, after Pennyweight, and stops where Pennyweight did.
pub struct Running<'a> {
    set: Set,
    kinds: &'a mut BTreeMap<String, u64>,
    translated: &'a mut u64,
    machine: Box<dyn Side>,
    random: Random,
    words: Vec<u16>,
    /// RAM at the start.
    ram: Vec<u8>,
    /// The address of the last instruction.
    end: u16,
    /// Pennyweight's, where mspdebug differs from the manual as it charges them.
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
        while self.machine.all()[0] != u32::from(self.end) {
            let address = self.machine.all()[0] as u16;
            let instruction = self.machine.decoded(address);
            // Where flags are not comparable, the next instruction sets them again.
            let is_open = self.leaves_flags(&instruction);
            let outcome = self.machine.execute();
            if outcome.exit != Exit::Returned {
                return Err(format!("{:?} at {address:#06x}: {instruction}", outcome.exit));
            }
            *self.kinds.entry(kind(&instruction)).or_default() += 1;
            spent.instructions += 1;
            spent.cycles += outcome.cycles;
            self.cycles = match self.set {
                Set::Original => self.cycles + outcome.cycles + surcharge(&instruction),
                Set::Shared => 0,
                Set::Cpux => (self.cycles + outcome.cycles).wrapping_add_signed(cpux_surcharge(&instruction)),
            };
            executed.push(address.into());
            if executed.len() as u32 >= length && !is_open {
                break;
            }
        }
        if executed.is_empty() {
            return Ok(None);
        }
        self.steps.push(executed.len() as u32);
        let registers = self.machine.all().map(|value| value & self.mask());
        let state = Record { registers, cycles: self.cycles };
        Ok(Some(Stretch { executed, spent, state }))
    }

    fn replay(&mut self) -> Result<(), String> {
        let place = (FLASH, self.set.ram().0);
        let (mut records, after) =
            peer::run(&self.words, &self.ram, &self.steps, place, self.set == Set::Cpux)?;
        if self.set == Set::Shared {
            records.iter_mut().for_each(|record| record.cycles = 0);
        }
        self.records = records.into_iter();
        self.after = after;
        Ok(())
    }

    fn theirs(&mut self, _ours: &Record) -> Result<Record, String> {
        self.records.next().ok_or_else(|| "mspdebug gave too few states".to_owned())
    }

    fn memory(&mut self) -> Result<Option<Memory>, String> {
        let (address, mut ours) = (self.set.ram().0.into(), vec![0; self.ram.len()]);
        self.machine.read(address, &mut ours).map_err(|error| format!("{error:?}"))?;
        Ok(Some(Memory { address, ours, theirs: std::mem::take(&mut self.after) }))
    }

    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        *self.translated += whole::translated(self, steps)?;
        Ok(())
    }

    fn instruction(&self, address: u32) -> String {
        self.machine.decoded(address as u16).to_string()
    }
}

impl Running<'_> {
    /// The bits of registers that both sides have.
    fn mask(&self) -> u32 {
        if self.set == Set::Cpux {
            0xf_ffff
        } else {
            0xffff
        }
    }

    /// Does an instruction leave flags that are not comparable?
    fn leaves_flags(&self, instruction: &Instruction) -> bool {
        match instruction.kind {
            Kind::One { unary: Unary::Rrc, .. } => true,
            Kind::Two { alu: Alu::Dadd, .. } | Kind::Extended(Extended::Two { alu: Alu::Dadd, .. }) => {
                self.set == Set::Cpux
            }
            Kind::Extended(Extended::Address(alu, ..)) => alu != Alu::Add,
            Kind::Extended(Extended::Rotate { rotation, .. }) => rotation == Rotation::Rlam,
            _ => false,
        }
    }
}

/// Cycles that mspdebug's CPUX charges beyond the manual's: see the module's documentation. It takes a constant
/// for what its addressing mode is with other registers.
fn cpux_surcharge(instruction: &Instruction) -> i64 {
    let is_quick = |alu| matches!(alu, Alu::Mov | Alu::Add | Alu::Sub);
    match instruction.kind {
        Kind::Two { alu, source, target, .. } => {
            let to_pc = target == Operand::Register(0) && is_quick(alu);
            constant(source, |mode| [0, 2, 1, 1][mode]) - i64::from(to_pc)
        }
        Kind::One { unary: Unary::Push, operand, .. } => constant(operand, |mode| [0, 1, 0, 0][mode]),
        Kind::Extended(Extended::Two { size, source, .. }) => {
            let long = i64::from(size == Size::Address);
            constant(source, |mode| [0, 2 + long, 1 + long, 1 + long][mode])
        }
        Kind::Extended(Extended::One { unary: Unary::Push, size, operand, .. }) => match (operand, size) {
            (Operand::Constant(_), Size::Address) => constant(operand, |mode| [0, 3, 1, 1][mode]),
            (Operand::Constant(_), _) => constant(operand, |mode| [0, 1, 0, 0][mode]),
            (Operand::Indexed(1, _), Size::Address) => 0,
            (Operand::Indexed(1, _), _) => -1,
            (Operand::Indexed(..) | Operand::Symbolic(_) | Operand::Absolute(_), Size::Address) => 1,
            _ => 0,
        },
        Kind::Extended(Extended::Address(_, Operand::Immediate(_), register)) if register != 0 => -1,
        Kind::Extended(Extended::PushMany(_, count, _) | Extended::PopMany(_, count, _)) => count.into(),
        _ => 0,
    }
}

/// What a constant of the generators costs, by the addressing mode that makes it.
fn constant<N: Into<u32>>(operand: Operand<N>, cost: impl Fn(usize) -> i64) -> i64 {
    match operand {
        Operand::Constant(value) => cost(usize::from(mode(value.into() as u16))),
        _ => 0,
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

/// The addressing mode.
fn form<N>(operand: &Operand<N>) -> String {
    match operand {
        Operand::Register(n @ 0..=3) => format!("R{n}"),
        Operand::Register(_) => "Rn".into(),
        Operand::Constant(_) => "#c".into(),
        Operand::Immediate(_) => "#N".into(),
        Operand::Indexed(..) => "X(Rn)".into(),
        Operand::Symbolic(_) => "ADDR".into(),
        Operand::Absolute(_) => "&ADDR".into(),
        Operand::Indirect(_) => "@Rn".into(),
        Operand::Increment(_) => "@Rn+".into(),
    }
}

/// Operation, size and modes.
fn kind(instruction: &Instruction) -> String {
    let of = |operand: Operand| form(&operand);
    match instruction.kind {
        Kind::Two { alu, byte, source, target } => format!("{alu:?} {byte} {} {}", of(source), of(target)),
        Kind::One { unary, byte, operand } => format!("{unary:?} {byte} {}", of(operand)),
        Kind::Jump(condition, _) => format!("{condition:?}"),
        Kind::Reti => "Reti".into(),
        Kind::Extended(extended) => {
            let forms = match extended {
                Extended::Two { source, target, .. } | Extended::Move(source, target) => {
                    form(&source) + " " + &form(&target)
                }
                Extended::One { operand, .. }
                | Extended::Call(operand)
                | Extended::Address(_, operand, _) => form(&operand),
                _ => String::new(),
            };
            format!("{} {forms}", extended.name())
        }
        Kind::Undefined(_) => "undefined".into(),
    }
}
