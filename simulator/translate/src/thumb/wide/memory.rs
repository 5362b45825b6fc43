//! Loads, stores, and the jumps that load their target.

use pennyweight_thumb::op::Op;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v7m::{Code, Kind};

use super::super::flags::{FREE, SECOND};
use super::super::lower::{
    interwork, load_multiple, load_to, number, set_stack, store, store_multiple, value,
};
use super::super::values::{add, left};
use super::relaxed;
use crate::ir::{Expr, Step, Width};

/// Loads and stores of one register need not be aligned.
pub fn need_not_be_aligned(steps: &mut [Step]) {
    for step in steps {
        if let Step::Load { alignment, .. } | Step::Store { alignment, .. } = step {
            *alignment = relaxed(*alignment);
        }
    }
}

/// How an address is formed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Base and offset.
    Offset,
    /// Base and a shifted register.
    Indexed,
    /// Base and offset, which the base becomes.
    Before,
    /// The base, to which the offset is added then.
    After,
}

/// The width of what `op` loads, whether it is sign-extended, and the mode, if it loads one register.
fn load(kind: Kind) -> Option<(Width, bool, Mode)> {
    use Kind as K;
    use Mode::{After, Before, Indexed, Offset};
    use Width::{Byte, Half, Word};
    Some(match kind {
        K::LdrshImm => (Half, true, Offset),
        K::LdrsbImm => (Byte, true, Offset),
        K::LdrSh => (Word, false, Indexed),
        K::LdrhSh => (Half, false, Indexed),
        K::LdrbSh => (Byte, false, Indexed),
        K::LdrshSh => (Half, true, Indexed),
        K::LdrsbSh => (Byte, true, Indexed),
        K::LdrPre => (Word, false, Before),
        K::LdrhPre => (Half, false, Before),
        K::LdrbPre => (Byte, false, Before),
        K::LdrshPre => (Half, true, Before),
        K::LdrsbPre => (Byte, true, Before),
        K::LdrPost => (Word, false, After),
        K::LdrhPost => (Half, false, After),
        K::LdrbPost => (Byte, false, After),
        K::LdrshPost => (Half, true, After),
        K::LdrsbPost => (Byte, true, After),
        _ => return None,
    })
}

/// The same of what `op` stores.
fn stored(kind: Kind) -> Option<(Width, Mode)> {
    use Kind as K;
    use Mode::{After, Before, Indexed};
    use Width::{Byte, Half, Word};
    Some(match kind {
        K::StrSh => (Word, Indexed),
        K::StrhSh => (Half, Indexed),
        K::StrbSh => (Byte, Indexed),
        K::StrPre => (Word, Before),
        K::StrhPre => (Half, Before),
        K::StrbPre => (Byte, Before),
        K::StrPost => (Word, After),
        K::StrhPost => (Half, After),
        K::StrbPost => (Byte, After),
        _ => return None,
    })
}

fn address(op: &Op<Code>, mode: Mode) -> Expr {
    match mode {
        Mode::Offset | Mode::Before => value(op.n).plus(op.imm),
        Mode::Indexed => add(value(op.n), left(value(op.m), u32::from(op.code.s & 3))),
        Mode::After => value(op.n),
    }
}

/// Gives a base register a new value.
fn set_base(n: Reg, to: Expr, steps: &mut Vec<Step>) {
    if n == Reg::Sp {
        set_stack(to, steps);
    } else {
        steps.push(Step::Set(number(n), to));
    }
}

/// Writes back what a load or store of this mode does.
fn write_back(op: &Op<Code>, mode: Mode, steps: &mut Vec<Step>) {
    if matches!(mode, Mode::Before | Mode::After) {
        set_base(op.n, value(op.n).plus(op.imm), steps);
    }
}

/// Adds the effects of a load or store that does not jump. False: it is another operation, or not translated.
pub fn lower(op: &Op<Code>, steps: &mut Vec<Step>) -> bool {
    use Kind as K;
    let before = steps.len();
    if let Some((width, signed, mode)) = load(op.code.kind) {
        load_to(number(op.d), address(op, mode), width, signed, steps);
        need_not_be_aligned(&mut steps[before..]);
        write_back(op, mode, steps);
        return true;
    }
    if let Some((width, mode)) = stored(op.code.kind) {
        if mode == Mode::Before && op.n == Reg::Sp {
            if op.imm & 3 != 0 {
                // The mark is then not that of the stack pointer's value.
                return false;
            }
            write_back(op, mode, steps);
            store(value(op.n), value(op.d), width, steps);
            return true;
        }
        store(address(op, mode), value(op.d), width, steps);
        need_not_be_aligned(&mut steps[before..]);
        write_back(op, mode, steps);
        return true;
    }
    match op.code.kind {
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost if op.d == Reg::Sp => {
            set_stack(load_target(op, steps), steps);
        }
        K::Ldrd | K::LdrdPre | K::LdrdPost => dual(op, steps),
        K::Strd | K::StrdPre | K::StrdPost => store_dual(op, steps),
        K::LdmIa | K::LdmDb if op.imm & 0x8000 == 0 => multiple(op, steps),
        K::StmIa => {
            let size = store_multiple(&value(op.n), op.imm, steps);
            if op.code.s != 0 {
                set_base(op.n, value(op.n).plus(size), steps);
            }
        }
        K::StmDb => {
            let size = 4 * op.imm.count_ones();
            if op.code.s != 0 && op.n == Reg::Sp {
                set_base(op.n, value(op.n).plus(size.wrapping_neg()), steps);
                store_multiple(&value(op.n), op.imm, steps);
                return true;
            }
            let start = value(op.n).plus(size.wrapping_neg());
            store_multiple(&start, op.imm, steps);
            if op.code.s != 0 {
                set_base(op.n, start, steps);
            }
        }
        K::Lda => load_to(number(op.d), value(op.n), Width::Word, false, steps),
        K::Ldah => load_to(number(op.d), value(op.n), Width::Half, false, steps),
        K::Stl => store(value(op.n), value(op.d), Width::Word, steps),
        K::Stlh => store(value(op.n), value(op.d), Width::Half, steps),
        _ => return false,
    }
    true
}

