//! Compiled code, and how it is entered and left.

use std::sync::OnceLock;

use pennyweight_machine::guard::{READ_BIT, WRITE_BIT};
use pennyweight_memory::timing::{BusMatrix, FetchState, StreamState};
use wasmtime::{Config, Engine, Instance, Memory, Module, OptLevel, Store, TypedFunc};

use crate::copies::{self, Blocks};
use crate::emit;
use crate::ir::Region;
use crate::layout::{self, Layout, Shape};
use crate::waits::Waits;

/// The state of a machine that translated code works on, except the registers' values, which come as a slice.
#[derive(Debug)]
pub struct State<'a> {
    /// Registers; x0's is not used.
    pub registers: &'a mut [u32],
    /// RAM.
    pub ram: &'a mut [u8],
    /// What is forbidden for each byte of RAM; empty if nothing is.
    pub forbidden: &'a [u8],
    /// Are reads and writes of free stack forbidden?
    pub free_stack: [bool; 2],
    /// The stack's limit and its top.
    pub stack: (u32, u32),
    /// Cycles so far.
    pub cycles: &'a mut u64,
    /// Instructions so far.
    pub instructions: &'a mut u64,
    /// The budget in cycles.
    pub budget: u64,
    /// The lines that the instruction cache holds.
    pub held: &'a mut [u32],
    /// The branch predictor.
    pub predictor: Option<&'a mut Predictor>,
    /// The flash, if it reads ahead line by line; of one with a cache for code and one for data, only the lines.
    pub stream: Option<&'a mut StreamState>,
    /// The flash, if the core fetches ahead behind a cache.
    pub ahead: Option<&'a mut FetchState>,
    /// Flash and RAM, if they are behind a bus matrix.
    pub matrix: Option<&'a mut BusMatrix>,
}

/// The state of a branch predictor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictor {
    /// For each entry of the branch target buffer the address of a jump, its target, and when it was last used.
    pub targets: Vec<(u32, u32, u64)>,
    /// The time of the last use.
    pub clock: u64,
    /// Was the branch taken the last time?
    pub taken: Vec<bool>,
    /// The last branches.
    pub history: u32,
    /// The return-address stack.
    pub returns: Vec<u32>,
    /// Its top.
    pub top: u32,
    /// Its depth.
    pub depth: u32,
}

/// How translated code was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The number of the exit.
    pub exit: usize,
    /// Where a computed jump went.
    pub target: u32,
    /// The lowest offset above the stack's limit that was stored to or that the stack pointer took.
    pub low: u32,
    /// The blocks of RAM that may have changed.
    pub changed: Blocks,
}

/// Code of one region, with its memory.
pub struct Code {
    store: Store<()>,
    memory: Memory,
    run: TypedFunc<(), ()>,
    shape: Shape,
    layout: Layout,
    /// The blocks of RAM that the copy may not have as the machine has them.
    stale: Blocks,
    /// What flash and RAM wait, if they are behind a bus matrix.
    waits: Option<Waits>,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// What compiles code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// Wasmtime's for this host, if it has one.
    #[default]
    Host,
    /// Wasmtime's for a host that it does not support: every attempt fails.
    Unsupported,
}

/// A triple of LLVM that Wasmtime has no compiler for.
const UNSUPPORTED: &str = "sparc64-unknown-linux-gnu";

impl Compiler {
    /// The compiler, which all machines share; `None` if there is none.
    fn engine(self) -> Option<&'static Engine> {
        static ENGINES: [OnceLock<Option<Engine>>; 2] = [const { OnceLock::new() }; 2];
        ENGINES[self as usize].get_or_init(|| self.start()).as_ref()
    }

    fn start(self) -> Option<Engine> {
        let mut config = Config::new();
        if self == Compiler::Unsupported {
            config.target(UNSUPPORTED).ok()?;
        }
        // Compiles two to five times as fast as `Speed`, and the code is as fast: what was hoisted out of
        // blocks would be spilled around them.
        config.cranelift_opt_level(OptLevel::None);
        // No one asks where a trap was.
        config.wasm_backtrace(false);
        Engine::new(&config).ok()
    }
}

/// Bytes of WebAssembly for a region, which its compiler's time is proportional to.
#[must_use]
pub fn size(region: &Region, shape: &Shape, guarded: bool) -> u64 {
    let layout = Layout::new(shape, region.tables.len());
    emit::module(region, shape, &layout, guarded).len() as u64
}

