//! A call of a program on a core: its first trace, and all others.

use std::collections::HashMap;

use pennyweight_machine::{Arg, Exit, Machine as _};
use pennyweight_machine32::AAPCS;
use pennyweight_memory::bus::Word;
use pennyweight_memory::parts::{flash_contents, Memories};
use pennyweight_thumb::core::Core;
use pennyweight_thumb::program::decode;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::ThumbMachine;

use super::bus::Memory;
use super::models::Modelled;
use super::operands::operands;
use super::state::{Instruction, Receiver, Source, State};
use super::tracker::Tracker;
use crate::experiment::{Divergence, Generator, Input, Setup, Traced, Worker};
use crate::places::{Change, Place};
use crate::random::Random;

/// What LR holds when a called function begins. No part has memory there (DDI 0419, B3.1: System space).
const RETURN: u32 = 0xffff_fffe;

/// Cycles for start-up.
const START_UP: u64 = 100_000_000;

/// The most changes of a trace; more would need gigabytes.
const MOST_CHANGES: usize = 8_000_000;

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

/// A call of a program.
#[derive(Debug)]
pub struct Program<C: Core> {
    memories: Memories,
    /// The calls of a trace, of which the last one is examined.
    entries: Vec<Entry>,
    inputs: Vec<Input>,
    generator: Option<Generator>,
    seed: u64,
    instructions: Vec<Instruction<C>>,
    /// A trace: numbers of instructions, and whether their changes are recorded.
    steps: Vec<(u32, bool)>,
    changes: Vec<Change>,
}

impl<C: Modelled> Program<C> {
    /// Boots the board, calls the function for the first time, and follows the call.
    ///
    /// # Errors
    /// One sentence.
    pub fn new(setup: &Setup<'_>) -> Result<Self, String> {
        let (memories, booted) = booted::<C>(setup)?;
        let before = setup.before.iter().map(|(function, args)| (*function, args.as_slice()));
        let entries: Vec<Entry> = before
            .chain([(setup.function, setup.args.as_slice())])
            .map(|(function, args)| Entry::new(&booted, function, args))
            .collect();
        let mut program = Program {
            memories,
            entries,
            inputs: setup.inputs.clone(),
            generator: setup.generator,
            seed: setup.seed,
            instructions: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
        };
        let outside = |_| "the buffers of the call lie outside the board's RAM".to_owned();
        for (address, bytes) in &setup.memory {
            program.memories.write(*address, bytes).map_err(outside)?;
        }
        for input in &setup.inputs {
            program.memories.write(input.address, &input.fixed).map_err(outside)?;
        }
        if let Some(Generator { variable, .. }) = setup.generator {
            program.memories.write(variable, &[0; 4]).map_err(outside)?;
        }
        program.follow(setup)?;
        Ok(program)
    }

    /// The first trace.
    fn follow(&mut self, setup: &Setup<'_>) -> Result<(), String> {
        let mut known: HashMap<(u32, bool, bool), u32> = HashMap::new();
        let mut tracker = Tracker::default();
        for input in &self.inputs {
            tracker.input(input.address, input.fixed.len() as u32);
        }
        let mut ram = Vec::new();
        let (_, mut random) = self.begin(0, &mut ram);
        let mut memory = self.memory(&mut ram);
        let mut entries = self.entries.iter();
        let mut state = State::default();
        state.core.pc = RETURN;
        let mut open = Open::new(setup);
        let mut instructions: Vec<Instruction<C>> = Vec::new();
        let mut steps: Vec<(u32, bool)> = Vec::new();
        loop {
            if state.core.pc == RETURN {
                let Some(entry) = entries.next() else { break };
                state = self.enter(entry, memory.ram);
                tracker.enter();
            }
            if steps.len() as u64 >= setup.budget {
                return Err(format!("the call does not return within {} instructions", setup.budget));
            }
            if tracker.changes.len() > MOST_CHANGES {
                return Err("the call is too long; use shorter lengths or select a function".to_owned());
            }
            let examined = entries.len() == 0;
            if examined && !open.is_open_at(&state) {
                break;
            }
            if self.draw(&state, &mut random, memory.ram) {
                tracker.random_word(self.generator.map_or(0, |generator| generator.variable));
            }
            let (conditional, executes) = (state.core.it.active(), state.executes());
            let key = (state.core.pc, conditional, executes);
            let number = match known.get(&key) {
                Some(&number) => number,
                None => {
                    let Some(op) = self.decoded(&memory, &state) else {
                        return Err(format!("there is no code at {:#x}", state.core.pc));
                    };
                    let operands = operands::<C>(&op, &C::LEAKAGE);
                    instructions.push(Instruction { pc: state.core.pc, op, operands, conditional, executes });
                    known.insert(key, instructions.len() as u32 - 1);
                    instructions.len() as u32 - 1
                }
            };
            tracker.now = steps.len() as u32;
            tracker.recording = examined && open.recording;
            steps.push((number, tracker.recording));
            let instruction = instructions[number as usize];
            state.step(&instruction, &mut memory, &mut tracker).map_err(|fault| {
                format!("the call crashes at {:#x}: {}", instruction.pc, fault.describe(None))
            })?;
        }
        if setup.window.is_some() && open.calls == 0 {
            return Err("the selected function is not called".to_owned());
        }
        (self.instructions, self.steps) = (instructions, steps);
        self.changes = tracker.changes;
        Ok(())
    }

    fn decoded(&self, memory: &Memory<'_>, state: &State) -> Option<pennyweight_thumb::core::OpOf<C>> {
        let Memories { flash, flash_base, ram_base, .. } = &self.memories;
        let conditional = state.core.it.active();
        decode::<C>(flash, *flash_base, state.core.pc, conditional)
            .or_else(|| decode::<C>(memory.ram, *ram_base, state.core.pc, conditional))
    }

