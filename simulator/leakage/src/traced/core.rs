//! What a core offers to be traced: it executes one instruction at a time and reports what changes.

use pennyweight_machine::FaultKind;

use crate::places::Place;

/// One access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Its address.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// Is it a store?
    pub store: bool,
    /// What was loaded or stored.
    pub data: u32,
    /// The bytes there before a store.
    pub old: u32,
    /// What the bus carries.
    pub bus: u32,
}

/// Where the new value of a place comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The instruction's result.
    Result(u8),
    /// A register, with its present value.
    Register(u8),
    /// A constant.
    Constant,
    /// What the access of this number loaded.
    Loaded(usize),
    /// What the access of this number stored.
    Stored(usize),
    /// What was in memory before the access of this number.
    Overwritten(usize),
    /// The instruction's result, which only sets flags.
    Flags,
}

/// What a value is computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Registers, as bits.
    pub registers: u32,
    /// Flags, as bits.
    pub flags: u8,
    /// What the instruction loads?
    pub loads: bool,
}

/// An instruction that was executed.
pub trait Executed {
    /// The operands that it computes values from.
    fn reads(&self) -> Reads;

    /// What the new value of this register is computed from.
    fn made_of(&self, register: u8) -> Reads {
        let _ = register;
        self.reads()
    }

    /// The flags that it sets, as bits.
    fn sets(&self) -> u8;

    /// The register whose value this access stores, if it is one.
    fn stored(&self, access: &Accessed) -> Option<u8>;
}

/// Receives what an instruction does, in an order that depends on the instruction only.
pub trait Receiver {
    /// It was executed and made these accesses; its changes follow.
    fn executed(&mut self, executed: &impl Executed, accesses: &[Accessed]) {
        let _ = (executed, accesses);
    }

    /// A place had the one value and has the other.
    fn change(&mut self, place: Place, register: Option<u8>, old: u32, new: u32, source: Source);
}

/// Where a program is: the address of the next instruction, and the stack pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The address.
    pub pc: u32,
    /// The stack pointer.
    pub stack: u32,
}

/// A program on a core with a leakage model, after its start-up.
pub trait Traceable: Send + Sync + Sized {
    /// Registers, memories, latches and buses in a trace.
    type State: Send;
    /// An executed instruction; a skipped one differs from it.
    type Instruction: Send + Sync;

    /// Writes to the memories with which each trace begins.
    ///
    /// # Errors
    /// The bytes lie outside RAM.
    fn prepare(&mut self, address: u32, bytes: &[u8]) -> Result<(), Outside>;

    /// A state in which no call has begun.
    fn state(&self) -> Self::State;

    /// Makes `state` such a state again.
    fn reset(&self, state: &mut Self::State);

    /// Writes to the RAM of a trace.
    fn write(&self, state: &mut Self::State, address: u32, bytes: &[u8]);

    /// The calls of a trace, of which the last one is examined.
    fn calls(&self) -> usize;

    /// Begins the call of this number.
    fn enter(&self, state: &mut Self::State, call: usize);

    /// Has the call returned?
    fn returned(&self, state: &Self::State) -> bool;

    /// Where the program is.
    fn position(&self, state: &Self::State) -> Position;

    /// Where it will be when the function that has just been called returns.
    fn return_position(&self, state: &Self::State) -> Position;

    /// The next instruction.
    fn decode(&self, state: &Self::State) -> Option<Self::Instruction>;

    /// Its address.
    fn address(instruction: &Self::Instruction) -> u32;

    /// Is this instruction the next one?
    fn is_next(&self, state: &Self::State, instruction: &Self::Instruction) -> bool;

    /// Executes the next instruction, which is `of`.
    ///
    /// # Errors
    /// Its fault.
    fn step(
        &self,
        state: &mut Self::State,
        of: &Self::Instruction,
        receiver: &mut impl Receiver,
    ) -> Result<(), FaultKind>;
}

/// Bytes lie outside RAM.
#[derive(Clone, Copy, Debug)]
pub struct Outside;
