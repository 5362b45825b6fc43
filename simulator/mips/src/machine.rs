//! A microcontroller with a MIPS core: the [`Machine`] that callers drive.

use std::collections::HashSet;

use pennyweight_machine::account::Tally;
use pennyweight_machine::board::{BoardError, MemoryKind, MemoryTiming};
use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::image::Architecture;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Arg, Board, CallOptions, Exit, Fault, FaultKind, Image, LoadError, Machine, Observer, OutOfMap, Outcome,
};
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::parts::{flash_contents, only, refuse, Memories};
use pennyweight_memory::timing::{FlashTiming, Stream, ZeroWait, MOST_CACHED, MOST_DATA};

use crate::core::{Core, CORES};
use crate::o32;
use crate::op::{Op, Reg};
use crate::run::{decoded, decoded_short, End, Run, State};
use crate::short::Short;

/// What the return address register holds when a called function begins: going there ends the call.
/// No part has memory at the end of the address space.
const RETURN: u32 = 0xffff_fffc;

/// Wait states of flash, and their state between runs.
#[derive(Clone, Debug)]
enum Timing {
    ZeroWait,
    Stream(Box<Stream>),
}

/// What `restore` brings back.
#[derive(Clone, Debug)]
struct Kept {
    ram: Vec<Word>,
    state: State,
    timing: Timing,
    stack_top: u32,
}

/// A MIPS core with one flash and one RAM.
#[derive(Clone, Debug)]
pub struct MipsMachine {
    core: &'static Core,
    ops: Vec<Op>,
    shorts: Vec<Short>,
    /// Where symbols say that 16-bit code begins.
    short_code: HashSet<u32>,
    memories: Memories,
    timing: Timing,
    fresh: Timing,
    entry: u32,
    pub(crate) state: State,
    stack_top: u32,
    kept: Option<Box<Kept>>,
}

impl MipsMachine {
    /// The board with the image in its flash, reset; execution begins at the image's entry.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or the image is for another machine
    /// or does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(Architecture::Mips)?;
        let (bytes, used) = flash_contents(board, image)?;
        let mut machine = Self::from_flash(board, &bytes, used, image.entry)?;
        machine.short_code = image.mips16().collect();
        Ok(machine)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset, to
    /// begin at `entry`, which is odd if 16-bit code lies there.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or `bytes` are too many.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize, entry: u32) -> Result<Self, LoadError> {
        let Some(core) = Core::find(&board.core) else {
            let names: Vec<&str> = CORES.iter().map(|core| core.name).collect();
            return Err(LoadError::Board(BoardError(format!(
                "board {}: core.name is {:?}, but the MIPS simulator has only {}; correct it",
                board.id,
                board.core,
                names.join(", ")
            ))));
        };
        let memories = Memories::new(board, bytes)?;
        let timing = timing(board)?;
        Ok(MipsMachine {
            core,
            ops: decoded(&memories.flash, memories.flash_base, used),
            shorts: decoded_short(&memories.flash, memories.flash_base, used),
            short_code: HashSet::new(),
            memories,
            timing: timing.clone(),
            fresh: timing,
            entry,
            state: State::new(entry),
            stack_top: 0,
            kept: None,
        })
    }

    /// Registers and program counter.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Registers and program counter, to be set.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Executes one instruction, a delay slot being one of its own; returns its cycles.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self) -> Result<u64, Fault> {
        let watch = StackWatch::new(0, self.memories.ram_base);
        match self.timing.clone() {
            Timing::ZeroWait => {
                let mut run = self.prepare(ZeroWait, Free, watch);
                run.step().map(|()| run.tally.cycles)
            }
            Timing::Stream(stream) => {
                let before = stream.stalls();
                let mut run = self.prepare(*stream, Free, watch);
                let result = run.step();
                let (cycles, timing) = (run.tally.cycles, run.bus.timing);
                self.timing = Timing::Stream(Box::new(timing));
                result.map(|()| cycles + timing.stalls() - before)
            }
        }
    }

    /// Runs from the present state until the program counter is `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        if options.zones.is_empty() {
            return self.run_watched(Free, stop, options);
        }
        let size = self.memories.ram.len() * 4;
        let guard = Guard::new(self.memories.ram_base, size, &options.zones);
        self.run_watched(&guard, stop, options)
    }

    /// As a call that has been entered, an instruction at a time.
    fn observed(&mut self, options: &CallOptions, observer: &mut dyn Observer) -> Outcome {
        let size = self.memories.ram.len() * 4;
        let guard = Guard::new(self.memories.ram_base, size, &options.zones);
        match self.timing.clone() {
            Timing::ZeroWait => self.observe_as(ZeroWait, &guard, RETURN, options, observer).0,
            Timing::Stream(mut stream) => {
                stream.start(self.state.pc);
                let (outcome, stream) = self.observe_as(*stream, &guard, RETURN, options, observer);
                self.timing = Timing::Stream(Box::new(stream));
                outcome
            }
        }
    }

    fn run_watched<W: Watch>(&mut self, guard: W, stop: u32, options: &CallOptions) -> Outcome {
        match self.timing.clone() {
            Timing::ZeroWait => self.run_as(ZeroWait, guard, stop, options).0,
            Timing::Stream(mut stream) => {
                stream.start(self.state.pc);
                let (outcome, stream) = self.run_as(*stream, guard, stop, options);
                self.timing = Timing::Stream(Box::new(stream));
                outcome
            }
        }
    }

    /// Lays the arguments out and goes to the function's first instruction.
    fn enter(&mut self, function: u32, args: &[Arg], limit: u32) -> Result<(), Fault> {
        let words = o32::layout(args);
        let sp = (self.stack_top & !7).wrapping_sub(4 * words.len() as u32);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if sp < limit || self.write(sp, &bytes).is_err() {
            return Err(Fault { kind: FaultKind::StackOverflow { address: sp, limit }, pc: function });
        }
        for (number, &word) in (Reg::A0.0..).zip(words.iter().take(4)) {
            self.state.registers[Reg(number)] = word;
        }
        self.state.registers[Reg::SP] = sp;
        self.state.registers[Reg::RA] = RETURN;
        self.state.jump(self.way_to(function));
        self.state.pipeline = Default::default();
        Ok(())
    }

    /// The address with which a jump goes to `address`: bit 0 is set if 16-bit code lies there.
    fn way_to(&self, address: u32) -> u32 {
        address | u32::from(self.short_code.contains(&address))
    }

    pub(crate) fn prepare<'r, T: FlashTiming, W: Watch>(
        &'r mut self,
        timing: T,
        guard: W,
        watch: StackWatch,
    ) -> Run<'r, 'r, T, W> {
        Run {
            core: self.core,
            ops: &self.ops,
            shorts: &self.shorts,
            state: &mut self.state,
            bus: Bus {
                ram: &mut self.memories.ram,
                ram_base: self.memories.ram_base,
                flash: &self.memories.flash,
                flash_base: self.memories.flash_base,
                watch,
                guard,
                timing,
            },
            tally: Tally::default(),
        }
    }

    fn run_as<T: FlashTiming, W: Watch>(
        &mut self,
        timing: T,
        guard: W,
        stop: u32,
        options: &CallOptions,
    ) -> (Outcome, T) {
        let watch = StackWatch::new(options.stack_limit, self.state.registers[Reg::SP]);
        let mut run = self.prepare(timing, guard, watch);
        let end = run.run(stop, options.budget);
        let cycles = run.tally.cycles + run.bus.timing.stalls();
        let (instructions, stack, timing) =
            (run.tally.instructions, run.bus.watch.high_water(), run.bus.timing);
        let outcome = Outcome {
            exit: match end {
                End::Stopped => Exit::Returned,
                End::OutOfCycles => Exit::OutOfCycles { pc: self.state.pc & !1 },
                End::Fault(fault) => Exit::Fault(fault),
            },
            cycles,
            instructions,
            stack,
            result: self.state.registers[Reg::V0] as i32,
        };
        (outcome, timing)
    }
}

