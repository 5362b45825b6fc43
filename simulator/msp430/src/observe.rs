//! Observed calls: one instruction at a time, each reported to an observer.

use std::cell::RefCell;

use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::{Exit, Fault, Observer, Outcome};

use crate::cpu::Cpu;
use crate::eabi;
use crate::effects::{with_multiplier, InstructionEffects};
use crate::execute::{run, Bounds, Stop};
use crate::instruction::{Alu, Extended, Instruction, Kind, Operand, Unary, PC, SP};
use crate::machine::Microcontroller;
use crate::program::INSTRUCTION;

impl<X: Cpu> Microcontroller<X> {
    /// As a run of the program, with the same outcome; accesses to peripherals are not reported.
    pub(crate) fn observe(
        &mut self,
        guard: &Guard,
        budget: u64,
        top: u32,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let mut known: Option<InstructionEffects<X>> = None;
        let mut outcome = Outcome::of(Exit::Returned);
        loop {
            let pc = 2 * self.state.pc as u32;
            let instruction = self.instruction(pc as u16);
            // A straight line may run past the budget, which is checked where a jump is taken.
            let left = budget.saturating_sub(outcome.cycles).min(1 << 31) as u32;
            let bounds = Bounds { map: self.map, cycles: left, top };
            let watch = Noting::new(guard, &seen);
            let ops = &self.program.ops;
            let (stop, spent) =
                run::<_, X, true>(&self.program, ops, &mut self.state, &mut self.flash, watch, &bounds);
            let (cycles, instructions) = (spent % INSTRUCTION, spent / INSTRUCTION);
            outcome.cycles += cycles;
            outcome.instructions += instructions;
            let accesses = seen.take();
            if instructions != 0 {
                if observer.wants_effects() {
                    let effects =
                        known.get_or_insert_with(|| InstructionEffects::new(self)).at(self, pc as usize / 2);
                    match with_multiplier::<X>(&effects, &accesses, &self.state.multiplier) {
                        Some((effects, accesses)) => observer.effects(pc, &effects, &accesses),
                        None => observer.effects(pc, &effects, &accesses),
                    }
                }
                for (address, size, access) in accesses {
                    if address >= X::PERIPHERALS_END {
                        observer.access(address, size, access);
                    }
                }
                observer.instruction(pc, &name(&instruction), cycles as u32);
                self.report_flow(&instruction, observer);
            }
            outcome.exit = match stop {
                Stop::Stepped => continue,
                Stop::Done => Exit::Returned,
                Stop::Fault(kind, pc) => Exit::Fault(Fault { kind, pc: 2 * pc as u32 }),
                Stop::Cycles if outcome.cycles < budget => continue,
                Stop::Cycles => Exit::OutOfCycles { pc: 2 * self.state.pc as u32 },
            };
            break;
        }
        outcome.stack = self.state.watch.high_water();
        outcome.result = eabi::result(self.state.register(eabi::FIRST));
        outcome
    }

    /// Reports where a call or return has led.
    fn report_flow(&self, instruction: &Instruction, observer: &mut dyn Observer) {
        let stack = u32::from(self.state.register(SP));
        match instruction.kind {
            Kind::One { unary: Unary::Call, .. } | Kind::Extended(Extended::Call(_)) => {
                observer.called(2 * self.state.pc as u32, stack)
            }
            _ if is_return(instruction) => observer.returned(stack),
            _ => {}
        }
    }
}

/// RET is MOV @SP+, PC, and RETA is MOVA @SP+, PC.
fn is_return(instruction: &Instruction) -> bool {
    match instruction.kind {
        Kind::Two { alu: Alu::Mov, source, target, .. } => {
            (source, target) == (Operand::Increment(SP), Operand::Register(PC))
        }
        Kind::Extended(Extended::Move(source, target)) => {
            (source, target) == (Operand::Increment(SP), Operand::Register(PC))
        }
        kind => kind == Kind::Reti,
    }
}

/// The operation in the manual's words; BR and RET, which are moves to PC, by their own names.
fn name(instruction: &Instruction) -> String {
    match instruction.kind {
        Kind::Extended(ref extended) => extended.name(),
        _ if is_return(instruction) && instruction.kind != Kind::Reti => "ret".to_owned(),
        Kind::Two { alu: Alu::Mov, target: Operand::Register(PC), .. } => "br".to_owned(),
        Kind::Two { alu, byte, .. } => sized(&format!("{alu:?}"), byte),
        Kind::One { unary, byte, .. } => sized(&format!("{unary:?}"), byte),
        Kind::Jump(condition, _) => sized(&format!("{condition:?}"), false),
        Kind::Reti => "reti".to_owned(),
        Kind::Undefined(_) => "undefined".to_owned(),
    }
}

fn sized(name: &str, byte: bool) -> String {
    name.to_ascii_lowercase() + if byte { ".b" } else { "" }
}
