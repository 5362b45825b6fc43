//! A microcontroller with a RISC-V core: the [`Machine`] that callers drive.

use std::cell::RefCell;

use pennyweight_machine::account::Tally;
use pennyweight_machine::board::{BoardError, MemoryKind, MemoryTiming};
use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::image::Architecture;
use pennyweight_machine::observe::Noting;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Arg, Board, CallOptions, Exit, Fault, FaultKind, Image, LoadError, Machine, Observer, OutOfMap, Outcome,
};
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::parts::{flash_contents, only, refuse, Memories};
use pennyweight_memory::timing::{DataWait, Fetch, FlashTiming, InstructionCache, NoWait, ZeroWait};

use crate::core::{Core, Predictor, CORES};
use crate::extensions::Extensions;
use crate::ilp32;
use crate::program::Program;
use crate::registers::Reg;
use crate::run::{End, Run, State};

/// What RA holds when a called function begins: going there ends the call. The last halfword of
/// the address space is no part's memory.
const RETURN: u32 = 0xffff_fffe;

/// What fetches and data reads from flash cost.
#[derive(Clone, Debug)]
enum Timing {
    ZeroWait,
    Cached(InstructionCache, DataWait),
}

/// All that a run changes but memory.
#[derive(Clone, Debug)]
struct Running {
    state: State,
    predictor: Predictor,
    timing: Timing,
}

/// A RISC-V core with one flash and one RAM.
#[derive(Clone, Debug)]
pub struct RiscvMachine {
    program: Program,
    memories: Memories,
    running: Running,
    /// As it is before anything ran.
    fresh: Box<Running>,
    stack_top: u32,
    kept: Option<Box<(Vec<Word>, Running, u32)>>,
}