/// A call that could not begin.
fn faulted(fault: Fault) -> Outcome {
    Outcome { exit: Exit::Fault(fault), cycles: 0, instructions: 0, stack: 0, result: 0 }
}

/// The board's flash timing, if this simulator has it.
fn timing(board: &Board) -> Result<Timing, LoadError> {
    let flash = only(board, MemoryKind::Flash)?;
    match flash.timing {
        MemoryTiming::ZeroWait => Ok(Timing::ZeroWait),
        MemoryTiming::Stream { wait_states, line, cached_lines, data_lines }
            if cached_lines <= MOST_CACHED && data_lines <= MOST_DATA =>
        {
            Ok(Timing::Stream(Box::new(Stream::new(wait_states, line, cached_lines, data_lines))))
        }
        _ => Err(refuse(board, flash, "timing.model must be \"zero-wait\" or \"stream\" on a MIPS core")),
    }
}

impl Machine for MipsMachine {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.state = State::new(self.way_to(self.entry));
        self.timing = self.fresh.clone();
        // Start-up sets the stack pointer; until then it is 0, and no stack is watched.
        let options = CallOptions { budget, stack_limit: 0, zones: Vec::new() };
        let outcome = self.run_to(self.way_to(ready), &options);
        self.stack_top = self.state.registers[Reg::SP];
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        match self.enter(function, args, options.stack_limit) {
            Ok(()) => self.run_to(RETURN, options),
            Err(fault) => faulted(fault),
        }
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        Some(match self.enter(function, args, options.stack_limit) {
            Ok(()) => self.observed(options, observer),
            Err(fault) => faulted(fault),
        })
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        self.memories.read(address, out)
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        self.memories.write(address, data)
    }

    fn stack_top(&self) -> u32 {
        self.stack_top
    }

    fn snapshot(&mut self) {
        self.kept = Some(Box::new(Kept {
            ram: self.memories.ram.clone(),
            state: self.state,
            timing: self.timing.clone(),
            stack_top: self.stack_top,
        }));
    }

    fn restore(&mut self) {
        if let Some(kept) = &self.kept {
            self.memories.ram.copy_from_slice(&kept.ram);
            (self.state, self.timing, self.stack_top) = (kept.state, kept.timing.clone(), kept.stack_top);
        } else {
            self.memories.ram.fill([0; 4]);
            (self.state, self.timing) = (State::new(self.way_to(self.entry)), self.fresh.clone());
        }
    }
}
