//! A call of a program on a core: its first trace, and all others.

use std::collections::HashMap;

use pennyweight_machine::{FaultKind, RandomSource};

use super::core::{Receiver, Source, Traceable};
use super::tracker::Tracker;
use super::window::Open;
use crate::experiment::{Divergence, Generator, Input, Setup, Traced, Worker};
use crate::places::{Change, Place};
use crate::random::Random;

/// Cycles for start-up; instructions where start-up is traced.
pub const START_UP: u64 = 100_000_000;

/// The most changes of a trace; more would need gigabytes.
const MOST_CHANGES: usize = 8_000_000;

/// A call of a program.
pub struct Program<C: Traceable> {
    core: C,
    inputs: Vec<Input>,
    generator: Option<Generator>,
    seed: u64,
    instructions: Vec<C::Instruction>,
    /// A trace: numbers of instructions, and whether their changes are recorded.
    steps: Vec<(u32, bool)>,
    changes: Vec<Change>,
    /// Random words that a trace draws.
    words: u32,
}

impl<C: Traceable> Program<C> {
    /// Calls the function for the first time, and follows the call.
    ///
    /// # Errors
    /// One sentence.
    pub fn new(mut core: C, setup: &Setup<'_>) -> Result<Self, String> {
        let mut prepare = |address, bytes: &[u8]| {
            let outside = |_| "the buffers of the call lie outside the board's RAM".to_owned();
            core.prepare(address, bytes).map_err(outside)
        };
        for (address, bytes) in &setup.memory {
            prepare(*address, bytes)?;
        }
        for input in &setup.inputs {
            prepare(input.address, &input.fixed)?;
        }
        if let Some(Generator { variable, .. }) = setup.generator {
            prepare(variable, &[0; 4])?;
        }
        let mut program = Program {
            core,
            inputs: setup.inputs.clone(),
            generator: setup.generator,
            seed: setup.seed,
            instructions: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
            words: 0,
        };
        program.follow(setup)?;
        Ok(program)
    }

    /// The first trace.
    fn follow(&mut self, setup: &Setup<'_>) -> Result<(), String> {
        // Instructions by their addresses.
        let mut known: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut tracker = Tracker::default();
        for input in &self.inputs {
            tracker.input(input.address, input.fixed.len() as u32);
        }
        let mut state = self.core.state();
        let (_, mut random) = self.begin(0, &mut state);
        let mut calls = 0..self.core.calls();
        let mut open = Open::new(setup.window);
        let mut instructions: Vec<C::Instruction> = Vec::new();
        let mut steps: Vec<(u32, bool)> = Vec::new();
        loop {
            if self.core.returned(&state) {
                let Some(call) = calls.next() else { break };
                self.core.enter(&mut state, call);
                tracker.enter();
            }
            if steps.len() as u64 >= setup.budget {
                return Err(format!("the call does not return within {} instructions", setup.budget));
            }
            if tracker.changes.len() > MOST_CHANGES {
                return Err("the call is too long; use shorter lengths or select a function".to_owned());
            }
            let examined = calls.is_empty();
            if examined && !open.is_open_at(&self.core, &state) {
                break;
            }
            if self.draw(&mut state, &mut random) {
                tracker.random_word(self.generator.map_or(0, |generator| generator.variable));
            }
            let pc = self.core.position(&state).pc;
            let here = known.entry(pc).or_default();
            let is_next = |&&number: &&u32| self.core.is_next(&state, &instructions[number as usize]);
            let number = match here.iter().find(is_next) {
                Some(&number) => number,
                None => {
                    let decoded = self.core.decode(&state);
                    instructions.push(decoded.ok_or_else(|| format!("there is no code at {pc:#x}"))?);
                    here.push(instructions.len() as u32 - 1);
                    instructions.len() as u32 - 1
                }
            };
            tracker.now = steps.len() as u32;
            tracker.recording = examined && open.recording;
            steps.push((number, tracker.recording));
            self.core
                .step(&mut state, &instructions[number as usize], &mut tracker)
                .map_err(|fault| crash(pc, fault, setup.board.random))?;
        }
        if setup.window.is_some() && open.calls == 0 {
            return Err("the selected function is not called".to_owned());
        }
        (self.instructions, self.steps) = (instructions, steps);
        (self.changes, self.words) = (tracker.changes, tracker.words);
        Ok(())
    }

