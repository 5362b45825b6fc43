//! A decoded instruction, small enough that a cache line holds eight.

use crate::registers::Reg;

/// One decoded instruction of an instruction set whose operations are `Code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op<Code> {
    /// What to do.
    pub code: Code,
    /// Destination, or the register that a store writes out.
    pub d: Reg,
    /// First operand, base address.
    pub n: Reg,
    /// Second operand, offset.
    pub m: Reg,
    /// Immediate, branch target, register list, encoding: by `code`.
    pub imm: u32,
}

impl<Code> Op<Code> {
    /// An operation on no register.
    #[must_use]
    pub const fn new(code: Code, imm: u32) -> Self {
        Op { code, d: Reg::R0, n: Reg::R0, m: Reg::R0, imm }
    }
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On to the next instruction, one halfword further.
    Next,
    /// On to the next instruction behind a 32-bit one.
    NextWide,
    /// A conditional branch of so many halfwords that is taken, to an even address.
    Taken(u32, u32),
    /// An unconditional branch of so many halfwords, to an even address.
    Go(u32, u32),
    /// Not an instruction: the predecoded code ends, or the run is to stop here.
    Leave,
    /// The core stops.
    Fault(pennyweight_machine::FaultKind),
}

/// Flags as a set: N and Z together, C, V.
pub mod flag_set {
    /// N and Z.
    pub const NZ: u8 = 1;
    /// Carry.
    pub const C: u8 = 2;
    /// Overflow.
    pub const V: u8 = 4;
    /// All of them.
    pub const ALL: u8 = NZ | C | V;
}

/// What an instruction does with the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagUse {
    /// Flags that it, or whatever it may go on to other than the next instruction, looks at.
    pub reads: u8,
    /// Flags that it may set.
    pub writes: u8,
    /// Flags among these that it may also leave as they are.
    pub keeps: u8,
}

impl FlagUse {
    /// The flags that matter before the instruction, of those that matter after it.
    #[must_use]
    pub fn live_before(self, live_after: u8) -> u8 {
        live_after & !(self.writes & !self.keeps) | self.reads
    }
}

/// An instruction set: decoding and semantics, no timing, no board.
pub trait InstructionSet {
    /// Its operations.
    type Code: Copy + Eq + std::fmt::Debug;

    /// Marks the place where predecoded code ends or a run is to stop.
    const LEAVE: Op<Self::Code>;

    /// Is this the first halfword of a 32-bit instruction?
    fn is_wide(first: u16) -> bool;

    /// Decodes the instruction at `address`; `second` counts only if the instruction is wide.
    /// Whatever is undefined decodes to an operation that faults.
    fn decode(first: u16, second: u16, address: u32) -> Op<Self::Code>;

    /// Halfwords of the instruction that `op` was decoded from.
    fn width(op: &Op<Self::Code>) -> u32;

    /// What `op` does with the flags.
    fn flags(op: &Op<Self::Code>) -> FlagUse;

    /// `op` if none of the flags that it sets is ever looked at: the same otherwise, faster.
    fn quiet(op: &Op<Self::Code>) -> Op<Self::Code>;

    /// If `op` loads a word from a fixed address: that address.
    fn literal(op: &Op<Self::Code>) -> Option<u32>;

    /// The same load when the word is known to be `value` for good.
    fn with_literal(op: &Op<Self::Code>, value: u32) -> Op<Self::Code>;

    /// Executes `op`, which lies at `pc`.
    fn execute<B: pennyweight_memory::bus::DataBus>(
        op: &Op<Self::Code>,
        pc: u32,
        registers: &mut crate::registers::Registers,
        flags: &mut crate::registers::Flags,
        system: &mut crate::system::System,
        bus: &mut B,
    ) -> Flow;
}
