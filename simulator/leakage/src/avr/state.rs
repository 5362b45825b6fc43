//! The latches and the bus of a core in a run, and what each instruction changes.

use pennyweight_avr::{AvrMachine, Run};
use pennyweight_machine::FaultKind;

use super::models::Model;
use super::operands::{Operand, Operands};
use crate::places::Place;
use crate::traced::{Accessed, Receiver, Source};

/// An instruction of a run.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// Its address.
    pub pc: u32,
    /// What it reads and writes.
    pub operands: Operands,
}

/// The latches and buses of a core.
#[derive(Debug, Default)]
pub struct State {
    latches: [u8; 2],
    bus: u8,
    /// Of the current instruction.
    accesses: Vec<Accessed>,
}

impl State {
    /// Empties latches and bus: a call begins.
    pub fn clear(&mut self) {
        (self.latches, self.bus) = Default::default();
    }

    /// Executes the next instruction of `run`, which is `of`.
    ///
    /// # Errors
    /// Its fault.
    pub fn step(
        &mut self,
        of: &Instruction,
        model: &Model,
        machine: &AvrMachine,
        run: &mut Run,
        receiver: &mut impl Receiver,
    ) -> Result<(), FaultKind> {
        let operands = &of.operands;
        let (before, carry) = (run.registers(), run.carry());
        run.step(machine)?;
        self.accesses.clear();
        self.accesses.extend(run.accesses().iter().map(|access| Accessed {
            address: access.address,
            size: 1,
            store: access.store,
            data: access.data.into(),
            old: access.old.into(),
            bus: access.data.into(),
        }));
        receiver.executed(operands, &self.accesses);
        beside(operands.reads, model, &before, receiver);
        for step in operands.latches {
            for (number, operand) in step.into_iter().enumerate() {
                match operand {
                    Operand::Register(register) => {
                        let value = before[usize::from(register)];
                        self.latch(number, value, Source::Register(register), receiver);
                    }
                    Operand::Constant(value) => self.latch(number, value, Source::Constant, receiver),
                    Operand::None => {}
                }
            }
        }
        for (number, access) in run.accesses().iter().enumerate() {
            let old = u32::from(std::mem::replace(&mut self.bus, access.data));
            let source = if access.store { Source::Stored(number) } else { Source::Loaded(number) };
            receiver.change(Place::DataBus, None, old, access.data.into(), source);
            if access.store && access.sram {
                receiver.change(Place::Memory, None, access.old.into(), access.data.into(), source);
            }
        }
        let written = operands.written();
        if written != 0 {
            let after = run.registers();
            for number in bits(written) {
                let (old, new) = (before[usize::from(number)], after[usize::from(number)]);
                let source = Source::Result(number);
                receiver.change(Place::Register, Some(number), old.into(), new.into(), source);
            }
            beside(operands.writes, model, &after, receiver);
        }
        if let Some(comparison) = operands.comparison {
            let subtracted = match comparison.operand {
                Operand::Register(register) => before[usize::from(register)],
                Operand::Constant(value) => value,
                Operand::None => 0,
            };
            let difference = before[usize::from(comparison.register)]
                .wrapping_sub(subtracted)
                .wrapping_sub((comparison.with_carry && carry).into());
            receiver.change(Place::Result, None, 0, difference.into(), Source::Flags);
        }
        Ok(())
    }

    fn latch(&mut self, number: usize, value: u8, source: Source, receiver: &mut impl Receiver) {
        let place = if number == 0 { Place::Operand1 } else { Place::Operand2 };
        let old = std::mem::replace(&mut self.latches[number], value);
        receiver.change(place, None, old.into(), value.into(), source);
    }
}

/// Reports these registers, which are accessed, together with their neighbours.
fn beside(accessed: u32, model: &Model, values: &[u8; 32], receiver: &mut impl Receiver) {
    for register in bits(accessed) {
        let value = values[usize::from(register)].into();
        for neighbour in bits(model.neighbours[usize::from(register)]) {
            let other = values[usize::from(neighbour)].into();
            let place = Place::Neighbour(neighbour);
            receiver.change(place, Some(register), other, value, Source::Register(register));
        }
    }
}

/// The numbers of the bits that are set, from the lowest on.
fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests;
