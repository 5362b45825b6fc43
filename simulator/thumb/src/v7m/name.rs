//! What operations are called, and what branches are for.

use pennyweight_machine::observe::word;

use super::{Code, Kind};
use crate::op::{FlowKind, Op};
use crate::registers::Reg;
use crate::v6m;

/// Forms of operands, the longer before those that they end with.
const FORMS: &[&str] =
    &["SpSh", "SpImm", "ToImm", "ToSh", "ToPre", "ToPost", "Imm", "Pre", "Post", "Sh", "Ia", "Db", "3"];

/// The operation in the manual's words; those of several instructions by what they have in common.
pub fn name(op: &Op<Code>) -> String {
    match op.code.kind {
        Kind::Base(code) => v6m::name::name(code),
        Kind::EorRor => "eor".to_owned(),
        Kind::AddRor => "add".to_owned(),
        Kind::ExtendSb | Kind::ExtendSh | Kind::ExtendSb16 => "sxt".to_owned(),
        Kind::ExtendUb | Kind::ExtendUh | Kind::ExtendUb16 => "uxt".to_owned(),
        kind => word(&format!("{kind:?}"), FORMS),
    }
}

/// What `op` is for if it branches.
pub fn flow_kind(op: &Op<Code>) -> FlowKind {
    let stack = op.n == Reg::Sp;
    match op.code.kind {
        Kind::Base(code) => {
            let base = Op { code, d: op.d, n: op.n, m: op.m, imm: op.imm };
            v6m::name::flow_kind(&base)
        }
        Kind::LdmIa | Kind::LdrToPost if stack => FlowKind::Return,
        _ => FlowKind::Other,
    }
}
