//! A microcontroller with a Cortex-M core: the [`Machine`] that callers drive.

use std::fmt;

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::guard::Guard;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Access, Arg, Board, CallOptions, Exit, Fault, FaultKind, Image, ImageError, Machine, OutOfMap, Outcome,
};

use crate::aapcs;
use crate::bus::{Bus, Word};
use crate::core::{Core, CortexM0};
use crate::program::{Program, Tally};
use crate::registers::Reg;
use crate::run::{run, step, End, State};
use crate::timing::{FlashTiming, Prefetch, ZeroWait};

/// What LR holds when a called function begins: going there ends the call. No part has memory
/// there (DDI 0419, B3.1: System space).
const RETURN: u32 = 0xffff_fffe;

/// Why a machine cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewError {
    /// The board does not suit.
    Board(String),
    /// The image does not suit.
    Image(ImageError),
}

impl fmt::Display for NewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewError::Board(sentence) => f.write_str(sentence),
            NewError::Image(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NewError {}

/// Wait states of a board's flash.
#[derive(Clone, Copy, Debug)]
enum Timing {
    ZeroWait,
    Prefetch(Prefetch),
}

/// A Cortex-M0 with one flash and one RAM.
#[derive(Clone, Debug)]
pub struct ThumbMachine {
    program: Program<CortexM0>,
    flash: Vec<Word>,
    flash_base: u32,
    ram: Vec<Word>,
    ram_base: u32,
    timing: Timing,
    state: State,
    stack_top: u32,
    kept: Option<Box<(Vec<Word>, State, u32)>>,
}

impl ThumbMachine {
    /// The board with the image in its flash, reset.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or the image is for another machine
    /// or does not fit.
    pub fn new(board: &Board, image: &Image) -> Result<Self, NewError> {
        image.require(Architecture::Arm).map_err(NewError::Image)?;
        let flash = only(board, MemoryKind::Flash)?;
        let bytes = image.flash_bytes(flash, |_| true).map_err(NewError::Image)?;
        let used = image
            .segments
            .iter()
            .map(|s| s.address.wrapping_sub(flash.base) as usize + s.bytes.len())
            .max()
            .unwrap_or(0);
        Self::from_flash(board, &bytes, used)
    }

    /// The board with `bytes` in its flash, of which the first `used` can hold code; reset.
    ///
    /// # Errors
    /// The core or a memory is none that this simulator has, or `bytes` are too many.
    pub fn from_flash(board: &Board, bytes: &[u8], used: usize) -> Result<Self, NewError> {
        if board.core != CortexM0::NAME {
            return Err(NewError::Board(format!(
                "board {}: core.name is {:?}, but the Thumb simulator has only {:?}; correct it",
                board.id,
                board.core,
                CortexM0::NAME
            )));
        }
        let (flash, ram) = (only(board, MemoryKind::Flash)?, only(board, MemoryKind::Ram)?);
        if ram.timing != MemoryTiming::ZeroWait {
            return Err(NewError::Board(format!(
                "board {}: [[memory]] {}: timing.model must be \"zero-wait\" for RAM of a Cortex-M part",
                board.id, ram.name
            )));
        }
        let timing = match flash.timing {
            MemoryTiming::ZeroWait => Timing::ZeroWait,
            MemoryTiming::Prefetch { line, .. } if line < 4 || !line.is_power_of_two() => {
                return Err(NewError::Board(format!(
                    "board {}: [[memory]] {}: timing.line is {line}, but a Cortex-M core fetches words; \
                     write a power of two of at least 4",
                    board.id, flash.name
                )));
            }
            MemoryTiming::Prefetch { wait_states, line, lines } => {
                Timing::Prefetch(Prefetch::new(wait_states, line, lines))
            }
        };
        if bytes.len() > flash.size as usize {
            return Err(NewError::Board(format!(
                "board {}: [[memory]] {}: {} bytes do not fit {}; build a smaller program",
                board.id,
                flash.name,
                bytes.len(),
                flash.size
            )));
        }
        let mut words = vec![[0xff; 4]; flash.size as usize / 4];
        words.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        let mut machine = ThumbMachine {
            program: Program::new(&words, flash.base, used.div_ceil(4)),
            flash: words,
            flash_base: flash.base,
            ram: vec![[0; 4]; ram.size as usize / 4],
            ram_base: ram.base,
            timing,
            state: State::default(),
            stack_top: 0,
            kept: None,
        };
        machine.reset();
        Ok(machine)
    }

    /// Stack pointer and program counter from the vector table (DDI 0419, B1.5.5).
    fn reset(&mut self) {
        let vector = |i: usize| self.flash.get(i).map_or(u32::MAX, |word| u32::from_le_bytes(*word));
        let (sp, pc) = (vector(0), vector(1));
        self.state = State::default();
        self.state.registers[Reg::Sp] = sp & !3;
        self.state.registers[Reg::Lr] = u32::MAX;
        self.state.pc = pc;
        self.stack_top = sp & !3;
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
        let guard = Guard::default();
        let from = self.state.pc;
        let watch = StackWatch::new(self.ram_base, self.ram_base);
        let mut bus = Bus::<_, false> {
            ram: &mut self.ram,
            ram_base: self.ram_base,
            flash: &self.flash,
            flash_base: self.flash_base,
            watch,
            guard: &guard,
            timing: ZeroWait,
        };
        step::<CortexM0, _, false>(&mut self.state, &mut bus, &mut tally, from)?;
        Ok(tally.cycles)
    }

    /// Runs from the present state until the program counter is `stop`.
    pub fn run_to(&mut self, stop: u32, options: &CallOptions) -> Outcome {
        let stop = stop & !1;
        let size = self.ram.len() * 4;
        let guard = if options.zones.is_empty() {
            Guard::default()
        } else {
            Guard::new(self.ram_base, size, &options.zones)
        };
        let guarded = !options.zones.is_empty();
        match (self.timing, guarded) {
            (Timing::ZeroWait, false) => self.run_as::<_, false>(ZeroWait, &guard, stop, options),
            (Timing::ZeroWait, true) => self.run_as::<_, true>(ZeroWait, &guard, stop, options),
            (Timing::Prefetch(timing), false) => self.run_as::<_, false>(timing, &guard, stop, options),
            (Timing::Prefetch(timing), true) => self.run_as::<_, true>(timing, &guard, stop, options),
        }
    }

    fn run_as<T: FlashTiming, const GUARD: bool>(
        &mut self,
        timing: T,
        guard: &Guard,
        stop: u32,
        options: &CallOptions,
    ) -> Outcome {
        let mut bus = Bus::<T, GUARD> {
            ram: &mut self.ram,
            ram_base: self.ram_base,
            flash: &self.flash,
            flash_base: self.flash_base,
            watch: StackWatch::new(options.stack_limit, self.state.registers[Reg::Sp]),
            guard,
            timing,
        };
        let replaced = self.program.set_stop(&self.flash, stop);
        let (end, tally) = run(&self.program, &mut self.state, &mut bus, stop, options.budget);
        let (stalls, stack) = (bus.timing.stalls(), bus.watch.high_water());
        self.program.clear_stop(replaced);
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

    /// What a run gives that faults before its first instruction.
    fn refused(kind: FaultKind, pc: u32) -> Outcome {
        Outcome { exit: Exit::Fault(Fault { kind, pc }), cycles: 0, instructions: 0, stack: 0, result: 0 }
    }
}

/// The board's one memory of that kind.
fn only(board: &Board, kind: MemoryKind) -> Result<&Memory, NewError> {
    let word = if kind == MemoryKind::Flash { "flash" } else { "ram" };
    let mut memories = board.memories.iter().filter(|m| m.kind == kind);
    match (memories.next(), memories.next()) {
        (Some(memory), None) if (memory.base | memory.size) & 3 == 0 => Ok(memory),
        (Some(memory), None) => Err(NewError::Board(format!(
            "board {}: [[memory]] {}: base {:#x} and size {:#x} must be multiples of 4 on a Cortex-M part",
            board.id, memory.name, memory.base, memory.size
        ))),
        _ => Err(NewError::Board(format!(
            "board {}: [[memory]]: a Cortex-M part needs exactly one memory of kind \"{word}\" here; correct the list",
            board.id
        ))),
    }
}

impl Machine for ThumbMachine {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        self.reset();
        let pc = self.state.pc;
        if pc & 1 == 0 {
            return Self::refused(FaultKind::Unmapped { address: pc, size: 2, access: Access::Execute }, pc);
        }
        self.state.pc = pc & !1;
        let options = CallOptions { budget, stack_limit: self.ram_base, zones: Vec::new() };
        let outcome = self.run_to(ready, &options);
        self.stack_top = self.state.registers[Reg::Sp];
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        let arguments = aapcs::layout(args);
        let size = 4 * arguments.stack.len() as u32;
        let sp = (self.stack_top & !7).wrapping_sub(size);
        let bytes: Vec<u8> = arguments.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        if sp < options.stack_limit || self.write(sp, &bytes).is_err() {
            let kind = FaultKind::StackOverflow { address: sp, limit: options.stack_limit };
            return Self::refused(kind, function & !1);
        }
        for (i, word) in (0..).zip(arguments.registers) {
            self.state.registers[Reg::from_bits(i)] = word;
        }
        self.state.registers[Reg::Sp] = sp;
        self.state.registers[Reg::Lr] = RETURN | 1;
        self.state.pc = function & !1;
        self.run_to(RETURN, options)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        let size = out.len();
        for (memory, base) in [(&self.ram, self.ram_base), (&self.flash, self.flash_base)] {
            let start = address.wrapping_sub(base) as usize;
            if let Some(bytes) = start.checked_add(size).and_then(|end| memory.as_flattened().get(start..end))
            {
                out.copy_from_slice(bytes);
                return Ok(());
            }
        }
        Err(OutOfMap { address, size })
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        let start = address.wrapping_sub(self.ram_base) as usize;
        let bytes =
            start.checked_add(data.len()).and_then(|end| self.ram.as_flattened_mut().get_mut(start..end));
        match bytes {
            Some(bytes) => bytes.copy_from_slice(data),
            None => return Err(OutOfMap { address, size: data.len() }),
        }
        Ok(())
    }

    fn stack_top(&self) -> u32 {
        self.stack_top
    }

    fn snapshot(&mut self) {
        self.kept = Some(Box::new((self.ram.clone(), self.state, self.stack_top)));
    }

    fn restore(&mut self) {
        if let Some(kept) = &self.kept {
            self.ram.copy_from_slice(&kept.0);
            self.state = kept.1;
            self.stack_top = kept.2;
        } else {
            self.ram.fill([0; 4]);
            self.reset();
        }
    }
}
