//! A decoded instruction, small enough that a cache line holds eight.

pub use pennyweight_machine32::FlowKind;

use pennyweight_machine::FaultKind;

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

/// How a fault's kind is returned: next to the flow of control (`()`), which then fits into two of the host's
/// registers, or within it. Which one is faster depends on the loop: see [`InstructionSet::FAULTS_WITHIN`].
pub trait Reason: Sized {
    /// The kind, or its place in `beside`.
    fn new(kind: FaultKind, beside: &mut FaultKind) -> Self;

    /// The kind.
    fn kind(self, beside: FaultKind) -> FaultKind;
}

impl Reason for () {
    #[inline(always)]
    fn new(kind: FaultKind, beside: &mut FaultKind) {
        *beside = kind;
    }

    #[inline(always)]
    fn kind(self, beside: FaultKind) -> FaultKind {
        beside
    }
}

impl Reason for FaultKind {
    #[inline(always)]
    fn new(kind: FaultKind, _: &mut FaultKind) -> FaultKind {
        kind
    }

    #[inline(always)]
    fn kind(self, _: FaultKind) -> FaultKind {
        self
    }
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow<R = ()> {
    /// On to the next instruction, [`InstructionSet::advance`] halfwords further.
    Next,
    /// On to the next instruction behind a 32-bit one.
    NextWide,
    /// On to the next instruction after something whose time depends on operands.
    Busy(Work),
    /// The next instructions are conditional, by an IT instruction's state.
    Block(u32),
    /// A conditional branch of so many halfwords that is taken, to an even address.
    Taken(u32, u32),
    /// An unconditional branch of so many halfwords, to an even address.
    Go(u32, u32),
    /// Not an instruction: the predecoded code ends, or the run is to stop here.
    Leave,
    /// The core stops.
    Fault(R),
}

/// A step's flow, or its fault's kind.
#[inline(always)]
pub fn flow<R: Reason>(step: Result<Flow<R>, FaultKind>, fault: &mut FaultKind) -> Flow<R> {
    match step {
        Ok(flow) => flow,
        Err(kind) => Flow::Fault(R::new(kind, fault)),
    }
}

/// What the time of an instruction may depend on, apart from the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A long multiplication of these factors.
    LongMultiply(u32, u32),
    /// A division: magnitudes of dividend and divisor.
    Divide(u32, u32),
    /// An access that was not aligned: so many transfers more than one.
    Unaligned(u32),
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
    /// Flags that are read by it, or by any of its successors other than the next instruction.
    pub reads: u8,
    /// Flags that it may set.
    pub writes: u8,
    /// Flags among these that it may also leave unchanged.
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
    type Code: Copy + Eq + std::fmt::Debug + Send + Sync + 'static;

    /// Its name in core files.
    const NAME: &'static str;

    /// Marks the place where predecoded code ends or a run is to stop.
    const LEAVE: Op<Self::Code>;

    /// Is this the first halfword of a 32-bit instruction?
    fn is_wide(first: u16) -> bool;

    /// Decodes the instruction at `address`; `second` counts only if the instruction is wide;
    /// `conditional`: an IT instruction governs it. Whatever is undefined decodes to an operation
    /// that faults.
    fn decode(first: u16, second: u16, address: u32, conditional: bool) -> Op<Self::Code>;

    /// Halfwords of the instruction that `op` was decoded from.
    fn width(op: &Op<Self::Code>) -> u32;

    /// Halfwords to the next instruction after [`Flow::Next`] or [`Flow::Busy`].
    fn advance(op: &Op<Self::Code>) -> usize;

    /// If `op` makes the instructions behind it conditional: its state, as in [`ItState`].
    fn block(op: &Op<Self::Code>) -> Option<ItState>;

    /// What `op` does with the flags.
    fn flags(op: &Op<Self::Code>) -> FlagUse;

    /// `op` if none of the flags that it sets is ever read: the same otherwise, faster.
    fn without_flags(op: &Op<Self::Code>) -> Op<Self::Code>;

    /// The operation in the manual's words, without the form of its operands.
    fn name(op: &Op<Self::Code>) -> String;

    /// What `op` is for if it branches.
    fn flow_kind(op: &Op<Self::Code>) -> FlowKind;

    /// Does `op` represent an instruction that the set does not have?
    fn is_undefined(op: &Op<Self::Code>) -> bool;

    /// Does `op` go elsewhere than to the next instruction if it is executed?
    fn branches(op: &Op<Self::Code>) -> bool;

    /// If `op` loads a word from a fixed address: that address.
    fn literal(op: &Op<Self::Code>) -> Option<u32>;

    /// The same load when the word is known to be `value` for good.
    fn with_literal(op: &Op<Self::Code>, value: u32) -> Op<Self::Code>;

    /// Is the loop without wait states faster if a fault's kind is returned within the flow of control?
    const FAULTS_WITHIN: bool;

    /// Executes `op` at `pc`; `fault` receives the kind of a fault that is returned separately.
    fn execute<B: pennyweight_memory::bus::DataBus, R: Reason>(
        op: &Op<Self::Code>,
        pc: u32,
        registers: &mut crate::registers::Registers,
        flags: &mut crate::registers::Flags,
        system: &mut crate::system::System,
        bus: &mut B,
        fault: &mut FaultKind,
    ) -> Flow<R>;
}

/// Which of the next instructions are executed: ITSTATE (DDI 0403, A7.3.3); 0 outside of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItState(pub u8);

impl ItState {
    /// Is the next instruction conditional?
    #[inline(always)]
    #[must_use]
    pub fn active(self) -> bool {
        self.0 & 15 != 0
    }

    /// The next instruction's condition.
    #[must_use]
    pub fn condition(self) -> u32 {
        u32::from(self.0) >> 4
    }

    /// The state behind the next instruction.
    #[must_use]
    pub fn advanced(self) -> ItState {
        if self.0 & 7 == 0 {
            ItState(0)
        } else {
            ItState(self.0 & 0xe0 | self.0 << 1 & 0x1f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ItState;

    #[test]
    fn a_block_goes_through_its_conditions() {
        // ITTEE EQ: firstcond 0000, mask 0111: then, then, else, else.
        let mut state = ItState(0b0000_0111);
        let mut conditions = Vec::new();
        while state.active() {
            conditions.push(state.condition());
            state = state.advanced();
        }
        assert_eq!(conditions, [0, 0, 1, 1]);
        assert_eq!(state, ItState(0));
        assert_eq!(ItState(0b1010_1000).advanced(), ItState(0));
    }
}
