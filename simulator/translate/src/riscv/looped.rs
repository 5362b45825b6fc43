//! Prediction of the last backward branch, Hazard3's, in translated code.
//!
//! The model itself runs when code is translated: what a jump loses depends on the straight line in front of it,
//! which is part of a block's key. Which branch is remembered is a register of the intermediate form, except in
//! lines behind predicted branches. In other lines, only that branch itself depends on it: a block for each case
//! begins there.

use pennyweight_riscv::core::{Around, JumpCosts, LoopState, Looped, Refill, Remembered, Starved};
use pennyweight_riscv::op::{Code, Op};
use pennyweight_riscv::pipeline::Pending;

use super::at::{Arrival, At};
use super::blocks::{computed_target, edge_to, link, Decoded, Finder};
use super::lower::condition;
use crate::ir::{Binary, End, Expr, Kind, Lost, Step};

/// Registers, those that keep values included.
pub const REGISTERS: u32 = 34;
/// The address of the branch that is remembered.
pub const REMEMBERED: u8 = 32;
/// If none is.
pub const NONE: u32 = 1;
/// Whether a branch is taken.
const TAKEN: u8 = 33;
/// Operations between two jumps, at most, in lines behind predicted branches.
const LONGEST_LINE: usize = 1024;

/// The code as fetching sees it.
struct FetchedCode<'a>(&'a dyn Around);

impl Around for FetchedCode<'_> {
    fn halfwords(&self, address: u32) -> u8 {
        self.0.halfwords(address)
    }

    fn pending(&self) -> Pending {
        self.0.pending()
    }

    fn follow(&self, starved: &mut Starved, from: u32, to: u32) {
        self.0.follow(starved, from, to);
    }

    fn execute(&self, starved: &mut Starved, address: u32) {
        self.0.execute(starved, address);
    }
}

/// No branch is remembered.
pub fn forget() -> Step {
    Step::Set(REMEMBERED, Expr::Constant(NONE))
}

/// Is all code from `position` up to the next jump translated?
pub fn runs_to_jump(source: &Decoded<'_>, mut position: usize) -> bool {
    for _ in 0..LONGEST_LINE {
        let Some(op) = source.program.ops().get(position) else { return false };
        position = match op.code {
            Code::GoOn => match source.program.position(op.imm) {
                Some(next) => next,
                None => return false,
            },
            _ if !source.translates(op) => return false,
            _ if op.is_jump() => return true,
            _ => position + 1,
        };
    }
    false
}

/// If it is not known yet: whether the branch `op` at `pc` is predicted.
pub fn is_predicted(op: &Op, pc: u32, at: &At) -> Option<Expr> {
    let line = at.line.filter(|line| line.queue.is_none())?;
    let can_be = is_backward(op, pc) && line.landed.is_none_or(|target| target >> 2 != pc >> 2);
    (at.predicted.is_none() && can_be)
        .then(|| Expr::binary(Binary::Equal, Expr::Register(REMEMBERED), Expr::Constant(pc)))
}

/// Is it a branch that can be remembered?
pub fn is_backward(op: &Op, pc: u32) -> bool {
    condition(op).is_some() && (op.imm.wrapping_sub(pc) as i32) < 0
}

/// The end of a block by the jump `op` at `position` in a line, which has begun.
pub fn end(
    finder: &mut Finder<'_, '_>,
    (op, position): (&Op, usize),
    line: LoopState,
    at: &mut At,
    steps: &mut Vec<Step>,
) -> End {
    let source = finder.source;
    let (places, around) = (source.program.places(), FetchedCode(source.around));
    let pc = places[position].address;
    let following = places.get(position + 1).map_or(pc, |place| place.address);
    let is_predicted = at.predicted.take() == Some(true);
    let mut model = Looped::new(refill(source));
    let remembered = Remembered { branch: pc, wide: source.around.halfwords(pc) == 2, target: op.imm };
    let remembered = if is_predicted { Some(remembered) } else { line.remembered };
    model.set_state(LoopState { remembered, ..line });
    // The state behind what the model does, and the cycles lost.
    let after = |act: &dyn Fn(&mut Looped) -> u32| {
        let mut model = model.clone();
        let lost = act(&mut model);
        let state = model.state();
        let remembered = state.remembered.filter(|_| state.queue.is_some());
        let mut pending = at.pending;
        pending.advance(lost);
        (At { pending, line: Some(LoopState { remembered, ..state }), ..*at }, lost)
    };
    if let Some(mut condition) = condition(op) {
        let is_predicted = model.predicts_branch(pc);
        let (there, lost) = after(&|model| model.taken((pc, op.imm), &around));
        let taken = [finder.jump_to(op.imm, pc, there); 2];
        let behind = if is_predicted {
            let (there, lost) = after(&|model| model.not_taken((pc, following), &around));
            At { forgotten: Some(lost), ..there }
        } else {
            *at
        };
        let not_taken = [edge_to(finder, position + 1, behind); 2];
        if is_backward(op, pc) && !is_predicted {
            let [set, kept] = [Expr::Constant(pc), Expr::Register(REMEMBERED)];
            steps.push(Step::Set(TAKEN, condition));
            condition = Expr::Register(TAKEN);
            steps.push(Step::Set(REMEMBERED, Expr::choice(condition.clone(), set, kept)));
        }
        return End::Branch { condition, pc, target: op.imm, lost: Lost::Always(lost), taken, not_taken };
    }
    let (link, kind) = (link(finder, op, following), Kind::Plain);
    if matches!(op.code, Code::Jump | Code::Call) {
        let target = op.imm;
        let (there, lost) = after(&|model| model.jump((pc, target), &around));
        let edges = [finder.jump_to(target, pc, there); 2];
        return End::Jump { pc, target, kind, link, lost: Lost::Always(lost), edges };
    }
    // To any target in one word.
    let (there, lost) = after(&|model| model.jump((pc, pc & !3), &around));
    let mut exit = |arrival| finder.exit(None, pc, At { arrival, ..there }, true);
    let (after, unknown) = ([exit(Arrival::Counted); 2], (exit(Arrival::Open(lost)), None));
    let tables = [finder.table(At::pending(there.pending)); 2];
    let (target, lost, then) = (computed_target(op), Lost::Always(lost), Vec::new());
    End::Indirect { pc, target, kind, link, lost, unknown, near: None, after, tables, then }
}

fn refill(source: &Decoded<'_>) -> Refill {
    match source.program.core().jumps {
        JumpCosts::Looped(refill) | JumpCosts::Refilled(refill) => refill,
        JumpCosts::Predicted { .. } => Refill { taken: 0, jump: 0, split: 0 },
    }
}