    /// Makes `state` that of the beginning of trace `number`; returns the trace's group and generator.
    fn begin(&self, number: u64, state: &mut C::State) -> (bool, Random) {
        let mut random = Random::new(self.seed, number);
        let is_random = random.word() & 1 != 0;
        self.core.reset(state);
        for input in self.inputs.iter().filter(|_| is_random) {
            self.core.write(state, input.address, &random.bytes(input.fixed.len()));
        }
        (is_random, random)
    }

    /// Draws a random word for the program if it calls for one.
    fn draw(&self, state: &mut C::State, random: &mut Random) -> bool {
        let Some(Generator { function, variable }) = self.generator else { return false };
        let calls = self.core.position(state).pc == function & !1;
        if calls {
            self.core.write(state, variable, &random.word().to_le_bytes());
        }
        calls
    }

    fn address(&self, number: u32) -> u32 {
        C::address(&self.instructions[number as usize])
    }

    /// Runs a trace, whose samples are added to `trace`; returns whether it belongs to the random group.
    fn run(&self, number: u64, state: &mut C::State, trace: &mut Vec<u8>) -> Result<bool, Divergence> {
        let (is_random, mut random) = self.begin(number, state);
        let mut calls = 0..self.core.calls();
        let mut last = self.steps.first().map_or(0, |&(first, _)| self.address(first));
        for &(index, recording) in &self.steps {
            let instruction = &self.instructions[index as usize];
            if self.core.returned(state) {
                if let Some(call) = calls.next() {
                    self.core.enter(state, call);
                }
            }
            if !self.core.is_next(state, instruction) {
                return Err(Divergence { trace: number, pc: last });
            }
            last = C::address(instruction);
            self.draw(state, &mut random);
            let mut samples = Samples { trace, recording };
            self.core
                .step(state, instruction, &mut samples)
                .map_err(|_| Divergence { trace: number, pc: last })?;
        }
        if trace.len() != 2 * self.changes.len() {
            return Err(Divergence { trace: number, pc: last });
        }
        Ok(is_random)
    }
}

/// The sentence on a fault at `pc`. No trace has the registers of the part's generator, which `random` is.
fn crash(pc: u32, fault: FaultKind, random: Option<RandomSource>) -> String {
    if let (FaultKind::Unmapped { address, .. }, Some(source)) = (fault, random) {
        if [source.status, source.data].iter().any(|register| address & !3 == register & !3) {
            return format!(
                "the code at {pc:#x} accesses a register of the random number generator, {address:#x}, which \
                 this check does not simulate; call pw_random32() of \"pennyweight/random.h\" instead"
            );
        }
    }
    format!("the call crashes at {pc:#x}: {}", fault.describe(None))
}

impl<C: Traceable> Traced for Program<C> {
    fn addresses(&self) -> Vec<u32> {
        self.steps.iter().map(|&(number, _)| self.address(number)).collect()
    }

    fn examined(&self) -> usize {
        self.steps.iter().filter(|&&(_, recording)| recording).count()
    }

    fn words(&self) -> u32 {
        self.words
    }

    fn changes(&self) -> &[Change] {
        &self.changes
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Running { program: self, state: self.core.state(), trace: Vec::new() })
    }
}

/// A thread's traces.
struct Running<'p, C: Traceable> {
    program: &'p Program<C>,
    state: C::State,
    trace: Vec<u8>,
}

impl<C: Traceable> Worker for Running<'_, C> {
    fn run(&mut self, number: u64) -> Result<bool, Divergence> {
        self.trace.clear();
        self.program.run(number, &mut self.state, &mut self.trace)
    }

    fn trace(&self) -> &[u8] {
        &self.trace
    }
}

/// Takes two samples of each change.
struct Samples<'a> {
    trace: &'a mut Vec<u8>,
    recording: bool,
}

impl Receiver for Samples<'_> {
    #[inline]
    fn change(&mut self, place: Place, _: Option<u8>, old: u32, new: u32, _: Source) {
        if self.recording {
            self.trace.extend(place.samples(old, new));
        }
    }
}
