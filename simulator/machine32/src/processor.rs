//! What an instruction set implements.

use std::borrow::Cow;
use std::fmt::Debug;
use std::rc::Rc;

use pennyweight_machine::account::Tally;
use pennyweight_machine::effects::Effects;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::image::Architecture;
use pennyweight_machine::{Board, Fault, Image, LoadError};
use pennyweight_memory::bus::Bus;
use pennyweight_memory::parts::Memories;
use pennyweight_memory::timing::{Fetch, FlashModel, FlashTiming, Models};

use crate::abi::Abi;

/// What a processor is made from.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The board.
    pub board: &'a Board,
    /// Its memories, loaded.
    pub memories: &'a Memories,
    /// Its flash's timing.
    pub flash: &'a FlashModel,
    /// Bytes of flash that can hold code.
    pub used: usize,
    /// Where execution begins, unless the core finds that in memory.
    pub entry: u32,
    /// What was loaded, if it was a file.
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

/// What a run works on.
pub struct Run<'r, 'm, P: Processor, T, F, W> {
    /// The core and the decoded program.
    pub processor: &'r mut P,
    /// Its registers.
    pub state: &'r mut P::State,
    /// What it remembers besides.
    pub history: &'r mut P::History,
    /// Flash and RAM.
    pub bus: Bus<'m, T, W>,
    /// Fetching, line by line.
    pub fetch: &'r mut F,
    /// What was executed, without the waits of `bus`.
    pub tally: Tally,
}

/// What a branch is for, as far as its encoding tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// A call.
    Call,
    /// A return.
    Return,
    /// Any other, or no branch.
    Other,
}

/// What an observer is told of an instruction that was executed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The operation in the manual's words.
    pub name: Cow<'static, str>,
    /// What it makes of what, if that was asked for and is known.
    pub effects: Option<Rc<Effects>>,
    /// Has it, or the branch whose delay slot it is, called or returned?
    pub flow: FlowKind,
    /// Does [`Processor::run`] look at the budget behind it?
    pub looks: bool,
}

/// A 32-bit core: its instruction set and its timing.
///
/// `State` is what programs see, `History` what the core remembers besides (tables for prediction);
/// both are reset, kept and restored together.
pub trait Processor: Clone + Debug + Sized {
    /// Registers, flags, the program counter, results on their way.
    type State: Clone + Debug;
    /// What has an influence on time only and outlasts a call.
    type History: Clone + Debug;
    /// What has to be looked at before an instruction is executed, for `report`.
    type Ahead;
    /// What is known of an instruction behind it.
    type Step;
    /// What an observed run remembers from instruction to instruction.
    type Notes: Default;

    /// The architecture that images must be for.
    const ARCHITECTURE: Architecture;
    /// The models of flash timing that the core can have.
    const MODELS: Models;
    /// Words of code that it fetches before it executes them, where a memory with wait states makes
    /// that matter; 0: its memory's model is without.
    const FETCHED_AHEAD: u32 = 0;
    /// Are caches and buffers empty after a restore, or as the snapshot found them?
    const COLD_AFTER_RESTORE: bool = false;
    /// The number of the register with a result, where no function was called.
    const RESULT: u32;

    /// Decodes what has to be decoded.
    ///
    /// # Errors
    /// The core is none that this simulator has, or cannot be what the board asks for.
    fn new(parts: &Parts<'_>) -> Result<Self, LoadError>;

    /// Its calling convention.
    fn abi(&self) -> &Abi;

    /// The state after reset.
    fn fresh(&self, memories: &Memories) -> (Self::State, Self::History);

    /// Makes ready to execute the first instruction after reset.
    ///
    /// # Errors
    /// There is none.
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

    /// Goes to the function at `pc` as a call would, with the stack pointer and these values of the
    /// argument registers.
    fn enter(
        &self,
        state: &mut Self::State,
        history: &mut Self::History,
        pc: u32,
        stack: u32,
        arguments: &[u32],
    ) -> Call;

    /// A run has ended that executed so much, waits included.
    fn ran(state: &mut Self::State, tally: Tally) {
        let _ = (state, tally);
    }

    /// Runs, fast, until the program counter is `stop`, a fault, or `budget` cycles: looked at once for
    /// each branch that is taken, at least.
    fn run<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        stop: u32,
        budget: u64,
    ) -> End;

    /// Decodes and executes one instruction, wherever it lies. Slower than `run`, but right even if the
    /// program just wrote the instruction. `from` is the instruction that led here. An exception that
    /// comes before the instruction is taken instead, and counts as none.
    ///
    /// # Errors
    /// The instruction's fault; the state is then that before it, but for what it has partly done.
    fn step<T: FlashTiming, F: Fetch, W: Watch>(
        run: &mut Run<'_, '_, Self, T, F, W>,
        from: u32,
    ) -> Result<Self::Step, Fault>;

    /// Looks at the instruction that is executed next.
    fn ahead<T: FlashTiming, F: Fetch, W: Watch>(run: &mut Run<'_, '_, Self, T, F, W>) -> Self::Ahead;

    /// What there is to tell of the instruction that was just executed; `effects`: theirs too.
    fn report<T: FlashTiming, F: Fetch, W: Watch>(
        run: &Run<'_, '_, Self, T, F, W>,
        ahead: Self::Ahead,
        step: Self::Step,
        notes: &mut Self::Notes,
        effects: bool,
    ) -> Report;
}