impl Code {
    /// Compiles a region for a machine with `flash`. `None` if `compiler` cannot.
    #[must_use]
    pub fn new(
        compiler: Compiler,
        region: &Region,
        shape: &Shape,
        guarded: bool,
        flash: &[u8],
    ) -> Option<Code> {
        let engine = compiler.engine()?;
        let layout = Layout::new(shape, region.tables.len());
        let module = Module::new(engine, emit::module(region, shape, &layout, guarded)).ok()?;
        let mut store = Store::new(engine, ());
        let instance = Instance::new(&mut store, &module, &[]).ok()?;
        let memory = instance.get_memory(&mut store, emit::MEMORY)?;
        let run = instance.get_typed_func(&mut store, emit::RUN).ok()?;
        let waits = shape.matrix_shift.map(|_| Waits::new(region, shape, &layout));
        let mut code = Code { store, memory, run, shape: *shape, layout, stale: Blocks::ALL, waits };
        code.fill(region, flash)?;
        Some(code)
    }

    /// Writes what does not change: flash, and the tables of targets.
    fn fill(&mut self, region: &Region, flash: &[u8]) -> Option<()> {
        let layout = self.layout;
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        bytes
            .slice(layout.flash, self.shape.flash_size)
            .copy_from_slice(flash.get(..self.shape.flash_size as usize)?);
        for (number, table) in region.tables.iter().enumerate() {
            for place in table {
                if let Some(word) = emit::place_word(place).filter(|_| 4 * place.slot < layout.table_size) {
                    bytes.set(layout.table(number) + 4 * place.slot, word);
                }
            }
        }
        Some(())
    }

    /// These blocks of RAM may have changed since the last run.
    pub fn ram_changed(&mut self, blocks: &Blocks) {
        self.stale.add_all(blocks);
    }

    /// Runs from `block` on. `None`: a check failed, and `state` is unchanged.
    pub fn run(&mut self, block: usize, state: &mut State<'_>) -> Option<Left> {
        self.enter(block, state);
        let has_run = self.enter_matrix(block, state) && self.run.call(&mut self.store, ()).is_ok();
        if !has_run || !self.leave_matrix(state) {
            self.take_changed();
            self.stale = Blocks::ALL;
            return None;
        }
        Some(self.leave(state))
    }

    /// Begins with the waits behind a bus matrix, if there is one. False: there is no room for them.
    fn enter_matrix(&mut self, block: usize, state: &State<'_>) -> bool {
        let (Some(waits), Some(matrix)) = (&mut self.waits, &state.matrix) else { return true };
        waits.enter(block, matrix, &mut Bytes(self.memory.data_mut(&mut self.store)))
    }

    /// The reverse. False: the state in which the code was left is not known.
    fn leave_matrix(&mut self, state: &mut State<'_>) -> bool {
        let (Some(waits), Some(matrix)) = (&mut self.waits, &mut state.matrix) else { return true };
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        let (exit, target) = (bytes.get(layout::EXIT) as usize, bytes.get(layout::TARGET));
        let behind = waits.leave(exit, target, &mut bytes);
        behind.is_some_and(|behind| {
            **matrix = behind;
            true
        })
    }

    /// The blocks of RAM where code stored something; they are forgotten.
    fn take_changed(&mut self) -> Blocks {
        if !self.shape.notes_stores {
            return Blocks::ALL;
        }
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        let mut changed = Blocks::NONE;
        let notes = bytes.slice(self.layout.dirty, self.shape.dirty_size());
        for (number, note) in (0..).zip(notes) {
            if std::mem::take(note) != 0 {
                // A word may be in two blocks.
                changed.add(number << copies::SHIFT, (1 << copies::SHIFT) + 3);
            }
        }
        changed
    }

