//! A microcontroller with an Xtensa core: the [`Machine`] that callers drive.

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
use pennyweight_memory::timing::ZeroWait;

use crate::call0;
use crate::core::{Core, CORES};
use crate::op::Reg;
use crate::program::Program;
use crate::run::{End, Run, State};

/// What a0 holds when a called function begins: going there ends the call. No part has memory at
/// the end of the address space.
const RETURN: u32 = 0xffff_fffc;
/// The same of a windowed call, whose return address has no upper two bits: they are those of the
/// code, and no part has memory at the end of a quarter of the address space.
const WINDOWED_RETURN: u32 = 0x3fff_fffc;
/// Windowed calls move the window by so many fours, as compilers do (CALL8).
const STEP: u32 = 2;

/// An Xtensa core with one flash and one RAM, without wait states.
#[derive(Clone, Debug)]
pub struct XtensaMachine {
    program: Program,
    memories: Memories,
    entry: u32,
    state: State,
    stack_top: u32,
    kept: Option<Box<(Vec<Word>, State, u32)>>,
}

impl XtensaMachine {
    /// The board with the image in its flash, reset; execution begins at the image's entry.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or the image is for another machine
    /// or does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(Architecture::Xtensa)?;
        let (bytes, used) = flash_contents(board, image)?;
        Self::from_flash(board, &bytes, used, image.entry)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset, to
    /// begin at `entry`.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or `bytes` are too many.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize, entry: u32) -> Result<Self, LoadError> {
        let Some(core) = Core::find(&board.core) else {
            let names: Vec<&str> = CORES.iter().map(|core| core.name).collect();
            return Err(LoadError::Board(BoardError(format!(
                "board {}: core.name is {:?}, but the Xtensa simulator has only {}; correct it",
                board.id,
                board.core,
                names.join(", ")
            ))));
        };
        let memories = Memories::new(board, bytes)?;
        let flash = only(board, MemoryKind::Flash)?;
        if flash.timing != MemoryTiming::ZeroWait {
            return Err(refuse(board, flash, "timing.model must be \"zero-wait\" on an Xtensa core"));
        }
        Ok(XtensaMachine {
            program: Program::new(core, memories.flash_base, used),
            memories,
            entry,
            state: State::new(core, entry),
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

    /// Executes one instruction; returns its cycles.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self) -> Result<u64, Fault> {
        self.step_counted().map(|tally| tally.cycles)
    }

    /// Executes one instruction, or goes to the handler of an exception that comes before it: then
    /// no instruction is counted.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step_counted(&mut self) -> Result<Tally, Fault> {
        let (from, watch) = (self.state.pc, StackWatch::new(0, self.memories.ram_base));
        let mut run = self.prepare(Free, watch);
        let result = run.step(from).map(|()| run.tally);
        result.inspect(|tally| self.state.cycles += tally.cycles)
    }

