//! What translation needs to know of an instruction set's operations.

use pennyweight_thumb::op::Op;

use super::costs::Work;
use super::flags::Flags;
use crate::ir::{Expr, Step};

/// The operations of an instruction set.
pub trait Operation: Copy + Sized {
    /// The condition of a branch; `None` if `op` is not a conditional branch.
    fn condition(op: &Op<Self>, flags: &mut Flags) -> Option<Expr>;

    /// Where `op` goes if it is a jump without a condition. What it does before that, and its checks, are added
    /// to `steps`.
    fn target(op: &Op<Self>, steps: &mut Vec<Step>) -> Option<Expr>;

    /// Adds the effects of `op`, which does not jump, to `steps`. False: it is not translated.
    #[must_use]
    fn lower(op: &Op<Self>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool;

    /// Does the jump `op` write the address behind it into LR?
    fn links(op: &Op<Self>) -> bool;

    /// Does `op` load a constant that decoding has read?
    fn is_constant_load(op: &Op<Self>) -> bool;

    /// The address that `op` loads from, unless it is known whether that is in RAM. For memories whose time
    /// depends on it.
    fn address_read(op: &Op<Self>) -> Option<Expr>;

    /// What the time of `op` depends on.
    fn work(op: &Op<Self>) -> Option<Work> {
        let _ = op;
        None
    }

    /// If `op` jumps to where a table of offsets behind it says: that table.
    fn table(op: &Op<Self>) -> Option<Table> {
        let _ = op;
        None
    }
}

/// A table of offsets in halfwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its address, from which the offsets count.
    pub address: u32,
    /// Bytes of an offset.
    pub bytes: u32,
}
