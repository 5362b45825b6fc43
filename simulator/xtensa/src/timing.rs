//! How many cycles instructions take, for both loops; the numbers are the core's ([`crate::core`]).

use crate::core::{Core, Options};
use crate::decode::{plain, writes};
use crate::op::{Code, Op, Reg};
use crate::special::{self, Effect};

/// Cycles that `op` waits if it follows `before`: it uses a result that takes two.
#[must_use]
pub fn waits(before: Option<&Op>, op: &Op) -> u32 {
    let Some(before) = before else { return 0 };
    let code = match before.code {
        Code::OtherSp => plain(before.imm, 0, Options::ALL).code,
        Code::Special if special::decode(before.imm, Options::ALL).is_some_and(|it| it.is_slow()) => {
            Code::RsrSar
        }
        code => code,
    };
    let slow = matches!(
        code,
        Code::L8ui
            | Code::L16ui
            | Code::L16si
            | Code::L32i
            | Code::L32r
            | Code::L32rSp
            | Code::Mul16u
            | Code::Mul16s
            | Code::Mull
            | Code::Muluh
            | Code::Mulsh
            | Code::RsrSar
            | Code::RsrCcount
    );
    u32::from(slow && reads(op, before.d))
}

/// Does `op` read `reg`?
fn reads(op: &Op, reg: Reg) -> bool {
    let conditional = matches!(op.code, Code::Moveqz | Code::Movnez | Code::Movltz | Code::Movgez);
    match op.code {
        Code::Constant
        | Code::L32r
        | Code::L32rSp
        | Code::J
        | Code::Call0
        | Code::Ssai
        | Code::RsrSar
        | Code::RsrCcount
        | Code::Nop
        | Code::Trap
        | Code::Waiti
        | Code::Undefined
        | Code::LoopEnd
        | Code::GoOn
        | Code::Leave => false,
        // The other register of a load is its destination.
        Code::L8ui | Code::L16ui | Code::L16si | Code::L32i | Code::Addi | Code::AddiSp => op.s == reg,
        _ => op.s == reg || op.t == reg || (conditional && writes(op.code) && op.d == reg),
    }
}

/// Cycles of `op` when it waits for nothing and no branch is taken.
#[must_use]
pub fn cycles(op: &Op, core: &Core) -> u32 {
    match op.code {
        Code::J | Code::Jx | Code::Call0 | Code::Callx0 => 1 + core.taken,
        Code::Quou | Code::Quos | Code::Remu | Code::Rems => core.division,
        Code::Special if special::decode(op.imm, core.options).is_some_and(|it| it.jumps()) => 1 + core.taken,
        _ => 1,
    }
}

/// Cycles beyond [`cycles`] of a branch that is taken: what always jumps has the jump in its cost.
#[inline(always)]
#[must_use]
pub fn taken(op: &Op, core: &Core) -> u32 {
    if op.ends_line() {
        0
    } else {
        core.taken
    }
}

/// Cycles beyond [`cycles`] of a loop that is skipped.
#[inline(always)]
#[must_use]
pub fn skipped_loop(core: &Core) -> u32 {
    core.taken
}

/// Cycles of an exception, the instruction that is killed included.
#[inline(always)]
#[must_use]
pub fn exception(core: &Core) -> u32 {
    1 + core.taken
}

/// Cycles of a special instruction beyond [`cycles`], unless it is an exception.
#[inline(always)]
#[must_use]
pub fn effect(effect: &Effect, core: &Core) -> u32 {
    match effect {
        Effect::Taken(_) => core.taken,
        Effect::On | Effect::Moved | Effect::Changed | Effect::To(_) | Effect::Exception(_) => 0,
    }
}
