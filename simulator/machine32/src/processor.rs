//! What an instruction set implements.

use std::borrow::Cow;
use std::fmt::Debug;
use std::rc::Rc;

use pennyweight_machine::account::Tally;
use pennyweight_machine::effects::Effects;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::{Board, BoardError, CoreFile, Fault, Image, LoadError};
use pennyweight_memory::bus::Bus;
use pennyweight_memory::parts::Memories;
use pennyweight_memory::random::RandomDevice;
use pennyweight_memory::timing::{Fetch, FlashModel, FlashTiming, Models};

use crate::abi::Abi;

/// The inputs that a processor is made from.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The extensions of the instruction set that the part has.
    pub extensions: &'a [String],
    /// The board, with the core's file.
    pub board: &'a Board,
    /// Its memories, loaded.
    pub memories: &'a Memories,
    /// Its flash's timing.
    pub flash: &'a FlashModel,
    /// Bytes of flash that can hold code.
    pub used: usize,
    /// Where execution begins, unless the core reads that from memory.
    pub entry: u32,
    /// The image that was loaded, if there is one.
    pub image: Option<&'a Image>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program counter reached the stop.
    Stopped,
    /// The budget is used up.
    OutOfCycles,
    /// A fault.
    Fault(Fault),
}

/// A call that has been entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program counter's value when the function has returned.
    pub stop: u32,
    /// The number of the register that holds its result then.
    pub result: u32,
}

/// The state that a run works on.
pub struct Run<'r, 'm, P: Processor, T, F, W> {
    /// The core and the decoded program.
    pub processor: &'r mut P,
    /// Its registers.
    pub state: &'r mut P::State,
    /// The core's other state.
    pub history: &'r mut P::History,
    /// Flash and RAM.
    pub bus: Bus<'m, T, W>,
    /// The cost of fetching code, line by line.
    pub fetch: &'r mut F,
    /// The part's random number generator.
    pub random: Option<&'r mut RandomDevice>,
    /// Instructions and cycles so far, without the waits of `bus`.
    pub tally: Tally,
}

/// The kind of a branch, as far as its encoding shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// A call.
    Call,
    /// A return.
    Return,
    /// Any other, or no branch.
    Other,
}

/// What an observer receives for an executed instruction.
#[derive(Clone, Debug)]
pub struct Report {
    /// The operation's name in the manual.
    pub name: Cow<'static, str>,
    /// Its effects, if they were requested and are known.
    pub effects: Option<Rc<Effects>>,
    /// Has it, or the branch whose delay slot it fills, called or returned?
    pub flow: FlowKind,
    /// Does [`Processor::run`] check the budget after it?
    pub checks_budget: bool,
}

/// A 32-bit core: its instruction set and its timing.
///
/// `State` is what programs see, `History` the core's other state, such as prediction tables; both are
/// reset, saved and restored together.
pub trait Processor: Clone + Debug + Sized {
    /// Registers, flags, the program counter, pending results.
    type State: Clone + Debug;
    /// State that affects only timing and outlives a call.
    type History: Clone + Debug;
    /// What `report` needs from before an instruction is executed.
    type Ahead;
    /// Facts about an instruction after it was executed.
    type Step;
    /// What an observed run remembers from instruction to instruction.
    type Notes: Default;

    /// The architecture that images must be for.
    const ARCHITECTURE: Architecture;
    /// The models of flash timing that a core with this instruction set can have.
    const MODELS: Models;
    /// Words of code that the core fetches ahead of execution, for models of flash timing that depend on
    /// them; 0 if none of the core's models does.
    const FETCHED_AHEAD: u32 = 0;
    /// Are caches and buffers empty after a restore, rather than as in the snapshot?
    const COLD_AFTER_RESTORE: bool = false;
    /// The number of the result register, for runs that call no function.
    const RESULT: u32;

    /// Validates a core's file.
    ///
    /// # Errors
    /// It describes no such processor: one sentence that names the field and the remedy.
    fn check(core: &CoreFile) -> Result<(), BoardError>;

    /// The models of flash timing that this core can have, if not all of [`Self::MODELS`].
    fn models(core: &CoreFile) -> Models {
        let _ = core;
        Self::MODELS
    }

    /// Makes the processor, whose core has passed [`Self::check`], and decodes what it needs in advance.
    ///
    /// # Errors
    /// The core does not support what the board asks for.
    fn new(parts: &Parts<'_>) -> Result<Self, LoadError>;

    /// The extension that the undefined instruction `opcode` at the program counter belongs to, if any.
    fn missing_extension(&self, state: &Self::State, opcode: u32) -> Option<&'static str>;

    /// Its calling convention.
    fn abi(&self) -> &Abi;

    /// The state after reset.
    fn fresh(&self, memories: &Memories) -> (Self::State, Self::History);

    /// Prepares to execute the first instruction after reset.
    ///
    /// # Errors
    /// There is no such instruction.
    fn begin(&self, state: &mut Self::State) -> Result<(), Fault> {
        let _ = state;
        Ok(())
    }

    /// The stack's limit during start-up: 0 where start-up sets the stack pointer itself.
    fn boot_limit(memories: &Memories) -> u32 {
        let _ = memories;
        0
    }

    /// The program counter's value at the code at `address`.
    fn counter(&self, address: u32) -> u32 {
        address
    }

    /// The address of the next instruction.
    fn pc(state: &Self::State) -> u32;

    /// Has the program counter come to `stop`?
    fn is_at(state: &Self::State, stop: u32) -> bool {
        Self::pc(state) == stop
    }

    /// The stack pointer.
    fn stack_pointer(state: &Self::State) -> u32;

    /// A register.
    fn register(state: &Self::State, number: u32) -> u32;

    /// Enters the function at `pc` as a call would, with this stack pointer and these values in the
    /// argument registers.
    fn enter(
        &self,
        state: &mut Self::State,
        history: &mut Self::History,
        pc: u32,
        stack: u32,
        arguments: &[u32],
    ) -> Call;

    /// Called after each run with what it executed, waits included.
    fn ran(state: &mut Self::State, tally: Tally) {
        let _ = (state, tally);
    }

    /// So many bytes of RAM at `address` may have changed since the last run.
    #[cfg(feature = "translator")]
    fn ram_changed(&mut self, address: u32, size: u32) {
        let _ = (address, size);
    }

    /// Runs at full speed until the program counter is `stop`, an instruction faults, or `budget` cycles
    /// have passed. The budget is checked at least once for each taken branch.
    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End;

    /// Decodes and executes one instruction from any memory. Slower than `run`, but correct even if the
    /// program just wrote the instruction. `from` is the address of the instruction that led here. An
    /// exception that comes first is taken instead, and no instruction is counted.
    ///
    /// # Errors
    /// The instruction's fault; the state is then that before it, except for what it has already done.
    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        from: u32,
    ) -> Result<Self::Step, Fault>;

    /// How often translated code ran and was not given up.
    fn translated_runs(&self) -> u64 {
        0
    }

    /// Inspects the next instruction.
    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, Self, T, F, W>) -> Self::Ahead;

    /// The report on the instruction just executed, with its effects if `effects` is set.
    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, Self, T, F, W>,
        ahead: Self::Ahead,
        step: Self::Step,
        notes: &mut Self::Notes,
        effects: bool,
    ) -> Report;
}
