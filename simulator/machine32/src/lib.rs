//! The machine around a 32-bit core.
//!
//! An instruction set implements [`Processor`]: its registers, how it decodes, executes and counts.
//! [`Machine32`] does the rest, once for all of them: it puts memories and flash timing around the
//! processor, boots, passes arguments by the [`Abi`], runs to a return, a fault or the end of a budget,
//! takes snapshots, and runs observed, one instruction at a time. This crate depends on no instruction set,
//! no board by name, and reads no file.

mod abi;
mod effects_cache;
mod machine;
mod observe;
mod processor;

pub use abi::{Abi, Arguments, Pairs, AAPCS, CALL0, ILP32, ILP32E, O32};
pub use effects_cache::EffectsCache;
pub use machine::Machine32;
pub use processor::{Call, End, FlowKind, Parts, Processor, Report, Run};
