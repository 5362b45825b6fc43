//! Register windows (ISA reference manual, 4.7.1).
//!
//! Registers of the intermediate form hold the visible ones; the others are in banks. Code is translated for
//! windows all of whose registers belong to the call that runs. Where ENTRY, RETW or MOVSP would end that, or would
//! be an exception, it is left in front of them.

use pennyweight_xtensa::core::{Core, Options};
use pennyweight_xtensa::op::{Code, Op, Reg};
use pennyweight_xtensa::special::{self, Special};

use super::at::{At, Known};
use super::blocks::{edge_to, exit_before, Finder};
use super::lower::{number, value};
use super::shifts::FREE;
use crate::ir::{Binary, Edge, End, Expr, Register, Step};

/// The register of the intermediate form that holds WINDOWBASE.
pub const BASE: Register = 19;
/// WINDOWSTART as seen from the window's base: bit 0 is that of the base. It is repeated up to 32 bits.
pub const LIVE: Register = 20;
/// PS.CALLINC.
pub const STEP: Register = 21;
/// The lowest byte of the stack in use.
pub const LOWEST: Register = 25;
/// Registers of cores with windows or loops.
pub const REGISTERS: u32 = 26;

/// Bytes below the stack pointer that belong to a call (ISA reference manual, 8.1.4).
const BASE_SAVE_AREA: u32 = 16;
/// Fours of registers that are visible.
const VISIBLE: u8 = 4;

/// By how many fours RETW may move the window, in the order of their frequency.
const RETURNS: [u8; 3] = [2, 1, 3];

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

fn masked(value: Expr, mask: u32) -> Expr {
    Expr::binary(Binary::And, value, constant(mask))
}

/// Bits of WINDOWSTART up to 32 bits.
#[must_use]
pub fn repeated(start: u32, fours: u32) -> u32 {
    (0..32).step_by(fours.max(1) as usize).fold(0, |all, shift| all | start << shift)
}

/// Fours of physical registers.
fn fours(core: &Core) -> u32 {
    (core.registers / 4).max(1)
}

/// `op`, if it is a special instruction.
#[must_use]
pub fn special(op: &Op) -> Option<Special> {
    (op.code == Code::Special).then(|| special::decode(op.imm, Options::ALL)).flatten()
}

/// Is `op` ENTRY?
#[must_use]
pub fn is_entry(op: &Op) -> bool {
    matches!(special(op), Some(Special::Entry(..)))
}

/// Is it an instruction for windows that is translated where this is known?
#[must_use]
pub fn translates(op: &Op, at: &At) -> bool {
    let on = at.mode.is_some_and(|mode| mode.windows);
    match special(op) {
        Some(Special::Call(..) | Special::CallTo(..)) => true,
        Some(Special::Entry(s, _)) => on && s.0 < VISIBLE && at.step.is_some(),
        Some(Special::Return | Special::MoveSp(..)) => on,
        _ => false,
    }
}

/// The end of a block in front of `op`, if it is not known yet whether `op` is usual.
pub fn undecided(finder: &mut Finder<'_, '_>, op: &Op, position: usize, at: At) -> Option<End> {
    if matches!(at.known, Known::Holds(_)) {
        return None;
    }
    let tried = if let Known::Fails(tried) = at.known { usize::from(tried) } else { 0 };
    let is_return = special(op) == Some(Special::Return);
    let by = if is_return { *RETURNS.get(tried)? } else { at.step.unwrap_or(0) };
    let condition = is_usual(op, by)?;
    let is_last = !is_return || tried + 1 == RETURNS.len();
    let holds = edge_to(finder, position, at.knowing(Known::Holds(by)));
    let fails = if is_last {
        Edge { block: None, exit: exit_before(finder, position, at) }
    } else {
        edge_to(finder, position, at.knowing(Known::Fails(tried as u8 + 1)))
    };
    Some(End::Either(condition, [holds, fails]))
}

/// The condition of being possible without an exception for an instruction that moves the window by so many fours,
/// so that all visible registers belong to the call behind it.
pub fn is_usual(op: &Op, by: u8) -> Option<Expr> {
    let live = || Expr::Register(LIVE);
    let is = |value, expected| Expr::binary(Binary::Equal, value, constant(expected));
    Some(match special(op)? {
        // What comes into the window belongs to no call.
        Special::Entry(..) => is(masked(live(), 0b1110 << by), 0),
        // The caller's registers are in their banks, no other call is in front of it, and what comes into the
        // window with them belongs to no call.
        Special::Return => {
            let seen = Expr::binary(Binary::RotateLeft, live(), constant(by.into()));
            let is_caller = is(masked(seen, 0b1111 & !(1 << by)), 1);
            let step = Expr::binary(Binary::ShiftRight, value(Reg::A0), constant(30));
            Expr::binary(Binary::And, is_caller, is(step, by.into()))
        }
        // The caller's registers are in their banks.
        Special::MoveSp(..) => Expr::binary(Binary::ShiftRight, live(), constant(29)),
        _ => return None,
    })
}

