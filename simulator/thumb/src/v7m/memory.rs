//! Loads, stores, table branches, exclusives (DDI 0403, A5.3.5 to A5.3.10).

use super::{bad, field, register, wide_base, wide_op, Code, Kind};
use crate::op::Op;
use crate::registers::Reg;
use crate::v6m::Code as V6;

/// The operations of one size and direction by addressing mode.
struct Modes {
    offset: Kind,
    plain: Kind,
    shifted: Kind,
    pre: Kind,
    post: Kind,
}

const fn modes(offset: Kind, plain: V6, shifted: Kind, pre: Kind, post: Kind) -> Modes {
    Modes { offset, plain: Kind::Base(plain), shifted, pre, post }
}

const LDRB: Modes = modes(Kind::Base(V6::LdrbImm), V6::LdrbReg, Kind::LdrbSh, Kind::LdrbPre, Kind::LdrbPost);
const LDRH: Modes = modes(Kind::Base(V6::LdrhImm), V6::LdrhReg, Kind::LdrhSh, Kind::LdrhPre, Kind::LdrhPost);
const LDR: Modes = modes(Kind::Base(V6::LdrImm), V6::LdrReg, Kind::LdrSh, Kind::LdrPre, Kind::LdrPost);
const LDRSB: Modes = modes(Kind::LdrsbImm, V6::LdrsbReg, Kind::LdrsbSh, Kind::LdrsbPre, Kind::LdrsbPost);
const LDRSH: Modes = modes(Kind::LdrshImm, V6::LdrshReg, Kind::LdrshSh, Kind::LdrshPre, Kind::LdrshPost);
const STRB: Modes = modes(Kind::Base(V6::StrbImm), V6::StrbReg, Kind::StrbSh, Kind::StrbPre, Kind::StrbPost);
const STRH: Modes = modes(Kind::Base(V6::StrhImm), V6::StrhReg, Kind::StrhSh, Kind::StrhPre, Kind::StrhPost);
const STR: Modes = modes(Kind::Base(V6::StrImm), V6::StrReg, Kind::StrSh, Kind::StrPre, Kind::StrPost);
const LDR_TO: Modes = Modes {
    offset: Kind::LdrToImm,
    plain: Kind::LdrToSh,
    shifted: Kind::LdrToSh,
    pre: Kind::LdrToPre,
    post: Kind::LdrToPost,
};

/// All modes but literals; `a` and `b` as in loads and stores of one register.
fn single(a: u32, b: u32, modes: &Modes) -> Option<Op<Code>> {
    let (n, d, m) = (register(a, 0), register(b, 12), register(b, 0));
    let op = |kind, imm| Some(Op { d, n, m, ..wide_op(kind, imm) });
    if a & 0x80 != 0 {
        return op(modes.offset, field(b, 0, 12));
    }
    if b & 0xfc0 == 0 {
        let by = field(b, 4, 2) as u8;
        let kind = if by == 0 { modes.plain } else { modes.shifted };
        let shifted = op(kind, 0).map(|op| Op { code: Code { s: by, ..op.code }, ..op });
        return shifted.filter(|_| !bad(m));
    }
    let (imm, minus) = (b & 0xff, (b & 0xff).wrapping_neg());
    match field(b, 8, 4) {
        0b1100 => op(modes.offset, minus),
        // The unprivileged form; the core is privileged or treats both alike.
        0b1110 if !bad(d) => op(modes.offset, imm),
        _ if n == d || b & 0x800 == 0 => None,
        0b1001 => op(modes.post, minus),
        0b1011 => op(modes.post, imm),
        0b1101 => op(modes.pre, minus),
        0b1111 => op(modes.pre, imm),
        _ => None,
    }
}

/// A5.3.10.
pub fn store(a: u32, b: u32) -> Option<Op<Code>> {
    let (n, d) = (register(a, 0), register(b, 12));
    let modes = match field(a, 5, 2) {
        0 => &STRB,
        1 => &STRH,
        2 => &STR,
        _ => return None,
    };
    let word = field(a, 5, 2) == 2;
    if n == Reg::Pc || d == Reg::Pc || d == Reg::Sp && !word {
        return None;
    }
    single(a, b, modes)
}

