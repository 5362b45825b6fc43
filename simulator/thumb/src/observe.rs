//! What an observer receives for an instruction.

use pennyweight_machine32::{FlowKind, Report};

use crate::core::Core;
use crate::effects::{effects, InstructionEffects, ItCondition};
use crate::op::InstructionSet as _;
use crate::run::{Single, State};

/// The facts about an instruction before it is executed.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Its address.
    pub pc: u32,
    /// Is it in the table of decoded code, and so never changes?
    pub is_decoded: bool,
    /// The condition of an IT instruction before it.
    pub it_condition: Option<ItCondition>,
}

/// The report on an executed instruction; `state` is the state after it.
pub fn report<C: Core>(
    ahead: Ahead,
    single: &Single<C>,
    state: &State,
    known: &mut InstructionEffects,
    wants: bool,
) -> Report {
    let Ahead { pc, is_decoded, it_condition } = ahead;
    Report {
        name: C::Set::name(&single.op).into(),
        effects: wants.then(|| {
            known.get((pc, it_condition), is_decoded, || {
                effects::<C>(&single.op, it_condition.map(|condition| (condition, single.cycles)))
            })
        }),
        flow: if single.jumped { C::Set::flow_kind(&single.op) } else { FlowKind::Other },
        checks_budget: single.jumped || !is_decoded || it_condition.is_some() && !state.it.active(),
    }
}
