//! The contract between a core and its caller: calls, their options, their outcome.

use crate::fault::Fault;
use crate::observe::Observer;

/// One argument of a called function. Each core's ABI decides the registers and the stack slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A pointer, given as ELF address.
    Pointer(u32),
    /// A `size_t`.
    Size(u32),
    /// An `unsigned long long`, the type of lengths in SUPERCOP's and NIST's one-shot API.
    U64(u64),
    /// An `int`.
    Int(i32),
}

/// Bytes that the called function must not touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// First address (ELF).
    pub start: u32,
    /// One past the last address (ELF).
    pub end: u32,
    /// Reads fault.
    pub no_read: bool,
    /// Writes fault.
    pub no_write: bool,
}

/// What holds during one call.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// Cycles after which the call is given up; checked at least once per taken branch.
    pub budget: u64,
    /// The lowest address (ELF) that the stack may use.
    pub stack_limit: u32,
    /// Guard zones in RAM; checking costs speed only when there are any. What any of them forbids, to
    /// read or to write, is forbidden below the stack pointer too, in RAM that is free for the stack.
    pub zones: Vec<Zone>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The function returned (or the start-up code reached the ready symbol).
    Returned,
    /// A fault.
    Fault(Fault),
    /// The budget was used up with the program counter here.
    OutOfCycles {
        /// Address of the next instruction.
        pc: u32,
    },
}

/// Random numbers that a run read from the part's generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Bits of all numbers.
    pub bits: u64,
    /// Cycles that the program waited for them: for each, from the first read of the status register that
    /// finds no number until the read of the number.
    pub waited: u64,
}

/// What a run cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// Cycles from the function's first instruction to its return instruction, both included.
    pub cycles: u64,
    /// Instructions executed (retired), the return included.
    pub instructions: u64,
    /// Stack high-water mark in bytes below the value that the stack pointer had before the call
    /// instruction: the return address counts where the core pushes it, arguments that the
    /// caller passes on the stack do not.
    pub stack: u32,
    /// The function's result, as an `int` of the ABI, sign-extended.
    pub result: i32,
    /// Random numbers read.
    pub random: Drawn,
}

impl Outcome {
    /// A run that ended in this way before its first instruction.
    #[must_use]
    pub fn of(exit: Exit) -> Self {
        Outcome { exit, cycles: 0, instructions: 0, stack: 0, result: 0, random: Drawn::default() }
    }
}

/// A requested address range is outside the memory map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMap {
    /// First address asked for.
    pub address: u32,
    /// Bytes asked for.
    pub size: usize,
}

/// A simulated board with an image loaded: what the Python bindings and the checks drive.
///
/// Addresses are ELF addresses throughout.
pub trait Machine {
    /// Resets the core and runs the start-up code until the program counter reaches `ready`.
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome;

    /// Calls the function at `function` by the ABI, with the stack pointer at the top that
    /// `boot` left, and runs it to its return, a fault or the end of the budget.
    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome;

    /// As `call`, with the same outcome, and reports each instruction to `observer`; slower. Only a
    /// fault's cycles may differ, by what the instruction that faulted had waited. `None`: this core
    /// does not offer it.
    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        let _ = (function, args, options, observer);
        None
    }

    /// The extension of the instruction set that the undefined instruction `opcode`, at the program
    /// counter, belongs to; `None` if it is not known to the simulator.
    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        let _ = opcode;
        None
    }

    /// Copies memory out; no guard applies.
    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap>;

    /// Copies bytes into RAM; flash is not writable from here either.
    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap>;

    /// The stack pointer (ELF address) at which a call starts; set by `boot`.
    fn stack_top(&self) -> u32;

    /// Whether a word at an odd address is the one at the even address below, instead of a fault. False
    /// if the part does not do so; then nothing changes.
    fn allow_odd_words(&mut self, allowed: bool) -> bool {
        let _ = allowed;
        false
    }

    /// How often translated code ran and was not given up; 0 for a machine that only interprets.
    fn translated_runs(&self) -> u64 {
        0
    }

    /// Keeps a copy of RAM and core state for `restore`.
    fn snapshot(&mut self);

    /// Brings back what `snapshot` kept, or the state before `boot` if there was none.
    fn restore(&mut self);
}
