//! A microcontroller with a Cortex-M core: the [`Machine`] that callers drive.

use pennyweight_machine::account::Tally;
use pennyweight_machine::board::{BoardError, MemoryKind, MemoryTiming};
use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::image::Architecture;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Access, Arg, Board, CallOptions, Exit, Fault, FaultKind, Image, LoadError, Machine, Observer, OutOfMap,
    Outcome,
};
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::parts::{flash_contents, only, refuse, Memories};
use pennyweight_memory::timing::{BusMatrix, Cache, FetchAhead, FlashTiming, Prefetch, Stream, ZeroWait};

use crate::aapcs;
use crate::core::Core;
use crate::program::Program;
use crate::registers::Reg;
use crate::run::{run, step, End, State};

/// What LR holds when a called function begins: going there ends the call. No part has memory
/// there (DDI 0419, B3.1: System space).
const RETURN: u32 = 0xffff_fffe;

/// Wait states of a board's flash.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant)] // A machine has one or two of them.
enum Timing {
    ZeroWait,
    Prefetch(Prefetch),
    Cache(Cache),
    FetchAhead(FetchAhead),
    Stream(Stream),
    BusMatrix(BusMatrix),
}

/// A Cortex-M core with one flash and one RAM.
#[derive(Clone, Debug)]
pub struct ThumbMachine<C: Core> {
    pub(crate) program: Program<C>,
    pub(crate) memories: Memories,
    /// Caches and buffers as the last call left them.
    timing: Timing,
    cold: Timing,
    pub(crate) state: State,
    stack_top: u32,
    kept: Option<Box<(Vec<Word>, State, u32)>>,
}

/// A way of running, with whatever wait states the board has.
trait Runner<C: Core> {
    fn run<T: FlashTiming>(&mut self, machine: &mut ThumbMachine<C>, timing: T) -> (T, Outcome);
}

/// Fast.
struct Run<'a> {
    guard: Option<&'a Guard>,
    stop: u32,
    options: &'a CallOptions,
}

impl<C: Core> Runner<C> for Run<'_> {
    fn run<T: FlashTiming>(&mut self, machine: &mut ThumbMachine<C>, timing: T) -> (T, Outcome) {
        match self.guard {
            Some(guard) => machine.run_as(timing, guard, self.stop, self.options),
            None => machine.run_as(timing, Free, self.stop, self.options),
        }
    }
}

/// An instruction at a time, each told to an observer.
struct Observe<'a> {
    guard: &'a Guard,
    stop: u32,
    options: &'a CallOptions,
    observer: &'a mut dyn Observer,
}

impl<C: Core> Runner<C> for Observe<'_> {
    fn run<T: FlashTiming>(&mut self, machine: &mut ThumbMachine<C>, timing: T) -> (T, Outcome) {
        machine.observe_as(timing, self.guard, self.stop, self.options, self.observer)
    }
}

