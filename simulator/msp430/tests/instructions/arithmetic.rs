//! Results and flags of format I, against the manual's sentences on each instruction.

use pennyweight_msp430::{Msp430Machine, Registers};

use crate::common::*;

/// What the manual specifies (SLAU049, section 3.4): the result, if it is stored, and the flags.
fn expected(code: u16, byte: bool, a: u16, b: u16, before: u16) -> (Option<u16>, u16) {
    let top: u32 = if byte { 0x80 } else { 0x8000 };
    let limit = 2 * top;
    let (a, b) = (u32::from(a) % limit, u32::from(b) % limit);
    let carry = u32::from(before & C);
    let negative = |x: u32| x & top != 0;
    let nz = |x: u32| (if negative(x) { N } else { 0 }) | (if x == 0 { Z } else { 0 });
    let arithmetic = |wide: u32, second: u32| {
        let x = wide % limit;
        let overflow = negative(second) == negative(b) && negative(x) != negative(b);
        let flags = nz(x) | if wide >= limit { C } else { 0 } | if overflow { V } else { 0 };
        (x, flags)
    };
    let logical = |x: u32| (x, nz(x) | if x != 0 { C } else { 0 });
    let complement = limit - 1 - a;
    let (x, flags) = match code {
        MOV => (a, before),
        ADD => arithmetic(b + a, a),
        ADDC => arithmetic(b + a + carry, a),
        SUB | CMP => arithmetic(b + complement + 1, complement),
        SUBC => arithmetic(b + complement + carry, complement),
        BIC => (b & complement, before),
        BIS => (b | a, before),
        BIT | AND => logical(b & a),
        XOR => {
            let (x, flags) = logical(b ^ a);
            (x, flags | if negative(a) && negative(b) { V } else { 0 })
        }
        _ => unreachable!("not in this test"),
    };
    let stored = (code != CMP && code != BIT).then_some(x as u16);
    (stored, flags)
}

/// `m` has the instruction at [`CODE`]: register 5 to register 6.
fn check(m: &mut Msp430Machine, code: u16, byte: bool, [a, b, before]: [u16; 3]) {
    let mut registers = Registers::default();
    (registers.0[PC], registers.0[SR]) = (CODE, before);
    (registers.0[5], registers.0[6]) = (a, b);
    m.set_registers(&registers);
    let outcome = step(m);
    let (result, flags) = expected(code, byte, a, b, before);
    let all = m.registers().0;
    let what = format!("code {code} byte {byte} {a:#06x} {b:#06x} flags {before:#05x}");
    assert_eq!(all[6], result.unwrap_or(b), "{what}");
    assert_eq!(all[SR], flags, "{what}");
    assert_eq!((all[5], all[PC], outcome.cycles), (a, CODE + 2, 1), "{what}");
}

const CODES: [u16; 11] = [MOV, ADD, ADDC, SUBC, SUB, CMP, BIT, BIC, BIS, XOR, AND];

#[test]
fn bytes_of_all_kinds() {
    for code in CODES {
        let mut m = machine(&two(code, true, r(5), to(6)));
        for a in (0..256u16).step_by(3).chain([0x7f, 0x80]) {
            for b in (0..256u16).step_by(5).chain([0x7f, 0x80, 0x81]) {
                // Upper halves of all kinds: a byte operation must not see them.
                let (high_a, high_b) = ((a ^ b) << 12, (a * 3 + b) << 8);
                check(&mut m, code, true, [a | high_a, b | high_b, if a & 1 == 0 { C } else { V | N }]);
            }
        }
    }
}

#[test]
fn words_of_all_kinds() {
    let edges = [0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1234, 0xa5c3];
    for code in CODES {
        let mut m = machine(&two(code, false, r(5), to(6)));
        for a in edges {
            for b in edges {
                for before in [0, C, Z | V, N | C] {
                    check(&mut m, code, false, [a, b, before]);
                }
            }
        }
    }
}

#[test]
fn flags_leave_the_control_bits_alone() {
    let mut m = prepared(&two(ADD, false, r(5), to(6)), &[(5, 1), (6, 0xffff), (SR, 0xc8)], &[]);
    step(&mut m);
    assert_eq!(m.registers().0[SR], 0xc8 | C | Z);
}

/// The manual's example for DADD: numbers of four decimal digits, with a carry in and out.
#[test]
fn decimal_sums() {
    for (byte, a, b, carry, sum, flags) in [
        (false, 0x1234, 0x5678, 0, 0x6912, 0),
        (false, 0x1234, 0x5678, C, 0x6913, 0),
        (false, 0x9999, 0x0001, 0, 0x0000, C | Z),
        (false, 0x9999, 0x9999, C, 0x9999, C | N),
        (false, 0x4000, 0x4000, 0, 0x8000, N),
        (true, 0xff45, 0xff38, 0, 0x0083, N),
        (true, 0x0099, 0x0001, 0, 0x0000, C | Z),
        (true, 0x0050, 0x0049, C, 0x0000, C | Z),
        (true, 0x0012, 0x0034, 0, 0x0046, 0),
    ] {
        let mut m = prepared(&two(DADD, byte, r(5), to(6)), &[(5, a), (6, b), (SR, carry)], &[]);
        assert_eq!(step(&mut m).cycles, 1);
        let all = m.registers().0;
        assert_eq!((all[6], all[SR]), (sum, flags), "{a:#x} {b:#x} {carry}");
    }
}

#[test]
fn digits_above_nine_are_corrected_once() {
    let mut m = prepared(&two(DADD, false, r(5), to(6)), &[(5, 0xf), (6, 0xf), (SR, C)], &[]);
    step(&mut m);
    assert_eq!(m.registers().0[6], 0x15);
}

/// Sums of many words: the carry goes from ADD to ADDC, from SUB to SUBC.
#[test]
fn carries_chain() {
    let code: Vec<u16> = [
        two(ADD, false, r(8), to(4)),
        two(ADDC, false, r(9), to(5)),
        two(SUB, false, r(8), to(4)),
        two(SUBC, false, r(9), to(5)),
    ]
    .concat();
    let (a, b) = (0x1234_fff1u32, 0x0101_8123u32);
    let registers = [(4, a as u16), (5, (a >> 16) as u16), (8, b as u16), (9, (b >> 16) as u16)];
    let mut m = prepared(&code, &registers, &[]);
    step(&mut m);
    step(&mut m);
    let value = |m: &Msp430Machine| u32::from(m.registers().0[4]) | u32::from(m.registers().0[5]) << 16;
    assert_eq!(value(&m), a + b);
    step(&mut m);
    step(&mut m);
    assert_eq!(value(&m), a);
}
