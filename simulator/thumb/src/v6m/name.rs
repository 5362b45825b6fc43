//! What operations are called, and what branches are for.

use pennyweight_machine::observe::word;

use super::Code;
use crate::op::{FlowKind, Op};
use crate::registers::Reg;

/// The operation in the manual's words.
pub fn name(code: Code) -> String {
    match code {
        Code::Constant | Code::MovSp | Code::MovPc => "mov".to_owned(),
        Code::AddConstant | Code::AddFromSp | Code::AddSpReg | Code::AddSpImm | Code::AddPc => {
            "add".to_owned()
        }
        Code::Neg => "rsb".to_owned(),
        Code::PopPc => "pop".to_owned(),
        code => word(&format!("{code:?}"), &["Imm", "Reg", "Constant", "Literal"]),
    }
}

/// What `op` is for if it branches. BX of any register but LR is a jump.
pub fn flow_kind(op: &Op<Code>) -> FlowKind {
    match op.code {
        Code::Bl | Code::Blx => FlowKind::Call,
        Code::PopPc => FlowKind::Return,
        Code::Bx | Code::MovPc if op.m == Reg::Lr => FlowKind::Return,
        _ => FlowKind::Other,
    }
}

/// Does an operation always branch, to an address that does not depend on its operands?
pub fn branches(code: Code) -> bool {
    matches!(code, Code::B | Code::Bl)
}