/// A5.3.7 to A5.3.9.
pub fn load(a: u32, b: u32, address: u32) -> Option<Op<Code>> {
    let (n, d) = (register(a, 0), register(b, 12));
    let (size, signed) = (field(a, 5, 2), a & 0x100 != 0);
    let modes = match (size, signed) {
        (0, false) => &LDRB,
        (0, true) => &LDRSB,
        (1, false) => &LDRH,
        (1, true) => &LDRSH,
        (2, false) if bad(d) => &LDR_TO,
        (2, false) => &LDR,
        _ => return None,
    };
    let hint = size < 2 && d == Reg::Pc;
    if hint {
        // PLD, PLI and unallocated hints; the modes that write back are undefined.
        let plain = n == Reg::Pc || a & 0x80 != 0 || b & 0xfc0 == 0 || field(b, 8, 4) == 0b1100;
        return plain.then(|| wide_op(Kind::Hint, 0));
    }
    if size < 2 && d == Reg::Sp {
        return None;
    }
    if n == Reg::Pc {
        let offset = field(b, 0, 12);
        let offset = if a & 0x80 != 0 { offset } else { offset.wrapping_neg() };
        let place = (address.wrapping_add(4) & !3).wrapping_add(offset);
        let kind = if matches!(modes.offset, Kind::Base(V6::LdrImm)) {
            Kind::Base(V6::LdrLiteral)
        } else {
            modes.offset
        };
        return Some(Op { d, n, ..wide_op(kind, place) });
    }
    single(a, b, modes)
}

/// A5.3.5.
pub fn multiple(a: u32, b: u32) -> Option<Op<Code>> {
    let (n, load, back) = (register(a, 0), a & 0x10 != 0, a & 0x20 != 0);
    let up = match field(a, 7, 2) {
        0b01 => true,
        0b10 => false,
        _ => return None,
    };
    let forbidden = if load { 0x2000 } else { 0xa000 };
    let both = load && b & 0xc000 == 0xc000;
    let base_in_list = back && b >> (n as u32) & 1 != 0;
    if n == Reg::Pc || b & forbidden != 0 || both || base_in_list || b.count_ones() < 2 {
        return None;
    }
    match (load, up, back, n) {
        (true, true, true, Reg::Sp) if b & 0x8000 == 0 => Some(Op { n, ..wide_base(V6::Pop, b) }),
        (false, false, true, Reg::Sp) => Some(Op { n, ..wide_base(V6::Push, b) }),
        _ => {
            let kind = match (load, up) {
                (true, true) => Kind::LdmIa,
                (true, false) => Kind::LdmDb,
                (false, true) => Kind::StmIa,
                (false, false) => Kind::StmDb,
            };
            let op = wide_op(kind, b);
            Some(Op { n, code: Code { s: u8::from(back), ..op.code }, ..op })
        }
    }
}

/// A5.3.6; in Armv8-M (`v8`) also loads that acquire and stores that release, TT, and SG (DDI 0553, C2.2.4).
pub fn dual_or_exclusive(a: u32, b: u32, address: u32, v8: bool) -> Option<Op<Code>> {
    if v8 && (a, b) == (0xe97f, 0xe97f) {
        // SG.
        return Some(wide_op(Kind::Hint, 0));
    }
    let (n, t, second) = (register(a, 0), register(b, 12), register(b, 8));
    let load = a & 0x10 != 0;
    let (before, up, back) = (a & 0x100 != 0, a & 0x80 != 0, a & 0x20 != 0);
    let offset = 4 * (b & 0xff);
    if before || back {
        return dual(a, b, address);
    }
    let exclusive = |kind, imm| {
        // STREX: d is the status, a what is stored.
        let (d, value) = if load { (t, Reg::R0) } else { (second, t) };
        let clash = !load && (d == n || d == value || bad(d));
        if bad(t) || n == Reg::Pc || clash {
            return None;
        }
        let code = Code { kind, width: 2, a: value, s: 0 };
        Some(Op { d, n, ..Op::new(code, imm) })
    };
    match (up, load, field(b, 4, 4)) {
        (false, true, _) if second == Reg::Pc => exclusive(Kind::Ldrex, offset),
        (false, false, _) if v8 && t == Reg::Pc => test_target(n, second, b),
        (false, false, _) => exclusive(Kind::Strex, offset),
        (true, true, 0 | 1) if b & 0xff00 == 0xf000 => {
            let m = register(b, 0);
            let kind = if b & 0x10 == 0 { Kind::Tbb } else { Kind::Tbh };
            let pc = address.wrapping_add(4);
            (n != Reg::Sp && !bad(m)).then(|| Op { n, m, ..wide_op(kind, pc) })
        }
        (true, true, 4 | 5) if b & 0xf0f == 0xf0f => {
            exclusive(if b & 0x10 == 0 { Kind::Ldrexb } else { Kind::Ldrexh }, 0)
        }
        // The status is in the lowest bits here.
        (true, false, 4 | 5) if b & 0xf00 == 0xf00 => {
            store_with_status(b, n, t, if b & 0x10 == 0 { Kind::Strexb } else { Kind::Strexh })
        }
        (true, _, 8..=15) if v8 && second == Reg::Pc => acquire_or_release(b, n, t, load),
        _ => None,
    }
}