impl<C: Core> ThumbMachine<C> {
    /// The board with the image in its flash, reset.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or the image is for another machine
    /// or does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(Architecture::Arm)?;
        let (bytes, used) = flash_contents(board, image)?;
        Self::from_flash(board, &bytes, used)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or `bytes` are too many.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize) -> Result<Self, LoadError> {
        if board.core != C::NAME {
            return Err(LoadError::Board(BoardError(format!(
                "board {}: core.name is {:?}, but this simulator is of a {:?}; correct it",
                board.id,
                board.core,
                C::NAME
            ))));
        }
        let memories = Memories::new(board, bytes)?;
        let flash = only(board, MemoryKind::Flash)?;
        let timing = match flash.timing {
            MemoryTiming::ZeroWait => Timing::ZeroWait,
            MemoryTiming::Prefetch { line, .. } if line < 4 || !line.is_power_of_two() => {
                let what = format!(
                    "timing.line is {line}, but a Cortex-M core fetches words; write a power of two of at least 4"
                );
                return Err(refuse(board, flash, &what));
            }
            MemoryTiming::Prefetch { wait_states, line, lines } => {
                Timing::Prefetch(Prefetch::new(wait_states, line, lines))
            }
            MemoryTiming::Stream { wait_states, line, cached_lines, data_lines } => {
                Timing::Stream(Stream::new(wait_states, line, cached_lines, data_lines))
            }
            MemoryTiming::BusMatrix { wait_states, line, pause_wait_states, connect_wait_states } => {
                Timing::BusMatrix(BusMatrix::new(wait_states, line, pause_wait_states, connect_wait_states))
            }
            MemoryTiming::Cache { wait_states, line, lines, data_wait_states: Some(data) }
                if C::FETCHED_AHEAD > 0 =>
            {
                Timing::FetchAhead(FetchAhead::new(wait_states, line, lines, data, C::FETCHED_AHEAD))
            }
            MemoryTiming::Cache { wait_states, line, lines, data_wait_states } => {
                Timing::Cache(Cache::new(wait_states, line, lines, data_wait_states))
            }
            MemoryTiming::InstructionCache { .. } => {
                let what = "timing.model \"instruction-cache\" is for RISC-V cores; write \"cache\"";
                return Err(refuse(board, flash, what));
            }
        };
        // Literals that a buffer of data may hold are looked up by their address.
        let fold = !matches!(
            (&flash.timing, timing),
            (
                MemoryTiming::Stream { .. }
                    | MemoryTiming::BusMatrix { .. }
                    | MemoryTiming::Cache { data_wait_states: None, .. },
                _
            ) | (_, Timing::FetchAhead(_))
        );
        let mut machine = ThumbMachine {
            program: Program::new(&memories.flash, memories.flash_base, used.div_ceil(4), fold),
            memories,
            timing,
            cold: timing,
            state: State::default(),
            stack_top: 0,
            kept: None,
        };
        machine.reset();
        Ok(machine)
    }

    /// Stack pointer and program counter from the vector table (DDI 0419, B1.5.5).
    fn reset(&mut self) {
        let vector = |i: usize| self.memories.flash.get(i).map_or(u32::MAX, |word| u32::from_le_bytes(*word));
        let (sp, pc) = (vector(0), vector(1));
        self.state = State::default();
        self.state.registers[Reg::Sp] = sp & !3;
        self.state.registers[Reg::Lr] = u32::MAX;
        self.state.pc = pc;
        self.stack_top = sp & !3;
        self.timing = self.cold;
    }

    /// Registers, flags and program counter.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Registers, flags and program counter, to be set.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Executes one instruction, without wait states; returns its cycles.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self) -> Result<u64, Fault> {
        let mut tally = Tally::default();
        let from = self.state.pc;
        let watch = StackWatch::new(self.memories.ram_base, self.memories.ram_base);
        let mut bus = Bus {
            ram: &mut self.memories.ram,
            ram_base: self.memories.ram_base,
            flash: &self.memories.flash,
            flash_base: self.memories.flash_base,
            watch,
            guard: Free,
            timing: ZeroWait,
        };
        step::<C, _, _>(&mut self.state, &mut bus, &mut tally, from)?;
        Ok(tally.cycles)
    }

    /// Runs from the present state until the program counter is `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        let stop = stop & !1;
        let size = self.memories.ram.len() * 4;
        let guard =
            (!options.zones.is_empty()).then(|| Guard::new(self.memories.ram_base, size, &options.zones));
        let guard = guard.as_ref();
        self.with_timing(Run { guard, stop, options })
    }

    /// Runs from the present state until the program counter is `stop`, and tells `observer`.
    fn observe_to(&mut self, stop: u32, options: &CallOptions, observer: &mut dyn Observer) -> Outcome {
        let guard = Guard::new(self.memories.ram_base, self.memories.ram.len() * 4, &options.zones);
        self.with_timing(Observe { guard: &guard, stop: stop & !1, options, observer })
    }

    /// Runs with the board's wait states.
    fn with_timing(&mut self, mut runner: impl Runner<C>) -> Outcome {
        let outcome;
        (self.timing, outcome) = match self.timing {
            Timing::ZeroWait => (Timing::ZeroWait, runner.run(self, ZeroWait).1),
            Timing::Prefetch(timing) => {
                let (timing, outcome) = runner.run(self, timing);
                (Timing::Prefetch(timing), outcome)
            }
            Timing::Stream(timing) => {
                let (timing, outcome) = runner.run(self, timing);
                (Timing::Stream(timing), outcome)
            }
            Timing::BusMatrix(timing) => {
                let (timing, outcome) = runner.run(self, timing);
                (Timing::BusMatrix(timing), outcome)
            }
            Timing::Cache(timing) => {
                let (timing, outcome) = runner.run(self, timing);
                (Timing::Cache(timing), outcome)
            }
            Timing::FetchAhead(timing) => {
                let (timing, outcome) = runner.run(self, timing);
                (Timing::FetchAhead(timing), outcome)
            }
        };
        outcome
    }

    fn run_as<T: FlashTiming, W: Watch>(
        &mut self,
        timing: T,
        guard: W,
        stop: u32,
        options: &CallOptions,
    ) -> (T, Outcome) {
        let mut bus = Bus {
            ram: &mut self.memories.ram,
            ram_base: self.memories.ram_base,
            flash: &self.memories.flash,
            flash_base: self.memories.flash_base,
            watch: StackWatch::new(options.stack_limit, self.state.registers[Reg::Sp]),
            guard,
            timing,
        };
        let replaced = self.program.set_stop(&self.memories.flash, stop);
        let (end, tally) = run(&self.program, &mut self.state, &mut bus, stop, options.budget);
        let (timing, stack) = (bus.timing, bus.watch.high_water());
        self.program.clear_stop(replaced);
        (timing, self.outcome(end, tally, timing.stalls(), stack))
    }

    /// What a run that has ended gives.
    pub(crate) fn outcome(&self, end: End, tally: Tally, stalls: u64, stack: u32) -> Outcome {
        Outcome {
            exit: match end {
                End::Stopped => Exit::Returned,
                End::OutOfCycles => Exit::OutOfCycles { pc: self.state.pc },
                End::Fault(fault) => Exit::Fault(fault),
            },
            cycles: tally.cycles + stalls,
            instructions: tally.instructions,
            stack,
            result: self.state.registers[Reg::R0] as i32,
        }
    }

    /// Puts the arguments where the ABI wants them and goes to the function.
    fn enter(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<(), FaultKind> {
        let arguments = aapcs::layout(args);
        let size = 4 * arguments.stack.len() as u32;
        let sp = (self.stack_top & !7).wrapping_sub(size);
        let bytes: Vec<u8> = arguments.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        if sp < options.stack_limit || self.write(sp, &bytes).is_err() {
            return Err(FaultKind::StackOverflow { address: sp, limit: options.stack_limit });
        }
        for (i, word) in (0..).zip(arguments.registers) {
            self.state.registers[Reg::from_bits(i)] = word;
        }
        self.state.registers[Reg::Sp] = sp;
        self.state.registers[Reg::Lr] = RETURN | 1;
        self.state.pc = function & !1;
        Ok(())
    }

    /// What a run gives that faults before its first instruction.
    fn refused(kind: FaultKind, pc: u32) -> Outcome {
        Outcome { exit: Exit::Fault(Fault { kind, pc }), cycles: 0, instructions: 0, stack: 0, result: 0 }
    }
}

impl<C: Core> Machine for ThumbMachine<C> {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.reset();
        let pc = self.state.pc;
        if pc & 1 == 0 {
            return Self::refused(FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute }, pc);
        }
        self.state.pc = pc & !1;
        let options = CallOptions { budget, stack_limit: self.memories.ram_base, zones: Vec::new() };
        let outcome = self.run_to(ready, &options);
        self.stack_top = self.state.registers[Reg::Sp];
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        match self.enter(function, args, options) {
            Ok(()) => self.run_to(RETURN, options),
            Err(kind) => Self::refused(kind, function & !1),
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
            Err(kind) => Self::refused(kind, function & !1),
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
        self.kept = Some(Box::new((self.memories.ram.clone(), self.state, self.stack_top)));
    }

    fn restore(&mut self) {
        self.timing = self.cold;
        if let Some(kept) = &self.kept {
            self.memories.ram.copy_from_slice(&kept.0);
            self.state = kept.1;
            self.stack_top = kept.2;
        } else {
            self.memories.ram.fill([0; 4]);
            self.reset();
        }
    }
}