    /// Runs from the present state until the program counter is `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        if options.zones.is_empty() {
            return self.run_as(Free, stop, options);
        }
        let size = self.memories.ram.len() * 4;
        let guard = Guard::new(self.memories.ram_base, size, &options.zones);
        self.run_as(&guard, stop, options)
    }

    fn prepare<'r, W: Watch>(&'r mut self, guard: W, watch: StackWatch) -> Run<'r, 'r, ZeroWait, W> {
        Run {
            program: &mut self.program,
            state: &mut self.state,
            bus: Bus {
                ram: &mut self.memories.ram,
                ram_base: self.memories.ram_base,
                flash: &self.memories.flash,
                flash_base: self.memories.flash_base,
                watch,
                guard,
                timing: ZeroWait,
            },
            tally: Tally::default(),
        }
    }

    fn run_as<W: Watch>(&mut self, guard: W, stop: u32, options: &CallOptions) -> Outcome {
        let watch = StackWatch::new(options.stack_limit, self.state.registers[Reg::SP]);
        self.program.set_stop(stop);
        let mut run = self.prepare(guard, watch);
        let end = run.run(stop, options.budget);
        let (tally, stack) = (run.tally, run.bus.watch.high_water());
        self.program.clear_stop();
        self.outcome(end, tally, stack)
    }

    /// Passes arguments and runs with `run` to the return: the windowed ABI if start-up has switched
    /// windows on, as it does where functions are compiled for them.
    fn go(
        &mut self,
        function: u32,
        arguments: &[u32; 6],
        run: impl FnOnce(&mut Self, u32) -> Outcome,
    ) -> Outcome {
        if self.state.extra.windows.checked() {
            return self.go_windowed(function, arguments, run);
        }
        self.pass(arguments);
        run(self, RETURN)
    }

    /// The windowed ABI: as if CALL8 had just gone to `function`, where ENTRY is.
    fn go_windowed(
        &mut self,
        function: u32,
        arguments: &[u32; 6],
        run: impl FnOnce(&mut Self, u32) -> Outcome,
    ) -> Outcome {
        let first = Reg(4 * STEP as u8);
        for (number, &word) in (first.0 + 2..).zip(arguments) {
            self.state.registers[Reg(number)] = word;
        }
        self.state.registers[first] = STEP << 30 | WINDOWED_RETURN;
        self.state.extra.windows.set_callinc(STEP);
        let mut outcome = run(self, function & 0xc000_0000 | WINDOWED_RETURN);
        outcome.result = self.state.registers[Reg(first.0 + 2)] as i32;
        outcome
    }

    /// Puts arguments on the stack and goes to the function; those for registers are given back.
    fn enter(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<[u32; 6], Outcome> {
        let arguments = call0::layout(args);
        let size = 4 * arguments.stack.len() as u32;
        let sp = (self.stack_top & !15).wrapping_sub(size);
        let bytes: Vec<u8> = arguments.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        if sp < options.stack_limit || self.write(sp, &bytes).is_err() {
            let kind = FaultKind::StackOverflow { address: sp, limit: options.stack_limit };
            let exit = Exit::Fault(Fault { kind, pc: function });
            return Err(Outcome { exit, cycles: 0, instructions: 0, stack: 0, result: 0 });
        }
        self.state.registers[Reg::SP] = sp;
        self.state.pc = function;
        self.state.before = None;
        Ok(arguments.registers)
    }

    /// The call0 ABI's registers at a function's begin.
    fn pass(&mut self, arguments: &[u32; 6]) {
        for (number, &word) in (2..).zip(arguments) {
            self.state.registers[Reg(number)] = word;
        }
        self.state.registers[Reg::A0] = RETURN;
    }

    /// As `run_to`, and tells `observer`.
    fn observe_to(&mut self, stop: u32, options: &CallOptions, observer: &mut dyn Observer) -> Outcome {
        let guard = Guard::new(self.memories.ram_base, self.memories.ram.len() * 4, &options.zones);
        let watch = StackWatch::new(options.stack_limit, self.state.registers[Reg::SP]);
        let seen = RefCell::default();
        let mut run = self.prepare(Noting::new(&guard, &seen), watch);
        let end = run.observe(stop, options.budget, &seen, observer);
        let (tally, stack) = (run.tally, run.bus.watch.high_water());
        self.outcome(end, tally, stack)
    }

    /// What a run that has ended gives.
    fn outcome(&mut self, end: End, tally: Tally, stack: u32) -> Outcome {
        self.state.cycles += tally.cycles;
        Outcome {
            exit: match end {
                End::Stopped => Exit::Returned,
                End::OutOfCycles => Exit::OutOfCycles { pc: self.state.pc },
                End::Fault(fault) => Exit::Fault(fault),
            },
            cycles: tally.cycles,
            instructions: tally.instructions,
            stack,
            result: self.state.registers[Reg::A2] as i32,
        }
    }
}

impl Machine for XtensaMachine {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.state = State::new(self.program.core(), self.entry);
        // Start-up sets the stack pointer; until then it is 0, and no stack is watched.
        let options = CallOptions { budget, stack_limit: 0, zones: Vec::new() };
        let outcome = self.run_to(ready, &options);
        self.stack_top = self.state.registers[Reg::SP];
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        let arguments = match self.enter(function, args, options) {
            Ok(arguments) => arguments,
            Err(refused) => return refused,
        };
        self.go(function, &arguments, |machine, stop| machine.run_to(stop, options))
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        let arguments = match self.enter(function, args, options) {
            Ok(arguments) => arguments,
            Err(refused) => return Some(refused),
        };
        Some(self.go(function, &arguments, |machine, stop| machine.observe_to(stop, options, observer)))
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
        if let Some(kept) = &self.kept {
            self.memories.ram.copy_from_slice(&kept.0);
            self.state = kept.1;
            self.stack_top = kept.2;
        } else {
            self.memories.ram.fill([0; 4]);
            self.state = State::new(self.program.core(), self.entry);
        }
    }
}
