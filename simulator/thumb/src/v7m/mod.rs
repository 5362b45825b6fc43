//! ARMv7-M, ARMv7E-M with its DSP instructions, and Armv8-M with the Main and DSP extensions: Cortex-M3,
//! Cortex-M4 and Cortex-M33 without floating point.
//!
//! References: ARMv7-M Architecture Reference Manual (Arm DDI 0403E), chapters A5 to A7; Armv8-M
//! Architecture Reference Manual (Arm DDI 0553), chapter C2, for what Armv8-M adds.
//!
//! Armv8-M is without its Security Extension: SG does nothing, TT and TTT answer as for a part
//! without memory protection, TTA, TTAT, BXNS and BLXNS are undefined. Its stack limit registers
//! hold what is written to them, but limit nothing: a run has its own limit.
//!
//! Every 16-bit instruction of ARMv6-M means the same here, so its operations and their execution
//! come from [`crate::v6m`]; a 32-bit instruction that does just the same becomes the same
//! operation. What the manual calls UNPREDICTABLE is treated as undefined, as in `v6m`.
//! Coprocessor and floating-point instructions are undefined, because no coprocessor is modelled.

mod bus;
mod code;
mod data;
mod decode;
mod execute;
mod flag_use;
mod memory;
mod multiply;
mod name;
mod simd;
mod wide;

pub use code::{Code, Kind};

use crate::op::{flow, FlagUse, Flow, FlowKind, InstructionSet, ItState, Op, Reason};
use crate::registers::{Flags, Reg, Registers};
use crate::system::System;
use crate::v6m;
use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;

/// ARMv7-M.
#[derive(Clone, Copy, Debug)]
pub enum V7m {}

/// ARMv7E-M: ARMv7-M with the DSP extension.
#[derive(Clone, Copy, Debug)]
pub enum V7em {}

/// Armv8-M with the Main and DSP extensions.
#[derive(Clone, Copy, Debug)]
pub enum V8m {}

/// What a set has beyond ARMv7-M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extensions {
    /// The DSP instructions.
    dsp: bool,
    /// What Armv8-M adds.
    v8: bool,
}

macro_rules! instruction_set {
    ($set:ty, $name:literal, $extensions:expr) => {
        impl InstructionSet for $set {
            type Code = Code;

            const NAME: &'static str = $name;
            const LEAVE: Op<Code> = Code::base(Op::new(v6m::Code::Leave, 0), 1);

            fn is_wide(first: u16) -> bool {
                first >> 11 >= 0b11101
            }

            fn decode(first: u16, second: u16, address: u32, conditional: bool) -> Op<Code> {
                if Self::is_wide(first) {
                    wide::decode(first, second, address, conditional, $extensions)
                } else {
                    decode::decode(first, address, conditional)
                }
            }

            #[inline(always)]
            fn width(op: &Op<Code>) -> u32 {
                op.code.width.into()
            }

            #[inline(always)]
            fn advance(op: &Op<Code>) -> usize {
                op.code.width.into()
            }

            fn block(op: &Op<Code>) -> Option<ItState> {
                (op.code.kind == Kind::It).then_some(ItState(op.imm as u8))
            }

            fn flags(op: &Op<Code>) -> FlagUse {
                flag_use::flags(op)
            }

            fn without_flags(op: &Op<Code>) -> Op<Code> {
                flag_use::without_flags(op)
            }

            fn name(op: &Op<Code>) -> String {
                name::name(op)
            }

            fn flow_kind(op: &Op<Code>) -> FlowKind {
                name::flow_kind(op)
            }

            fn is_undefined(op: &Op<Code>) -> bool {
                op.code.kind == Kind::Base(v6m::Code::Undefined)
            }

            fn branches(op: &Op<Code>) -> bool {
                matches!(op.code.kind, Kind::Base(code) if v6m::name::branches(code))
            }

            fn literal(op: &Op<Code>) -> Option<u32> {
                (op.code.kind == Kind::Base(v6m::Code::LdrLiteral) && op.imm & 3 == 0).then_some(op.imm)
            }

            fn with_literal(op: &Op<Code>, value: u32) -> Op<Code> {
                let code = Code { kind: Kind::Base(v6m::Code::LdrConstant), ..op.code };
                Op { code, imm: value, ..*op }
            }

            const FAULTS_WITHIN: bool = true;

            #[inline(always)]
            fn execute<B: DataBus, R: Reason>(
                op: &Op<Code>,
                pc: u32,
                registers: &mut Registers,
                flags: &mut Flags,
                system: &mut System,
                bus: &mut B,
                fault: &mut FaultKind,
            ) -> Flow<R> {
                flow(execute::execute(op, pc, registers, flags, system, bus), fault)
            }
        }
    };
}

instruction_set!(V7m, "armv7-m", Extensions { dsp: false, v8: false });
instruction_set!(V7em, "armv7e-m", Extensions { dsp: true, v8: false });
instruction_set!(V8m, "armv8-m.main", Extensions { dsp: true, v8: true });

/// The fields of an encoding.
fn field(word: u32, low_bit: u32, bits: u32) -> u32 {
    word >> low_bit & ((1 << bits) - 1)
}

/// The register in four bits.
fn register(word: u32, low_bit: u32) -> Reg {
    Reg::from_bits(word >> low_bit)
}

/// SP or PC: UNPREDICTABLE as most operands.
fn bad(reg: Reg) -> bool {
    matches!(reg, Reg::Sp | Reg::Pc)
}

/// An undefined 32-bit instruction, as an operation.
fn undefined(encoding: u32) -> Op<Code> {
    Code::base(Op::new(v6m::Code::Undefined, encoding), 2)
}

/// A 32-bit instruction of that kind.
fn wide_op(kind: Kind, imm: u32) -> Op<Code> {
    Op::new(Code { kind, width: 2, a: Reg::R0, s: 0 }, imm)
}

/// A 32-bit instruction that does what a 16-bit one does.
fn wide_base(code: v6m::Code, imm: u32) -> Op<Code> {
    wide_op(Kind::Base(code), imm)
}