/// Adds the effects of an instruction that does not jump and that is known to be possible. False: it is another
/// one.
pub fn lower(op: &Op, core: &Core, at: &At, steps: &mut Vec<Step>) -> bool {
    match (special(op), at.known) {
        (Some(Special::Entry(s, size)), Known::Holds(by)) => {
            steps.push(Step::Set(FREE, value(s).plus(size.wrapping_neg())));
            up(by, steps);
            steps.push(Step::SetStack(Expr::Register(FREE)));
            steps.push(Step::Reserve(BASE_SAVE_AREA));
            let seen = Expr::binary(Binary::RotateRight, Expr::Register(LIVE), constant(by.into()));
            let own = repeated(1, fours(core));
            steps.push(Step::Set(LIVE, Expr::binary(Binary::Or, seen, constant(own))));
            true
        }
        (Some(Special::MoveSp(t, s)), Known::Holds(_)) => {
            if t == Reg::SP {
                steps.extend([Step::SetStack(value(s)), Step::Reserve(BASE_SAVE_AREA)]);
            } else {
                steps.push(Step::Set(number(t), value(s)));
            }
            true
        }
        _ => false,
    }
}

/// Adds the effects of a call, except its return address and its target. Returns by how many fours it moves the
/// window, and the return address with its register.
pub fn call(op: &Op, following: u32, steps: &mut Vec<Step>) -> Option<(u8, (Register, u32))> {
    let (Special::Call(by, _) | Special::CallTo(by, _)) = special(op)? else { return None };
    steps.push(Step::Set(STEP, constant(by)));
    let link = (number(Reg(4 * by as u8)), by << 30 | following & 0x3fff_ffff);
    Some((by as u8, link))
}

/// Adds the effects of RETW at `pc`, which is known to be possible; where it goes.
pub fn leave(op: &Op, pc: u32, core: &Core, at: &At, steps: &mut Vec<Step>) -> Option<Expr> {
    let (Some(Special::Return), Known::Holds(by)) = (special(op), at.known) else { return None };
    steps.push(Step::Set(FREE, value(Reg::A0)));
    down(by, steps);
    let seen = Expr::binary(Binary::RotateLeft, Expr::Register(LIVE), constant(by.into()));
    let own = repeated(1, fours(core)) << by;
    steps.push(Step::Set(LIVE, masked(seen, !own)));
    steps.push(Step::Reserve(BASE_SAVE_AREA));
    let back = masked(Expr::Register(FREE), 0x3fff_ffff);
    Some(Expr::binary(Binary::Or, back, constant(pc & 0xc000_0000)))
}

/// The first register of a visible four.
fn four(index: u8) -> Register {
    number(Reg(4 * index))
}

/// The number of the bank of a visible four.
fn bank(index: u8) -> Expr {
    Expr::Register(BASE).plus(index.into())
}

/// Moves the window up by so many fours.
fn up(by: u8, steps: &mut Vec<Step>) {
    steps.extend((0..by).map(|index| Step::Save(bank(index), four(index))));
    for register in 0..4 * (VISIBLE - by) {
        steps.push(Step::Set(number(Reg(register)), value(Reg(register + 4 * by))));
    }
    move_base(u32::from(by), steps);
    steps.extend((VISIBLE - by..VISIBLE).map(|index| Step::Restore(bank(index), four(index))));
}

/// The reverse.
fn down(by: u8, steps: &mut Vec<Step>) {
    steps.extend((VISIBLE - by..VISIBLE).map(|index| Step::Save(bank(index), four(index))));
    for register in (4 * by..16).rev() {
        steps.push(Step::Set(number(Reg(register)), value(Reg(register - 4 * by))));
    }
    move_base(u32::from(by).wrapping_neg(), steps);
    steps.extend((0..by).map(|index| Step::Restore(bank(index), four(index))));
}

/// The base's upper bits, beyond the banks, count only when the code is left.
fn move_base(by: u32, steps: &mut Vec<Step>) {
    steps.push(Step::Set(BASE, Expr::Register(BASE).plus(by)));
}
