//! A traced program on a Cortex-M core.

use pennyweight_machine::image::Architecture;
use pennyweight_machine::{Arg, FaultKind};
use pennyweight_machine32::AAPCS;
use pennyweight_memory::bus::Word;
use pennyweight_memory::parts::{flash_contents, Memories};
use pennyweight_thumb::core::OpOf;
use pennyweight_thumb::program::decode;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::run::State as CoreState;

use super::bus::Memory;
use super::models::Modelled;
use super::operands::operands;
use super::state::{Instruction, State};
use crate::experiment::Setup;
use crate::places::Place;
use crate::traced::{Accessed, Outside, Position, Receiver, Source, Traceable, START_UP};

/// What LR holds when a called function begins. No part has memory there (DDI 0419, B3.1: System space).
const RETURN: u32 = 0xffff_fffe;

/// The call of a function: the state with which it begins, and its arguments on the stack.
#[derive(Clone, Debug)]
struct Entry {
    state: State,
    stack: u32,
    arguments: Vec<u8>,
}

impl Entry {
    fn new(booted: &State, function: u32, args: &[Arg]) -> Entry {
        let words = AAPCS.layout(args);
        let arguments: Vec<u8> = words.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut state = *booted;
        let top = state.core.registers[Reg::Sp] & !(AAPCS.stack_alignment - 1);
        let stack = top.wrapping_sub(arguments.len() as u32);
        for (number, &word) in (0..).zip(&words.registers) {
            state.core.registers[Reg::from_bits(number)] = word;
        }
        state.core.registers[Reg::Sp] = stack;
        state.core.registers[Reg::Lr] = RETURN | 1;
        state.core.pc = function & !1;
        Entry { state, stack, arguments }
    }
}

/// A program after its start-up.
#[derive(Debug)]
pub struct ThumbProgram<C> {
    memories: Memories,
    entries: Vec<Entry>,
    core: std::marker::PhantomData<C>,
}

/// A trace.
#[derive(Debug)]
pub struct Running {
    state: State,
    ram: Vec<Word>,
    accesses: Vec<Accessed>,
}

impl<C: Modelled> ThumbProgram<C> {
    /// Boots the board.
    ///
    /// # Errors
    /// One sentence.
    pub fn new(setup: &Setup<'_>) -> Result<Self, String> {
        setup.image.require(Architecture::Arm).map_err(|error| error.to_string())?;
        let (flash, _) = flash_contents(setup.board, setup.image).map_err(|error| error.to_string())?;
        let memories = Memories::new(setup.board, &flash).map_err(|error| error.to_string())?;
        let mut program = ThumbProgram { memories, entries: Vec::new(), core: std::marker::PhantomData };
        let booted = program.boot(setup.ready)?;
        let before = setup.before.iter().map(|(function, args)| (*function, args.as_slice()));
        program.entries = before
            .chain([(setup.function, setup.args.as_slice())])
            .map(|(function, args)| Entry::new(&booted, function, args))
            .collect();
        Ok(program)
    }

    /// Runs from reset until `ready`; RAM is then as start-up leaves it.
    fn boot(&mut self, ready: u32) -> Result<State, String> {
        let mut running = self.state();
        running.state.core = CoreState::at_reset(&self.memories.flash);
        running.state.core.pc &= !1;
        for _ in 0..START_UP {
            if running.state.core.pc == ready & !1 {
                self.memories.ram.copy_from_slice(&running.ram);
                return Ok(State::from(running.state.core));
            }
            let next = self.decode(&running);
            if next.is_none_or(|next| self.step(&mut running, &next, &mut Unseen).is_err()) {
                break;
            }
        }
        Err("the start-up code does not end".to_owned())
    }

    fn decoded(&self, running: &Running) -> Option<OpOf<C>> {
        let Memories { flash, flash_base, ram_base, .. } = &self.memories;
        let (pc, conditional) = (running.state.core.pc, running.state.core.it.active());
        decode::<C>(flash, *flash_base, pc, conditional)
            .or_else(|| decode::<C>(&running.ram, *ram_base, pc, conditional))
    }
}

impl<C: Modelled> Traceable for ThumbProgram<C> {
    type State = Running;
    type Instruction = Instruction<C>;

    fn prepare(&mut self, address: u32, bytes: &[u8]) -> Result<(), Outside> {
        self.memories.write(address, bytes).map_err(|_| Outside)
    }

    fn state(&self) -> Running {
        let mut running = Running { state: State::default(), ram: Vec::new(), accesses: Vec::new() };
        self.reset(&mut running);
        running
    }

    fn reset(&self, running: &mut Running) {
        running.state = State::default();
        running.state.core.pc = RETURN;
        running.ram.clear();
        running.ram.extend_from_slice(&self.memories.ram);
    }

    fn write(&self, running: &mut Running, address: u32, bytes: &[u8]) {
        let start = address.wrapping_sub(self.memories.ram_base) as usize;
        let end = start.saturating_add(bytes.len());
        if let Some(place) = running.ram.as_flattened_mut().get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
    }

    fn calls(&self) -> usize {
        self.entries.len()
    }

    fn enter(&self, running: &mut Running, call: usize) {
        let entry = &self.entries[call];
        self.write(running, entry.stack, &entry.arguments);
        running.state = entry.state;
    }

    fn returned(&self, running: &Running) -> bool {
        running.state.core.pc == RETURN
    }

    fn position(&self, running: &Running) -> Position {
        let core = &running.state.core;
        Position { pc: core.pc, stack: core.registers[Reg::Sp] }
    }

    fn return_position(&self, running: &Running) -> Position {
        let registers = &running.state.core.registers;
        Position { pc: registers[Reg::Lr] & !1, stack: registers[Reg::Sp] }
    }

    fn decode(&self, running: &Running) -> Option<Instruction<C>> {
        let op = self.decoded(running)?;
        let state = &running.state;
        Some(Instruction {
            pc: state.core.pc,
            op,
            operands: operands::<C>(&op, &C::LEAKAGE),
            conditional: state.core.it.active(),
            executes: state.executes(),
        })
    }

    fn address(instruction: &Instruction<C>) -> u32 {
        instruction.pc
    }

    fn is_next(&self, running: &Running, instruction: &Instruction<C>) -> bool {
        let state = &running.state;
        let here = (state.core.pc, state.core.it.active(), state.executes());
        here == (instruction.pc, instruction.conditional, instruction.executes)
    }

    fn step(
        &self,
        running: &mut Running,
        of: &Instruction<C>,
        receiver: &mut impl Receiver,
    ) -> Result<(), FaultKind> {
        let Memories { flash, flash_base, ram_base, .. } = &self.memories;
        let Running { state, ram, accesses } = running;
        let mut memory = Memory { ram, ram_base: *ram_base, flash, flash_base: *flash_base, accesses };
        state.step(of, &mut memory, receiver)
    }
}

/// Takes no samples.
struct Unseen;

impl Receiver for Unseen {
    fn change(&mut self, _: Place, _: Option<u8>, _: u32, _: u32, _: Source) {}
}
