//! Multiplications, divisions, sums of absolute differences (DDI 0403, A5.3.16 and A5.3.17).

use super::{bad, field, register, wide_op, Code, Kind};
use crate::op::Op;
use crate::registers::Reg;

/// A5.3.16: results of 32 bits.
pub fn multiply(a: u32, b: u32, dsp: bool) -> Option<Op<Code>> {
    let (n, d, m, addend) = (register(a, 0), register(b, 8), register(b, 0), register(b, 12));
    let (op1, variant) = (field(a, 4, 3), field(b, 4, 2));
    if bad(n) || bad(d) || bad(m) || addend == Reg::Sp || b & 0xc0 != 0 {
        return None;
    }
    let op = |kind| {
        let code = Code { kind, width: 2, a: addend, s: variant as u8 };
        Some(Op { d, n, m, ..Op::new(code, 0) })
    };
    let accumulates = addend != Reg::Pc;
    match (op1, variant) {
        (0, 0) if accumulates => op(Kind::Mla),
        (0, 0) => Some(Op { d, n, m, ..wide_op(Kind::Mul3, 0) }),
        (0, 1) if accumulates => op(Kind::Mls),
        _ if !dsp => None,
        (1, _) => op(Kind::SmlaXy),
        (2, 0 | 1) => op(Kind::Smlad),
        (3, 0 | 1) => op(Kind::SmlaW),
        (4, 0 | 1) => op(Kind::Smlsd),
        (5, 0 | 1) => op(Kind::Smmla),
        (6, 0 | 1) if accumulates => op(Kind::Smmls),
        (7, 0) => op(Kind::Usada8),
        _ => None,
    }
}

/// A5.3.17: results of 64 bits, and divisions.
pub fn long(a: u32, b: u32, dsp: bool) -> Option<Op<Code>> {
    let (n, low, high, m) = (register(a, 0), register(b, 12), register(b, 8), register(b, 0));
    let (op1, op2) = (field(a, 4, 3), field(b, 4, 4));
    if bad(n) || bad(m) || bad(high) {
        return None;
    }
    if matches!((op1, op2), (1 | 3, 15)) {
        let kind = if op1 == 1 { Kind::Sdiv } else { Kind::Udiv };
        return (low == Reg::Pc).then(|| Op { d: high, n, m, ..wide_op(kind, 0) });
    }
    if bad(low) || low == high {
        return None;
    }
    let op = |kind, s: u32| {
        let code = Code { kind, width: 2, a: high, s: s as u8 };
        Some(Op { d: low, n, m, ..Op::new(code, 0) })
    };
    match (op1, op2) {
        (0, 0) => op(Kind::Smull, 0),
        (2, 0) => op(Kind::Umull, 0),
        (4, 0) => op(Kind::Smlal, 0),
        (6, 0) => op(Kind::Umlal, 0),
        _ if !dsp => None,
        (4, 8..=11) => op(Kind::SmlalXy, op2 & 3),
        (4, 12 | 13) => op(Kind::Smlald, op2 & 1),
        (5, 12 | 13) => op(Kind::Smlsld, op2 & 1),
        (6, 6) => op(Kind::Umaal, 0),
        _ => None,
    }
}
