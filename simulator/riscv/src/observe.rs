//! What an observer receives for an instruction.

use std::borrow::Cow;

use pennyweight_machine::observe::word;
use pennyweight_machine32::{FlowKind, Report};

use crate::core::Core;
use crate::effects::{effects, InstructionEffects};
use crate::op::{Code, Op};
use crate::run::Single;

/// The report on an executed instruction; `is_decoded`: it is in the table of decoded code and so never
/// changes.
pub fn report(
    core: &Core,
    is_decoded: bool,
    single: &Single,
    known: &mut InstructionEffects,
    wants: bool,
) -> Report {
    Report {
        name: name(&single.op),
        effects: wants.then(|| known.get(single.pc, is_decoded, || effects(&single.op, core))),
        flow: match single.op.code {
            Code::Call | Code::CallReg => FlowKind::Call,
            Code::Return | Code::PopReturn | Code::PopReturnZero => FlowKind::Return,
            _ => FlowKind::Other,
        },
        checks_budget: single.jumped || !is_decoded,
    }
}

/// The operation in the manual's words; pseudo-instructions where only they are distinguished.
fn name(op: &Op) -> Cow<'static, str> {
    let name = match op.code {
        Code::Constant => "li",
        Code::Move => "mv",
        Code::AddiSp => "addi",
        Code::AddSp => "add",
        Code::OtherSp => "sp",
        Code::Jump => "j",
        Code::Call => "jal",
        Code::JumpReg => "jr",
        Code::CallReg => "jalr",
        Code::Return => "ret",
        Code::LoadReserved => "lr.w",
        Code::StoreConditional => "sc.w",
        Code::FenceI => "fence.i",
        Code::SextB => "sext.b",
        Code::SextH => "sext.h",
        Code::ZextH => "zext.h",
        Code::OrcB => "orc.b",
        Code::Push => "cm.push",
        Code::Pop => "cm.pop",
        Code::PopReturn => "cm.popret",
        Code::PopReturnZero => "cm.popretz",
        Code::MoveToArguments => "cm.mva01s",
        Code::MoveFromArguments => "cm.mvsa01",
        code => return word(&format!("{code:?}"), &[]).into(),
    };
    name.into()
}
