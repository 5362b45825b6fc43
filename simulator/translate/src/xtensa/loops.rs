//! Zero-overhead loops (ISA reference manual, 4.3.2).
//!
//! Where one may end, a block ends. It goes back to the beginning of the loop that is known to end there; a loop
//! with another beginning leaves the code. The code is never left in front of a loop's end, for then nothing would
//! go back.

use pennyweight_xtensa::op::{Code, Op};
use pennyweight_xtensa::program::Program;
use pennyweight_xtensa::timing::skipped_loop;

use super::at::{At, Known};
use super::blocks::{edge_to, Finder};
use super::lower::value;
use super::shifts::FREE;
use crate::blocks::MOST_TABLES;
use crate::ir::{Binary, End, Expr, Kind, Lost, Register, Step};

/// The register of the intermediate form that holds LBEG.
pub const BEGIN: Register = 22;
/// LEND.
pub const END: Register = 23;
/// LCOUNT.
pub const COUNT: Register = 24;

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

/// Does it set up a loop?
#[must_use]
pub fn is_loop(op: &Op) -> bool {
    matches!(op.code, Code::Loop | Code::Loopnez | Code::Loopgtz)
}

/// The end of a block by `op` at `position`, if that sets up a loop.
pub fn enter(
    finder: &mut Finder<'_, '_>,
    op: &Op,
    position: usize,
    at: At,
    steps: &mut Vec<Step>,
) -> Option<End> {
    if !is_loop(op) {
        return None;
    }
    let program = finder.source.program;
    let [pc, following] = [position, position + 1].map(|position| program.places()[position].address);
    let times = value(op.s);
    steps.push(Step::Set(BEGIN, constant(following)));
    steps.push(Step::Set(END, constant(op.imm)));
    steps.push(Step::Set(COUNT, times.clone().plus(u32::MAX)));
    let into = edge_to(finder, position + 1, at.behind(*op));
    let is_skipped = match op.code {
        Code::Loopnez => Binary::Equal,
        Code::Loopgtz => Binary::NotHigherSigned,
        _ => return Some(End::Next(into)),
    };
    let condition = Expr::binary(is_skipped, times, constant(0));
    let lost = Lost::Always(skipped_loop(program.core()));
    let taken = [finder.jump_to(op.imm, pc, at.there()); 2];
    Some(End::Branch { condition, pc, target: op.imm, lost, taken, not_taken: [into; 2] })
}

/// The address where a loop begins that ends at `position`: the nearest one in front of it.
fn begin(program: &Program, position: usize) -> Option<u32> {
    let (ops, places) = (program.ops(), program.places());
    let end = ops[position].imm;
    let ends_here = |at: &usize| is_loop(&ops[*at]) && ops[*at].imm == end;
    let found = (0..position).rev().find(ends_here).or_else(|| (position..ops.len()).find(ends_here))?;
    places.get(found + 1).map(|place| place.address)
}

/// The end of a block in front of `position`, where a loop may end.
pub fn end(finder: &mut Finder<'_, '_>, position: usize, at: At, steps: &mut Vec<Step>) -> End {
    let program = finder.source.program;
    let begin = begin(program, position);
    // A loop never ends in front of all code.
    let pc = position.checked_sub(1).map_or(0, |last| program.places()[last].address);
    let equal = |register, value| Expr::binary(Binary::Equal, Expr::Register(register), constant(value));
    let both = |one, other| Expr::binary(Binary::And, one, other);
    let again = Expr::binary(Binary::NotEqual, Expr::Register(COUNT), constant(0));
    let ends = both(equal(END, program.ops()[position].imm), again);
    let mut count = |condition| {
        let rest = Expr::binary(Binary::Subtract, Expr::Register(COUNT), Expr::Register(FREE));
        steps.extend([Step::Set(FREE, condition), Step::Set(COUNT, rest)]);
        Expr::Register(FREE)
    };
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    let back = At { known: Known::Nothing, ..at };
    match (at.known, begin) {
        (Known::Nothing, Some(begin)) => {
            let condition = count(both(equal(BEGIN, begin), ends));
            let taken = [finder.jump_to(begin, pc, back); 2];
            let not_taken = [edge_to(finder, position, at.knowing(Known::Fails(1))); 2];
            End::Branch { condition, pc, target: begin, lost, taken, not_taken }
        }
        (Known::Holds(_), _) => {
            let exit = finder.exit(None, pc, back, true);
            let (target, then) = (Expr::Register(BEGIN), Vec::new());
            let (unknown, after, tables) = ((exit, None), [exit; 2], [MOST_TABLES; 2]);
            let (link, near) = (None, None);
            End::Indirect { pc, target, kind, link, lost, unknown, near, after, tables, then }
        }
        _ => {
            let condition = count(ends);
            let other = edge_to(finder, position, at.knowing(Known::Holds(0)));
            End::Either(condition, [other, edge_to(finder, position + 1, back)])
        }
    }
}