impl RiscvMachine {
    /// The board with the image in its flash, reset; execution begins at the image's entry.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or the image is for another machine
    /// or does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(Architecture::RiscV)?;
        let (bytes, used) = flash_contents(board, image)?;
        Self::from_flash(board, &bytes, used, image.entry)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset, to
    /// begin at `entry`.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or `bytes` are too many.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize, entry: u32) -> Result<Self, LoadError> {
        let refuse_core =
            |what: String| LoadError::Board(BoardError(format!("board {}: core.{what}", board.id)));
        let core = Core::find(&board.core).ok_or_else(|| {
            let names: Vec<&str> = CORES.iter().map(|core| core.name).collect();
            let (name, known) = (&board.core, names.join(", "));
            refuse_core(format!("name is {name:?}, but the RISC-V simulator has only {known}; correct it"))
        })?;
        let extensions = Extensions::from_names(&board.extensions).map_err(|name| {
            refuse_core(format!(
                "extensions has {name:?}, which is none of \"zba\", \"zbb\", \"zbkb\"; correct it"
            ))
        })?;
        let memories = Memories::new(board, bytes)?;
        let flash = only(board, MemoryKind::Flash)?;
        let timing = match flash.timing {
            MemoryTiming::ZeroWait => Timing::ZeroWait,
            MemoryTiming::InstructionCache { size, line, ways, miss, data_read } => {
                Timing::Cached(InstructionCache::new(size, line, ways, miss), DataWait::new(data_read))
            }
            _ => {
                let what = "timing.model must be \"zero-wait\" or \"instruction-cache\" on a RISC-V core";
                return Err(refuse(board, flash, what));
            }
        };
        let line_shift = match &timing {
            Timing::ZeroWait => None,
            Timing::Cached(cache, _) => cache.line_shift(),
        };
        let running = Running {
            state: State { pc: entry, ..State::default() },
            predictor: Predictor::new(core.predictor, core.mispredicted),
            timing,
        };
        Ok(RiscvMachine {
            program: Program::new(core, extensions, line_shift, memories.flash_base, used),
            memories,
            fresh: Box::new(running.clone()),
            running,
            stack_top: 0,
            kept: None,
        })
    }

    /// Registers and program counter.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.running.state
    }

    /// Registers and program counter, to be set.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.running.state
    }

    /// Executes one instruction; returns its cycles.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self) -> Result<u64, Fault> {
        let base = self.memories.ram_base;
        let from = self.running.state.pc;
        let watch = StackWatch::new(0, base);
        match self.running.timing.clone() {
            Timing::ZeroWait => {
                let mut fetch = NoWait;
                let mut run = self.prepare(ZeroWait, &mut fetch, Free, watch);
                run.step(from).map(|_| run.tally.cycles)
            }
            Timing::Cached(mut cache, wait) => {
                let mut run = self.prepare(wait, &mut cache, Free, watch);
                let result = run.step(from).map(|_| run.tally.cycles + run.bus.timing.stalls());
                self.running.timing = Timing::Cached(cache, wait);
                result
            }
        }
        .inspect(|&cycles| {
            self.running.state.csrs.cycles += cycles;
            self.running.state.csrs.instructions += 1;
        })
    }

    /// Runs from the present state until the program counter is `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        let stop = stop & !1;
        if options.zones.is_empty() {
            return self.run_watched(Free, stop, options);
        }
        let size = self.memories.ram.len() * 4;
        let guard = Guard::new(self.memories.ram_base, size, &options.zones);
        self.run_watched(&guard, stop, options)
    }

    fn run_watched<W: Watch>(&mut self, guard: W, stop: u32, options: &CallOptions) -> Outcome {
        match self.running.timing.clone() {
            Timing::ZeroWait => self.run_as(ZeroWait, &mut NoWait, guard, stop, options),
            Timing::Cached(mut cache, wait) => {
                let outcome = self.run_as(wait, &mut cache, guard, stop, options);
                self.running.timing = Timing::Cached(cache, wait);
                outcome
            }
        }
    }

    fn prepare<'r, T: FlashTiming, F: Fetch, W: Watch>(
        &'r mut self,
        timing: T,
        fetch: &'r mut F,
        guard: W,
        watch: StackWatch,
    ) -> Run<'r, 'r, T, F, W> {
        Run {
            program: &mut self.program,
            state: &mut self.running.state,
            predictor: &mut self.running.predictor,
            bus: Bus {
                ram: &mut self.memories.ram,
                ram_base: self.memories.ram_base,
                flash: &self.memories.flash,
                flash_base: self.memories.flash_base,
                watch,
                guard,
                timing,
            },
            fetch,
            tally: Tally::default(),
        }
    }

    fn run_as<T: FlashTiming, F: Fetch, W: Watch>(
        &mut self,
        timing: T,
        fetch: &mut F,
        guard: W,
        stop: u32,
        options: &CallOptions,
    ) -> Outcome {
        let watch = StackWatch::new(options.stack_limit, self.running.state.registers[Reg::SP]);
        self.program.set_stop(stop);
        let mut run = self.prepare(timing, fetch, guard, watch);
        let end = run.run(stop, options.budget);
        let spent = (run.tally, run.bus.timing.stalls());
        let stack = run.bus.watch.high_water();
        self.program.clear_stop();
        self.outcome(end, spent, stack)
    }

    /// As `run_to`, and tells `observer`.
    fn observe_to(&mut self, stop: u32, options: &CallOptions, observer: &mut dyn Observer) -> Outcome {
        let stop = stop & !1;
        let guard = Guard::new(self.memories.ram_base, self.memories.ram.len() * 4, &options.zones);
        let watch = StackWatch::new(options.stack_limit, self.running.state.registers[Reg::SP]);
        let seen = RefCell::default();
        let noting = Noting::new(&guard, &seen);
        let (end, spent, stack) = match self.running.timing.clone() {
            Timing::ZeroWait => {
                let mut fetch = NoWait;
                let mut run = self.prepare(ZeroWait, &mut fetch, noting, watch);
                run.observe(stop, options.budget, &seen, observer)
            }
            Timing::Cached(mut cache, wait) => {
                let mut run = self.prepare(wait, &mut cache, noting, watch);
                let ended = run.observe(stop, options.budget, &seen, observer);
                self.running.timing = Timing::Cached(cache, wait);
                ended
            }
        };
        self.outcome(end, spent, stack)
    }

    /// What a run that has ended gives; `spent` is what it has executed and how long the bus waited.
    fn outcome(&mut self, end: End, spent: (Tally, u64), stack: u32) -> Outcome {
        let (Tally { cycles, instructions }, stalls) = spent;
        let cycles = cycles + stalls;
        let state = &mut self.running.state;
        state.csrs.cycles += cycles;
        state.csrs.instructions += instructions;
        Outcome {
            exit: match end {
                End::Stopped => Exit::Returned,
                End::OutOfCycles => Exit::OutOfCycles { pc: state.pc },
                End::Fault(fault) => Exit::Fault(fault),
            },
            cycles,
            instructions,
            stack,
            result: state.registers[Reg::A0] as i32,
        }
    }

    /// Puts the arguments where the ABI wants them and goes to the function.
    fn enter(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<(), Outcome> {
        let arguments = ilp32::layout(args);
        let size = 4 * arguments.stack.len() as u32;
        let sp = (self.stack_top & !15).wrapping_sub(size);
        let bytes: Vec<u8> = arguments.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        if sp < options.stack_limit || self.write(sp, &bytes).is_err() {
            let kind = FaultKind::StackOverflow { address: sp, limit: options.stack_limit };
            let exit = Exit::Fault(Fault { kind, pc: function & !1 });
            return Err(Outcome { exit, cycles: 0, instructions: 0, stack: 0, result: 0 });
        }
        let Running { state, predictor, .. } = &mut self.running;
        for (number, word) in (10..).zip(arguments.registers) {
            state.registers[Reg::source(number)] = word;
        }
        state.registers[Reg::SP] = sp;
        state.registers[Reg::RA] = RETURN;
        state.pc = function & !1;
        state.pending = crate::pipeline::Pending::default();
        state.reserved = None;
        // As the call instruction would have done.
        predictor.push(RETURN);
        Ok(())
    }
}

impl Machine for RiscvMachine {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.running = (*self.fresh).clone();
        // Start-up sets the stack pointer; until then it is 0, and no stack is watched.
        let options = CallOptions { budget, stack_limit: 0, zones: Vec::new() };
        let outcome = self.run_to(ready, &options);
        self.stack_top = self.running.state.registers[Reg::SP];
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        match self.enter(function, args, options) {
            Ok(()) => self.run_to(RETURN, options),
            Err(refused) => refused,
        }
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        Some(match self.enter(function, args, options) {
            Ok(()) => self.observe_to(RETURN, options, observer),
            Err(refused) => refused,
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
        self.kept = Some(Box::new((self.memories.ram.clone(), self.running.clone(), self.stack_top)));
    }

    fn restore(&mut self) {
        if let Some(kept) = &self.kept {
            self.memories.ram.copy_from_slice(&kept.0);
            self.running = kept.1.clone();
            self.stack_top = kept.2;
        } else {
            self.memories.ram.fill([0; 4]);
            self.running = (*self.fresh).clone();
        }
    }
}
