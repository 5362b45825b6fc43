//! What an observer receives for an instruction.

use std::borrow::Cow;
use std::rc::Rc;

use pennyweight_machine::observe::word;
use pennyweight_machine32::{EffectsCache, FlowKind, Report};

use crate::core::Options;
use crate::effects::{effects, entered, physical};
use crate::op::{Code, Op, Reg};
use crate::run::{Single, State};
use crate::special::{self, Special};
use crate::windows::Windows;

/// Effects by address, in terms of the registers in the window.
pub type InstructionEffects = EffectsCache<u32>;

/// The facts about an instruction before it is executed.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Its address.
    pub pc: u32,
    /// Is it in the table of decoded code, and so never changes?
    pub is_decoded: bool,
    /// The windows before it.
    pub windows: Windows,
}

/// The report on an executed instruction (`None`: an exception, which has an empty one); `state` is the
/// state after it.
pub fn report(
    ahead: &Ahead,
    single: Option<Single>,
    state: &State,
    known: &mut InstructionEffects,
    wants: bool,
) -> Report {
    let Ahead { pc, is_decoded, windows } = *ahead;
    let Some(Single { op, bytes }) = single else {
        return Report { name: Cow::default(), effects: None, flow: FlowKind::Other, checks_budget: true };
    };
    let now = &state.extra.windows;
    let special = (op.code == Code::Special).then(|| special::decode(op.imm, Options::ALL)).flatten();
    let effects = wants.then(|| {
        let found = known.get(pc, is_decoded, || effects(&op));
        Rc::new(entered(&op, &windows, now).unwrap_or_else(|| physical(&found, &windows)))
    });
    let returns = op.code == Code::Jx && op.s == Reg::A0 || special == Some(Special::Return);
    let calls = matches!(op.code, Code::Call0 | Code::Callx0)
        || matches!(special, Some(Special::Call(..) | Special::CallTo(..)));
    // The fast loop checks the budget after a jump and where it hands over to the other loop.
    let changed = matches!(special, Some(Special::Write(..) | Special::Exchange(..)));
    let other = (windows.usable() == 4) != (now.usable() == 4);
    Report {
        name: name(&op, special.as_ref()),
        effects,
        flow: match (calls, returns) {
            (true, _) => FlowKind::Call,
            (false, true) => FlowKind::Return,
            (false, false) => FlowKind::Other,
        },
        checks_budget: !is_decoded || state.pc != pc.wrapping_add(bytes) || changed || other,
    }
}

/// The operation in the manual's words.
fn name(op: &Op, special: Option<&Special>) -> Cow<'static, str> {
    match (op.code, special) {
        (_, Some(special)) => special.mnemonic().into(),
        (Code::Constant, _) => "movi".into(),
        (Code::Move, _) => "mov".into(),
        (Code::Jx, _) if op.s == Reg::A0 => "ret".into(),
        (code, _) => word(&format!("{code:?}"), &["Sp"]).into(),
    }
}