    fn memory<'m>(&'m self, ram: &'m mut [Word]) -> Memory<'m> {
        let Memories { flash, flash_base, ram_base, .. } = &self.memories;
        let (ram_base, flash_base) = (*ram_base, *flash_base);
        Memory { ram, ram_base, flash, flash_base, accesses: Vec::new() }
    }

    /// RAM at the beginning of trace `number`, its group, and its generator.
    fn begin(&self, number: u64, ram: &mut Vec<Word>) -> (bool, Random) {
        let mut random = Random::new(self.seed, number);
        let is_random = random.word() & 1 != 0;
        ram.clear();
        ram.extend_from_slice(&self.memories.ram);
        for input in self.inputs.iter().filter(|_| is_random) {
            let start = input.address.wrapping_sub(self.memories.ram_base) as usize;
            let bytes = random.bytes(input.fixed.len());
            if let Some(place) = ram.as_flattened_mut().get_mut(start..start + bytes.len()) {
                place.copy_from_slice(&bytes);
            }
        }
        (is_random, random)
    }

    /// The state at the beginning of a call, whose arguments are written to the stack.
    fn enter(&self, entry: &Entry, ram: &mut [Word]) -> State {
        let start = entry.stack.wrapping_sub(self.memories.ram_base) as usize;
        let place = start..start + entry.arguments.len();
        if let Some(place) = ram.as_flattened_mut().get_mut(place) {
            place.copy_from_slice(&entry.arguments);
        }
        entry.state
    }

    /// Draws a random word for the program if it calls for one.
    fn draw(&self, state: &State, random: &mut Random, ram: &mut [Word]) -> bool {
        let Some(Generator { function, variable }) = self.generator else { return false };
        if state.core.pc != function & !1 {
            return false;
        }
        let number = variable.wrapping_sub(self.memories.ram_base) >> 2;
        if let Some(word) = ram.get_mut(number as usize) {
            *word = random.word().to_le_bytes();
        }
        true
    }
}

impl<C: Modelled> Traced for Program<C> {
    fn addresses(&self) -> Vec<u32> {
        self.steps.iter().map(|&(number, _)| self.instructions[number as usize].pc).collect()
    }

    fn changes(&self) -> &[Change] {
        &self.changes
    }

    fn run(&self, number: u64, worker: &mut Worker) -> Result<bool, Divergence> {
        let Worker { ram, trace } = worker;
        trace.clear();
        let (is_random, mut random) = self.begin(number, ram);
        let mut memory = self.memory(ram);
        let mut entries = self.entries.iter();
        let mut state = State::default();
        state.core.pc = RETURN;
        let mut last = RETURN;
        for &(index, recording) in &self.steps {
            let instruction = &self.instructions[index as usize];
            if state.core.pc == RETURN {
                if let Some(entry) = entries.next() {
                    state = self.enter(entry, memory.ram);
                }
            }
            let here = Divergence { trace: number, pc: last };
            if state.core.pc != instruction.pc || state.executes() != instruction.executes {
                return Err(here);
            }
            last = state.core.pc;
            self.draw(&state, &mut random, memory.ram);
            let mut samples = Samples { trace, recording };
            state
                .step(instruction, &mut memory, &mut samples)
                .map_err(|_| Divergence { pc: last, ..here })?;
        }
        if trace.len() != 2 * self.changes.len() {
            return Err(Divergence { trace: number, pc: last });
        }
        Ok(is_random)
    }
}

/// Takes two samples of each change.
struct Samples<'a> {
    trace: &'a mut Vec<u8>,
    recording: bool,
}

impl Receiver for Samples<'_> {
    fn change(&mut self, _: Place, _: Option<u8>, old: u32, new: u32, _: Source) {
        if self.recording {
            self.trace.extend([(old ^ new).count_ones() as u8, new.count_ones() as u8]);
        }
    }
}

/// Whether the call is in the examined part.
struct Open {
    window: Option<crate::experiment::Window>,
    recording: bool,
    /// Calls of the function so far.
    calls: u32,
    /// Where the current call returns to, with which stack pointer.
    until: (u32, u32),
}

impl Open {
    fn new(setup: &Setup<'_>) -> Self {
        Open { window: setup.window, recording: setup.window.is_none(), calls: 0, until: (0, 0) }
    }

    /// Notes where the program is; false: the last part is over.
    fn is_open_at(&mut self, state: &State) -> bool {
        let Some(window) = self.window else { return true };
        let stack = state.core.registers[Reg::Sp];
        if self.recording {
            self.recording = (state.core.pc, stack) != self.until;
        }
        if !self.recording {
            if self.calls == window.calls {
                return false;
            }
            if state.core.pc == window.function & !1 {
                self.recording = true;
                self.calls += 1;
                self.until = (state.core.registers[Reg::Lr] & !1, stack);
            }
        }
        true
    }
}

/// Memories and state after start-up.
fn booted<C: Modelled>(setup: &Setup<'_>) -> Result<(Memories, State), String> {
    let mut machine = ThumbMachine::<C>::new(setup.board, setup.image).map_err(|error| error.to_string())?;
    let outcome = machine.boot(setup.ready, START_UP);
    if outcome.exit != Exit::Returned {
        return Err("the start-up code does not end".to_owned());
    }
    let (flash, _) = flash_contents(setup.board, setup.image).map_err(|error| error.to_string())?;
    let mut memories = Memories::new(setup.board, &flash).map_err(|error| error.to_string())?;
    let base = memories.ram_base;
    machine
        .read(base, memories.ram.as_flattened_mut())
        .map_err(|_| "the board's RAM cannot be read".to_owned())?;
    Ok((memories, State::from(*machine.state())))
}
