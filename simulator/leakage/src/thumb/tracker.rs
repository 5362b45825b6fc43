//! Follows values through the first trace: who put them where, and what they were made of.

use std::collections::HashMap;

use pennyweight_thumb::registers::{Reg, Registers};

use super::bus::Accessed;
use super::operands::Operands;
use super::state::{Receiver, Source};
use crate::places::{Change, Label, Origin, Place};

/// The values in all places.
#[derive(Debug, Default)]
pub struct Tracker {
    /// The number of the instruction.
    pub now: u32,
    /// Are changes recorded?
    pub recording: bool,
    /// Those that were.
    pub changes: Vec<Change>,
    registers: [Origin; 16],
    latches: [Origin; 2],
    read_bus: Origin,
    write_bus: Origin,
    flags: Label,
    /// The last store to a word.
    cells: HashMap<u32, Origin>,
    /// Labels of bytes.
    labels: HashMap<u32, Label>,
    words: u32,
    // Of the current instruction:
    before: Registers,
    reads: u16,
    accesses: Vec<Accessed>,
    result: Label,
}

impl Tracker {
    /// Another call begins: registers, latches and buses no longer hold values of the last one.
    pub fn enter(&mut self) {
        self.registers = Default::default();
        self.latches = Default::default();
        (self.read_bus, self.write_bus) = Default::default();
        self.flags = Label::default();
    }

    /// The bytes of an input that varies.
    pub fn input(&mut self, address: u32, size: u32) {
        self.mark(address, size, Label::INPUT);
    }

    /// Marks a new random word at `address`.
    pub fn random_word(&mut self, address: u32) {
        self.mark(address, 4, Label::word(self.words));
        self.words = self.words.saturating_add(1);
    }

    fn mark(&mut self, address: u32, size: u32, label: Label) {
        for byte in 0..size {
            self.labels.insert(address.wrapping_add(byte), label);
        }
    }

    fn label(&self, address: u32, size: u32) -> Label {
        let bytes = (0..size).filter_map(|byte| self.labels.get(&address.wrapping_add(byte)));
        bytes.fold(Label::default(), |all, &label| all.and(label))
    }

    /// The register whose value an access stores, as far as the values show.
    fn stored(&self, access: &Accessed) -> Option<u8> {
        let mask = u32::MAX >> (32 - 8 * access.size);
        (0..15u8)
            .rev()
            .filter(|number| self.reads >> number & 1 != 0)
            .find(|&number| self.before[Reg::from_bits(number.into())] & mask == access.data)
    }

    /// A value in memory before the current instruction.
    fn in_memory(&self, access: &Accessed) -> Origin {
        let made = self.cells.get(&(access.address & !3)).and_then(|cell| cell.made);
        let (address, label) = (Some(access.address), self.label(access.address, access.size));
        Origin { set: Some(self.now), made, register: None, address, label }
    }

    fn origin(&self, source: Source, new: u32) -> Origin {
        let now = Some(self.now);
        let access = |number: usize| self.accesses.get(number);
        match source {
            Source::Constant => Origin { set: now, made: now, ..Origin::default() },
            Source::Flags => Origin { set: now, made: now, label: self.result, ..Origin::default() },
            Source::Register(number) => {
                Origin { set: now, register: Some(number), ..self.registers[usize::from(number & 15)] }
            }
            Source::Loaded(number) | Source::Overwritten(number) => {
                access(number).map(|access| self.in_memory(access)).unwrap_or_default()
            }
            Source::Stored(number) => {
                let Some(access) = access(number) else { return Origin::default() };
                let address = Some(access.address);
                match self.stored(access) {
                    Some(register) => {
                        let from = self.registers[usize::from(register & 15)];
                        Origin { set: now, register: Some(register), address, ..from }
                    }
                    None => Origin { set: now, made: now, register: None, address, label: self.result },
                }
            }
            Source::Result(number) => {
                let loaded = self.accesses.iter().filter(|access| !access.store);
                let from = loaded.clone().find(|access| access.data == new).or(loaded.clone().next());
                let label = match (from, loaded.count()) {
                    (Some(access), 2..) => self.in_memory(access).label,
                    _ => self.result,
                };
                let address = from.map(|access| access.address);
                Origin { set: now, made: now, register: Some(number), address, label }
            }
        }
    }
}

impl Receiver for Tracker {
    fn executed(&mut self, operands: &Operands, before: &Registers, accesses: &[Accessed]) {
        self.before = *before;
        self.reads = operands.reads;
        self.accesses.clear();
        self.accesses.extend_from_slice(accesses);
        let mut result = if operands.reads_flags { self.flags } else { Label::default() };
        for number in (0..15).filter(|number| operands.reads >> number & 1 != 0) {
            result = result.and(self.registers[number].label);
        }
        for access in accesses.iter().filter(|access| !access.store) {
            result = result.and(self.label(access.address, access.size));
        }
        self.result = result;
        if operands.sets_flags {
            self.flags = result;
        }
    }

    fn change(&mut self, place: Place, register: Option<u8>, _: u32, new: u32, source: Source) {
        let origin = self.origin(source, new);
        let old = match (place, source) {
            (Place::Register, _) => {
                let number = usize::from(register.unwrap_or_default() & 15);
                std::mem::replace(&mut self.registers[number], origin)
            }
            (Place::Operand1, _) => std::mem::replace(&mut self.latches[0], origin),
            (Place::Operand2, _) => std::mem::replace(&mut self.latches[1], origin),
            (Place::ReadBus, _) => std::mem::replace(&mut self.read_bus, origin),
            (Place::WriteBus, _) => std::mem::replace(&mut self.write_bus, origin),
            (Place::Memory, Source::Stored(number)) => {
                let Some(access) = self.accesses.get(number).copied() else { return };
                let label = self.label(access.address, access.size);
                let before = self.cells.insert(access.address & !3, origin).unwrap_or_default();
                self.mark(access.address, access.size, origin.label);
                Origin { address: Some(access.address), label, ..before }
            }
            (Place::Memory | Place::Result, _) => Origin::default(),
        };
        if self.recording {
            self.changes.push(Change { instruction: self.now, place, register, old, new: origin });
        }
    }
}
