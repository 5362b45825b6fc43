//! Parallel and saturating arithmetic, selection, dual multiplications (DDI 0403, A7.7): functions
//! of register values.

use crate::registers::Flags;

/// Parallel addition and subtraction. `variant`: operation << 3 | prefix, both as encoded: ADD8 0,
/// ADD16 1, ASX 2, SUB8 4, SUB16 5, SAX 6; S 0, Q 1, SH 2, U 4, UQ 5, UH 6.
pub fn parallel(variant: u8, n: u32, m: u32, f: &mut Flags) -> u32 {
    let (operation, prefix) = (variant >> 3, variant & 7);
    let unsigned = prefix & 4 != 0;
    let mut ge = 0;
    let mut result = 0;
    if operation & 3 == 0 {
        for lane in 0..4 {
            let part = |value: u32| {
                let byte = (value >> (8 * lane)) as u8;
                if unsigned {
                    i32::from(byte)
                } else {
                    i32::from(byte as i8)
                }
            };
            let minus = operation == 4;
            let (value, greater) = lane_result(part(n), part(m), minus, prefix, 8);
            result |= (value & 0xff) << (8 * lane);
            ge |= u8::from(greater) << lane;
        }
    } else {
        for lane in 0..2 {
            let part = |value: u32, lane: u32| {
                let half = (value >> (16 * lane)) as u16;
                if unsigned {
                    i32::from(half)
                } else {
                    i32::from(half as i16)
                }
            };
            let (minus, crossed) = match operation {
                1 => (false, false),
                5 => (true, false),
                // ASX subtracts in the lower half, SAX in the upper.
                2 => (lane == 0, true),
                _ => (lane == 1, true),
            };
            let other = if crossed { 1 - lane } else { lane };
            let (value, greater) = lane_result(part(n, lane), part(m, other), minus, prefix, 16);
            result |= (value & 0xffff) << (16 * lane);
            ge |= if greater { 3 << (2 * lane) } else { 0 };
        }
    }
    if prefix & 3 == 0 {
        f.ge = ge;
    }
    result
}

/// One lane's result, and whether GE is set for it.
fn lane_result(a: i32, b: i32, minus: bool, prefix: u8, bits: u32) -> (u32, bool) {
    let sum = if minus { a - b } else { a + b };
    let top = 1 << bits;
    let value = match prefix {
        1 => sum.clamp(-top / 2, top / 2 - 1),
        5 => sum.clamp(0, top - 1),
        2 | 6 => sum >> 1,
        _ => sum,
    };
    let greater = if prefix == 4 && !minus { sum >= top } else { sum >= 0 };
    (value as u32, greater)
}

/// SEL: bytes of `n` where GE is set, of `m` elsewhere.
pub fn select(n: u32, m: u32, f: &Flags) -> u32 {
    let mask = (0..4).fold(0, |mask, lane| mask | if f.ge >> lane & 1 != 0 { 0xff << (8 * lane) } else { 0 });
    n & mask | m & !mask
}

/// `value` saturated to a signed number of so many bits (1 to 32); sets Q if that changes it.
pub fn signed(value: i64, bits: u32, f: &mut Flags) -> u32 {
    let top = 1i64 << (bits.clamp(1, 32) - 1);
    let result = value.clamp(-top, top - 1);
    f.q |= result != value;
    result as u32
}

/// `value` saturated to an unsigned number of so many bits (0 to 31).
pub fn unsigned(value: i64, bits: u32, f: &mut Flags) -> u32 {
    let result = value.clamp(0, (1i64 << (bits & 31)) - 1);
    f.q |= result != value;
    result as u32
}

/// SSAT16 and USAT16: `by` saturates each half.
pub fn halves(value: u32, f: &mut Flags, by: impl Fn(i64, &mut Flags) -> u32) -> u32 {
    let low = by((value as i16).into(), f);
    let high = by(((value >> 16) as i16).into(), f);
    low & 0xffff | high << 16
}

/// QADD, QSUB, QDADD, QDSUB: `variant` 0 to 3.
pub fn saturating(variant: u8, m: u32, n: u32, f: &mut Flags) -> u32 {
    let (m, mut n) = (i64::from(m as i32), i64::from(n as i32));
    if variant & 2 != 0 {
        n = i64::from(signed(2 * n, 32, f) as i32);
    }
    signed(if variant & 1 != 0 { m - n } else { m + n }, 32, f)
}

/// A half of a register, signed.
pub fn half(value: u32, upper: bool) -> i64 {
    i64::from(if upper { (value >> 16) as i16 } else { value as i16 })
}

/// The products of the lower and the upper halves; of `m`, exchanged if so.
pub fn products(n: u32, m: u32, exchange: bool) -> (i64, i64) {
    (half(n, false) * half(m, exchange), half(n, true) * half(m, !exchange))
}

/// A sum cut to 32 bits; sets Q if it did not fit.
pub fn sum(value: i64, f: &mut Flags) -> u32 {
    f.q |= i64::from(value as i32) != value;
    value as u32
}

/// The sum of the absolute differences of the bytes.
pub fn differences(n: u32, m: u32) -> u32 {
    n.to_le_bytes().iter().zip(m.to_le_bytes()).map(|(&a, b)| u32::from(a.abs_diff(b))).sum()
}