    fn enter(&mut self, block: usize, state: &State<'_>) {
        let layout = self.layout;
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        for (number, &value) in (0..).zip(&*state.registers) {
            bytes.set(layout::REGISTERS + 4 * number, value);
        }
        bytes.set_long(layout::CYCLES, *state.cycles);
        bytes.set_long(layout::BUDGET, state.budget);
        bytes.set_long(layout::INSTRUCTIONS, *state.instructions);
        bytes.set(layout::LOW, u32::MAX);
        bytes.set(layout::LIMIT, state.stack.0);
        bytes.set(layout::SPAN, state.stack.1.wrapping_sub(state.stack.0));
        let [no_read, no_write] = state.free_stack.map(|forbidden| if forbidden { u32::MAX } else { 0 });
        bytes.set(layout::NO_READ, no_read);
        bytes.set(layout::NO_WRITE, no_write);
        bytes.set(layout::ENTRY, block as u32);
        let ram = bytes.slice(layout.ram, self.shape.ram_size);
        for range in self.stale.ranges(self.shape.ram_size) {
            ram[range.clone()].copy_from_slice(&state.ram[range]);
        }
        self.stale = Blocks::NONE;
        let forbidden = bytes.slice(layout.forbidden, self.shape.ram_size);
        if !state.forbidden.is_empty() && forbidden != state.forbidden {
            forbidden.copy_from_slice(state.forbidden);
        }
        let lines = self.shape.lines();
        for (number, &line) in (0..lines).zip(&*state.held) {
            bytes.set(layout.held + 4 * number, line);
        }
        if let Some(predictor) = &state.predictor {
            self.enter_predictor(predictor);
        }
        if let Some(stream) = &state.stream {
            self.enter_stream(stream, *state.cycles);
        }
        if let Some(ahead) = &state.ahead {
            let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
            let moved = |time: u64| time.wrapping_sub(ahead.now).wrapping_add(*state.cycles);
            bytes.set_long(layout::WORDS_READY, moved(ahead.first_ready).wrapping_sub(ahead.first.into()));
            bytes.set_long(layout::ENTERED, moved(ahead.entered));
            bytes.set(layout::FIRST, ahead.first);
            bytes.set(layout::DATA, ahead.data);
        }
    }

    /// Times become those of a clock that shows `cycles` now.
    fn enter_stream(&mut self, stream: &StreamState, cycles: u64) {
        let (first, count) = (self.shape.first_line(), self.shape.flash_lines());
        let layouts = self.layout.held_lines;
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        let moved = |time: u64| time.wrapping_sub(stream.now).wrapping_add(cycles);
        bytes.set_long(layout::AHEAD_READY, moved(stream.ahead_ready));
        bytes.set_long(layout::FLASH_FREE, moved(stream.flash_free));
        bytes.set(layout::AHEAD, stream.ahead);
        bytes.set(layout::CURRENT, stream.current);
        for ((held, layout), uses) in stream.held.iter().zip(layouts).zip(layout::USES) {
            bytes.set(uses, held.clock);
            let places = |line: u32| Some(line.wrapping_sub(first)).filter(|&number| number < count);
            for (place, (&line, &used)) in (0..).zip(held.lines.iter().zip(&held.used)) {
                bytes.set(layout.used + 4 * place, used);
                let before = bytes.get(layout.lines + 4 * place);
                // What has not moved is noted already. What has may have taken another line's place.
                if let Some(number) = places(before).filter(|_| before != line) {
                    let noted = &mut bytes.slice(layout.places + number, 1)[0];
                    if *noted == place as u8 + 1 {
                        *noted = 0;
                    }
                }
                bytes.set(layout.lines + 4 * place, line);
                if let Some(number) = places(line) {
                    bytes.slice(layout.places + number, 1)[0] = place as u8 + 1;
                }
            }
        }
    }

    fn leave_stream(&mut self, stream: &mut StreamState, cycles: u64) {
        let layouts = self.layout.held_lines;
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        let by = stream.now.wrapping_sub(cycles);
        stream.ahead_ready = bytes.get_long(layout::AHEAD_READY).wrapping_add(by);
        stream.flash_free = bytes.get_long(layout::FLASH_FREE).wrapping_add(by);
        stream.ahead = bytes.get(layout::AHEAD);
        stream.current = bytes.get(layout::CURRENT);
        stream.now = bytes.get_long(layout::CYCLES).wrapping_add(by);
        for ((held, layout), uses) in stream.held.iter_mut().zip(layouts).zip(layout::USES) {
            held.clock = bytes.get(uses);
            for (place, (line, used)) in (0..).zip(held.lines.iter_mut().zip(&mut held.used)) {
                *line = bytes.get(layout.lines + 4 * place);
                *used = bytes.get(layout.used + 4 * place);
            }
        }
    }