/// Where `op` goes, if it loads that.
pub fn target(op: &Op<Code>, steps: &mut Vec<Step>) -> Option<Expr> {
    use Kind as K;
    match op.code.kind {
        K::LdrToImm | K::LdrToSh | K::LdrToPre | K::LdrToPost if op.d == Reg::Pc => {
            let target = load_target(op, steps);
            Some(interwork(target, steps))
        }
        K::LdmIa | K::LdmDb if op.imm & 0x8000 != 0 => {
            multiple(op, steps);
            Some(interwork(Expr::Register(SECOND), steps))
        }
        K::Tbb | K::Tbh => {
            let is_wide = op.code.kind == K::Tbh;
            let base = if op.n == Reg::Pc { Expr::Constant(op.imm) } else { value(op.n) };
            let (width, place) = if is_wide {
                (Width::Half, add(base, left(value(op.m), 1)))
            } else {
                (Width::Byte, add(base, value(op.m)))
            };
            load_to(FREE, place, width, false, steps);
            Some(left(Expr::Register(FREE), 1).plus(op.imm))
        }
        _ => None,
    }
}

/// Loads what SP or PC takes.
fn load_target(op: &Op<Code>, steps: &mut Vec<Step>) -> Expr {
    let mode = match op.code.kind {
        Kind::LdrToSh => Mode::Indexed,
        Kind::LdrToPre => Mode::Before,
        Kind::LdrToPost => Mode::After,
        _ => Mode::Offset,
    };
    load_to(FREE, address(op, mode), Width::Word, false, steps);
    write_back(op, mode, steps);
    Expr::Register(FREE)
}

/// A base that what is loaded does not change.
fn kept_base(op: &Op<Code>, is_loaded: bool, steps: &mut Vec<Step>) -> Expr {
    if !is_loaded {
        return value(op.n);
    }
    steps.push(Step::Set(FREE, value(op.n)));
    Expr::Register(FREE)
}

fn dual(op: &Op<Code>, steps: &mut Vec<Step>) {
    let offset = if op.code.kind == Kind::LdrdPost { 0 } else { op.imm };
    let base = kept_base(op, op.n == op.d, steps);
    load_to(number(op.d), base.clone().plus(offset), Width::Word, false, steps);
    load_to(number(op.code.a), base.plus(offset.wrapping_add(4)), Width::Word, false, steps);
    if op.code.kind != Kind::Ldrd {
        set_base(op.n, value(op.n).plus(op.imm), steps);
    }
}

fn store_dual(op: &Op<Code>, steps: &mut Vec<Step>) {
    let moves_stack = op.code.kind == Kind::StrdPre && op.n == Reg::Sp;
    if moves_stack {
        set_base(op.n, value(op.n).plus(op.imm), steps);
    }
    let offset = if moves_stack || op.code.kind == Kind::StrdPost { 0 } else { op.imm };
    store(value(op.n).plus(offset), value(op.d), Width::Word, steps);
    store(value(op.n).plus(offset.wrapping_add(4)), value(op.code.a), Width::Word, steps);
    if op.code.kind != Kind::Strd && !moves_stack {
        set_base(op.n, value(op.n).plus(op.imm), steps);
    }
}

/// LDM; `SECOND` takes what PC is to take.
fn multiple(op: &Op<Code>, steps: &mut Vec<Step>) {
    let size = 4 * op.imm.count_ones();
    let is_up = op.code.kind == Kind::LdmIa;
    let base = kept_base(op, op.imm >> (op.n as u32) & 1 != 0, steps);
    let start = base.plus(if is_up { 0 } else { size.wrapping_neg() });
    let loaded = load_multiple(&start, op.imm & 0x7fff, steps);
    if op.imm & 0x8000 != 0 {
        load_to(SECOND, start.plus(loaded), Width::Word, false, steps);
    }
    if op.code.s != 0 {
        let by = if is_up { size } else { size.wrapping_neg() };
        set_base(op.n, value(op.n).plus(by), steps);
    }
}
