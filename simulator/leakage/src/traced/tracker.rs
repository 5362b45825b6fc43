//! Follows values through the first trace: who put them where, and what they were made of.

use std::collections::HashMap;

use super::core::{Accessed, Executed, Reads, Receiver, Source};
use crate::places::{Change, Label, Origin, Place};

/// The most registers of a core.
const REGISTERS: usize = 32;

/// The values in all places.
#[derive(Debug, Default)]
pub struct Tracker {
    /// The number of the instruction.
    pub now: u32,
    /// Are changes recorded?
    pub recording: bool,
    /// Those that were.
    pub changes: Vec<Change>,
    registers: [Origin; REGISTERS],
    latches: [Origin; 2],
    read_bus: Origin,
    write_bus: Origin,
    data_bus: Origin,
    flags: [Label; 8],
    /// The last store to a byte.
    cells: HashMap<u32, Origin>,
    /// Labels of bytes.
    labels: HashMap<u32, Label>,
    /// Random words so far.
    pub words: u32,
    // Of the current instruction:
    accesses: Vec<Accessed>,
    /// The register that each access stores.
    stored: Vec<Option<u8>>,
    result: Label,
    /// By register: the operands of its new value, and whether loaded data is one of them.
    results: [(Label, bool); REGISTERS],
}

impl Tracker {
    /// Another call begins: registers, latches and buses no longer hold values of the last one.
    pub fn enter(&mut self) {
        self.registers = Default::default();
        self.latches = Default::default();
        (self.read_bus, self.write_bus, self.data_bus) = Default::default();
        self.flags = Default::default();
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

    /// What a value that is computed from these is made of.
    fn label_of(&self, reads: Reads) -> Label {
        let registers = (0..REGISTERS).filter(|number| reads.registers >> number & 1 != 0);
        let flags = (0..8).filter(|bit| reads.flags >> bit & 1 != 0);
        let labels =
            registers.map(|number| self.registers[number].label).chain(flags.map(|bit| self.flags[bit]));
        let loads = self.accesses.iter().filter(|access| reads.loads && !access.store);
        labels
            .chain(loads.map(|access| self.label(access.address, access.size)))
            .fold(Label::default(), Label::and)
    }

    /// A value in memory before the current instruction.
    fn in_memory(&self, access: &Accessed) -> Origin {
        let made = self.cells.get(&access.address).and_then(|cell| cell.made);
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
                Origin { set: now, register: Some(number), ..self.registers[usize::from(number) % REGISTERS] }
            }
            Source::Loaded(number) | Source::Overwritten(number) => {
                access(number).map(|access| self.in_memory(access)).unwrap_or_default()
            }
            Source::Stored(number) => {
                let Some(access) = access(number) else { return Origin::default() };
                let address = Some(access.address);
                match self.stored.get(number).copied().flatten() {
                    Some(register) => {
                        let from = self.registers[usize::from(register) % REGISTERS];
                        Origin { set: now, register: Some(register), address, ..from }
                    }
                    None => Origin { set: now, made: now, register: None, address, label: self.result },
                }
            }
            Source::Result(number) => {
                let (result, is_loaded) = self.results[usize::from(number) % REGISTERS];
                let loaded = self.accesses.iter().filter(|access| is_loaded && !access.store);
                let from = loaded.clone().find(|access| access.data == new).or(loaded.clone().next());
                let label = match (from, loaded.count()) {
                    (Some(access), 2..) => self.in_memory(access).label,
                    _ => result,
                };
                let address = from.map(|access| access.address);
                Origin { set: now, made: now, register: Some(number), address, label }
            }
        }
    }
}

impl Receiver for Tracker {
    fn executed(&mut self, executed: &impl Executed, accesses: &[Accessed]) {
        self.accesses.clear();
        self.accesses.extend_from_slice(accesses);
        self.stored.clear();
        self.stored.extend(accesses.iter().map(|access| executed.stored(access)));
        self.result = self.label_of(executed.reads());
        for number in 0..REGISTERS {
            let reads = executed.made_of(number as u8);
            self.results[number] = (self.label_of(reads), reads.loads);
        }
        for bit in (0..8).filter(|bit| executed.sets() >> bit & 1 != 0) {
            self.flags[bit] = self.result;
        }
    }

    fn change(&mut self, place: Place, register: Option<u8>, _: u32, new: u32, source: Source) {
        let origin = self.origin(source, new);
        let old = match (place, source) {
            (Place::Register, _) => {
                let number = usize::from(register.unwrap_or_default()) % REGISTERS;
                std::mem::replace(&mut self.registers[number], origin)
            }
            (Place::Operand1, _) => std::mem::replace(&mut self.latches[0], origin),
            (Place::Operand2, _) => std::mem::replace(&mut self.latches[1], origin),
            (Place::ReadBus, _) => std::mem::replace(&mut self.read_bus, origin),
            (Place::WriteBus, _) => std::mem::replace(&mut self.write_bus, origin),
            (Place::DataBus, _) => std::mem::replace(&mut self.data_bus, origin),
            (Place::Neighbour(number), _) => {
                Origin { register: Some(number), ..self.registers[usize::from(number) % REGISTERS] }
            }
            (Place::Memory, Source::Stored(number)) => {
                let Some(access) = self.accesses.get(number).copied() else { return };
                let label = self.label(access.address, access.size);
                let before = self.cells.get(&access.address).copied().unwrap_or_default();
                for byte in 0..access.size {
                    self.cells.insert(access.address.wrapping_add(byte), origin);
                }
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