    fn enter_predictor(&mut self, predictor: &Predictor) {
        let layout = self.layout;
        let (base, halfwords) = (self.shape.code_base, self.shape.code_size.div_ceil(2));
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        bytes.slice(layout.places, halfwords).fill(0);
        for (number, &(pc, target, used)) in (0..).zip(&predictor.targets) {
            bytes.set(layout.sources + 4 * number, pc);
            bytes.set(layout.targets + 4 * number, target);
            bytes.set_long(layout.used + 8 * number, used);
            let place = pc.wrapping_sub(base) >> 1;
            if pc & 1 == 0 && place < halfwords {
                bytes.slice(layout.places + place, 1)[0] = number as u8 + 1;
            }
        }
        bytes.set_long(layout::CLOCK, predictor.clock);
        for (place, &taken) in
            bytes.slice(layout.taken, predictor.taken.len() as u32).iter_mut().zip(&predictor.taken)
        {
            *place = taken.into();
        }
        bytes.set(layout::HISTORY, predictor.history);
        for (number, &back) in (0..).zip(&predictor.returns) {
            bytes.set(layout.returns + 4 * number, back);
        }
        bytes.set(layout::TOP, predictor.top);
        bytes.set(layout::DEPTH, predictor.depth);
    }

    fn leave(&mut self, state: &mut State<'_>) -> Left {
        let changed = self.take_changed();
        if let Some(stream) = &mut state.stream {
            self.leave_stream(stream, *state.cycles);
        }
        if let Some(ahead) = &mut state.ahead {
            let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
            let by = ahead.now.wrapping_sub(*state.cycles);
            ahead.first = bytes.get(layout::FIRST);
            let ready = bytes.get_long(layout::WORDS_READY).wrapping_add(ahead.first.into());
            ahead.first_ready = ready.wrapping_add(by);
            ahead.entered = bytes.get_long(layout::ENTERED).wrapping_add(by);
            ahead.data = bytes.get(layout::DATA);
            ahead.now = bytes.get_long(layout::CYCLES).wrapping_add(by);
        }
        let layout = self.layout;
        let mut bytes = Bytes(self.memory.data_mut(&mut self.store));
        for (number, value) in (0..).zip(&mut *state.registers).skip(1) {
            *value = bytes.get(layout::REGISTERS + 4 * number);
        }
        *state.cycles = bytes.get_long(layout::CYCLES);
        *state.instructions = bytes.get_long(layout::INSTRUCTIONS);
        let ram = bytes.slice(layout.ram, self.shape.ram_size);
        for range in changed.ranges(self.shape.ram_size) {
            state.ram[range.clone()].copy_from_slice(&ram[range]);
        }
        for (number, line) in (0..self.shape.lines()).zip(&mut *state.held) {
            *line = bytes.get(layout.held + 4 * number);
        }
        if let Some(predictor) = &mut state.predictor {
            for (number, entry) in (0..).zip(&mut predictor.targets) {
                let (pc, target) =
                    (bytes.get(layout.sources + 4 * number), bytes.get(layout.targets + 4 * number));
                *entry = (pc, target, bytes.get_long(layout.used + 8 * number));
            }
            predictor.clock = bytes.get_long(layout::CLOCK);
            let taken = bytes.slice(layout.taken, predictor.taken.len() as u32);
            for (place, taken) in predictor.taken.iter_mut().zip(taken) {
                *place = *taken != 0;
            }
            predictor.history = bytes.get(layout::HISTORY);
            for (number, back) in (0..).zip(&mut predictor.returns) {
                *back = bytes.get(layout.returns + 4 * number);
            }
            predictor.top = bytes.get(layout::TOP);
            predictor.depth = bytes.get(layout::DEPTH);
        }
        Left {
            exit: bytes.get(layout::EXIT) as usize,
            target: bytes.get(layout::TARGET),
            low: bytes.get(layout::LOW),
            changed,
        }
    }
}

/// The bits of [`State::forbidden`] that forbid reads and writes.
#[must_use]
pub fn forbids(bits: u8) -> [bool; 2] {
    [bits & READ_BIT != 0, bits & WRITE_BIT != 0]
}

/// A linear memory.
pub(crate) struct Bytes<'a>(pub(crate) &'a mut [u8]);

impl Bytes<'_> {
    pub fn slice(&mut self, offset: u32, size: u32) -> &mut [u8] {
        &mut self.0[offset as usize..][..size as usize]
    }

    pub fn set(&mut self, offset: u32, value: u32) {
        self.slice(offset, 4).copy_from_slice(&value.to_le_bytes());
    }

    fn set_long(&mut self, offset: u32, value: u64) {
        self.slice(offset, 8).copy_from_slice(&value.to_le_bytes());
    }

    pub fn get(&mut self, offset: u32) -> u32 {
        self.slice(offset, 4).iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    fn get_long(&mut self, offset: u32) -> u64 {
        u64::from(self.get(offset)) | u64::from(self.get(offset + 4)) << 32
    }
}