/// A store that gives its status to the register in the lowest bits.
fn store_with_status(b: u32, n: Reg, value: Reg, kind: Kind) -> Option<Op<Code>> {
    let d = register(b, 0);
    if bad(d) || bad(value) || n == Reg::Pc || d == n || d == value {
        return None;
    }
    Some(Op { d, n, ..Op::new(Code { kind, width: 2, a: value, s: 0 }, 0) })
}

/// LDA, STL and their exclusive forms. Acquiring and releasing order nothing on one core without a
/// cache: they are loads and stores that must be aligned.
fn acquire_or_release(b: u32, n: Reg, t: Reg, load: bool) -> Option<Op<Code>> {
    let size = field(b, 4, 2) as usize;
    if size == 3 || bad(t) || n == Reg::Pc {
        return None;
    }
    let kinds = |byte, half, word| [byte, half, word].get(size).copied();
    let exclusive = b & 0x40 != 0;
    if exclusive && !load {
        return store_with_status(b, n, t, kinds(Kind::Strexb, Kind::Strexh, Kind::Strex)?);
    }
    let kind = match (load, exclusive) {
        (true, true) => kinds(Kind::Ldrexb, Kind::Ldrexh, Kind::Ldrex)?,
        (true, false) => kinds(Kind::Base(V6::LdrbImm), Kind::Ldah, Kind::Lda)?,
        _ => kinds(Kind::Base(V6::StrbImm), Kind::Stlh, Kind::Stl)?,
    };
    (b & 15 == 15).then(|| Op { d: t, n, ..wide_op(kind, 0) })
}

/// TT and TTT; TTA and TTAT are for Secure state.
fn test_target(n: Reg, d: Reg, b: u32) -> Option<Op<Code>> {
    let alternate = b & 0x80 != 0;
    if alternate || b & 0x3f != 0 || bad(d) || n == Reg::Pc {
        return None;
    }
    Some(Op { d, n, ..wide_op(Kind::Tt, b >> 6 & 1) })
}

/// LDRD and STRD.
fn dual(a: u32, b: u32, address: u32) -> Option<Op<Code>> {
    let (n, d, second) = (register(a, 0), register(b, 12), register(b, 8));
    let load = a & 0x10 != 0;
    let (before, up, back) = (a & 0x100 != 0, a & 0x80 != 0, a & 0x20 != 0);
    let offset = 4 * (b & 0xff);
    let offset = if up { offset } else { offset.wrapping_neg() };
    if bad(d) || bad(second) || load && d == second || back && (n == d || n == second) {
        return None;
    }
    let op = |kind, imm| {
        let code = Code { kind, width: 2, a: second, s: 0 };
        Some(Op { d, n, ..Op::new(code, imm) })
    };
    if n == Reg::Pc {
        let place = (address.wrapping_add(4) & !3).wrapping_add(offset);
        return if load && !back { op(Kind::Ldrd, place) } else { None };
    }
    let kinds = if load {
        [Kind::Ldrd, Kind::LdrdPre, Kind::LdrdPost]
    } else {
        [Kind::Strd, Kind::StrdPre, Kind::StrdPost]
    };
    op(
        kinds[if !back {
            0
        } else if before {
            1
        } else {
            2
        }],
        offset,
    )
}
