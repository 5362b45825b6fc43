//! The original's instructions on CPUX: tables 4-8 to 4-10.

use crate::parts::*;

const DATA: u16 = 0x80a7;
const TARGET: u16 = 0x2b06;
const BEFORE: u16 = 0x1e59;
const CODES: [u16; 11] = [MOV, ADD, ADDC, SUBC, SUB, CMP, BIT, BIC, BIS, XOR, AND];

/// A source, its value, and the cycles of its rows of table 4-10: to a register, to PC, to memory.
fn rows() -> Vec<(Source, u16, [u64; 3])> {
    vec![
        (r(5), DATA, [1, 3, 4]),
        (indirect(6), DATA, [2, 4, 5]),
        (increment(6), DATA, [2, 4, 5]),
        (immediate(DATA), DATA, [2, 3, 5]),
        (indexed(4, 7), DATA, [3, 5, 6]),
        (indexed(0xfff0, 8), DATA, [3, 5, 6]),
        (Source(1, 0, Some(AT.wrapping_sub(CODE + 2))), DATA, [3, 5, 6]),
        (absolute(AT), DATA, [3, 5, 6]),
        // Constants of the generators count as registers.
        (Source(0, 3, None), 0, [1, 3, 4]),
        (Source(1, 3, None), 1, [1, 3, 4]),
        (Source(2, 3, None), 2, [1, 3, 4]),
        (Source(3, 3, None), 0xffff, [1, 3, 4]),
        (Source(2, 2, None), 4, [1, 3, 4]),
        (Source(3, 2, None), 8, [1, 3, 4]),
    ]
}

/// The upper bits of the source do not count; those of the target are cleared.
const REGISTERS: [(usize, u32); 6] = [
    (5, 0xa_0000 | DATA as u32),
    (6, AT as u32),
    (7, AT as u32 - 4),
    (8, AT as u32 + 16),
    (10, 0x7_0000 | BEFORE as u32),
    (SR, C as u32),
];

fn result(code: u16, byte: bool, a: u16, b: u16) -> u16 {
    let (a, b) = if byte { (a & 0xff, b & 0xff) } else { (a, b) };
    let x = match code {
        MOV => a,
        ADD => b.wrapping_add(a),
        ADDC => b.wrapping_add(a).wrapping_add(1),
        SUB | SUBC => b.wrapping_sub(a),
        CMP | BIT => b,
        BIC => b & !a,
        BIS => b | a,
        XOR => b ^ a,
        _ => b & a,
    };
    if byte {
        x & 0xff
    } else {
        x
    }
}

#[test]
fn format_one_to_registers() {
    for (source, value, cycles) in rows() {
        for code in CODES {
            for byte in [false, true] {
                let program = two(code, byte, source, to(10));
                let what = format!("code {code} byte {byte} {source:?}");
                let mut m = prepared(&program, &REGISTERS, &[(AT, DATA)]);
                assert_eq!(step(&mut m).cycles, cycles[0], "{what}");
                let kept = code == CMP || code == BIT;
                let expected =
                    if kept { REGISTERS[4].1 } else { u32::from(result(code, byte, value, BEFORE)) };
                let all = m.registers().0;
                assert_eq!(all[10], expected, "{what}");
                assert_eq!(all[PC], u32::from(CODE) + 2 * program.len() as u32, "{what}");
                let grown = if source == increment(6) { 2 - u32::from(byte) } else { 0 };
                assert_eq!(all[6], u32::from(AT) + grown, "{what}");
            }
        }
    }
}

#[test]
fn format_one_to_memory() {
    for (source, value, cycles) in rows() {
        for code in CODES {
            for byte in [false, true] {
                let extension = CODE + 2 + if source.2.is_some() { 2 } else { 0 };
                for target in [
                    to_indexed(6, 9),
                    to_absolute(TARGET),
                    Target(1, 0, Some(TARGET.wrapping_sub(extension))),
                ] {
                    let what = format!("code {code} byte {byte} {source:?} {target:?}");
                    let memory = [(AT, DATA), (TARGET, BEFORE)];
                    let mut m = prepared(&two(code, byte, source, target), &REGISTERS, &memory);
                    let mut all = m.registers();
                    all.0[9] = u32::from(TARGET) - 6;
                    m.set_registers(&all);
                    // Note 1: MOV, BIT and CMP take one fewer.
                    let fewer = u64::from([MOV, BIT, CMP].contains(&code));
                    assert_eq!(step(&mut m).cycles, cycles[2] - fewer, "{what}");
                    let x = result(code, byte, value, BEFORE);
                    let expected = if byte { BEFORE & 0xff00 | x } else { x };
                    assert_eq!(word(&m, TARGET), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn branches() {
    for (source, value, cycles) in rows() {
        for code in [MOV, BIS] {
            let mut m = prepared(&two(code, false, source, to(0)), &REGISTERS, &[(AT, DATA)]);
            assert_eq!(step(&mut m).cycles, cycles[1], "{source:?}");
            if code == MOV {
                assert_eq!(m.registers().0[PC], u32::from(value & !1), "{source:?}");
            }
        }
    }
    // RET (table 4-8).
    let mut m = prepared(&two(MOV, false, increment(1), to(0)), &[], &[(0x3000, 0x4567)]);
    assert_eq!(step(&mut m).cycles, 4);
    assert_eq!((m.registers().0[PC], m.registers().0[SP]), (0x4566, 0x3002));
}

/// Table 4-9: rotating, PUSH, CALL.
#[test]
fn format_two() {
    for (operand, cycles) in [
        (r(5), [1, 3, 4]),
        (indirect(6), [3, 3, 4]),
        (increment(6), [3, 3, 4]),
        (indexed(4, 7), [4, 4, 5]),
        (Source(1, 0, Some(AT.wrapping_sub(CODE + 2))), [4, 4, 5]),
        (absolute(AT), [4, 4, 6]),
        (immediate(DATA), [0, 3, 4]),
    ] {
        for code in [RRC, SWPB, RRA, SXT, PUSH, CALL] {
            let what = format!("code {code} {operand:?}");
            let expected = cycles[usize::from(code.saturating_sub(SXT)).min(2)];
            if expected == 0 {
                continue;
            }
            let mut m = prepared(&one(code, false, operand), &REGISTERS, &[(AT, DATA)]);
            assert_eq!(step(&mut m).cycles, expected, "{what}");
            let all = m.registers().0;
            match code {
                PUSH => assert_eq!((word(&m, 0x2ffe), all[SP]), (DATA, 0x2ffe), "{what}"),
                CALL => {
                    let behind = CODE + 2 * one(code, false, operand).len() as u16;
                    assert_eq!((word(&m, 0x2ffe), all[SP]), (behind, 0x2ffe), "{what}");
                    assert_eq!(all[PC], u32::from(DATA & !1), "{what}");
                }
                _ => {
                    let found = if operand == r(5) { all[5] } else { u32::from(word(&m, AT)) };
                    let sign = if operand == r(5) { 0xf_0000 } else { 0 };
                    // C was set.
                    let results = [(0xc053, C | N), (0xa780, C), (0xc053, C | N), (0xffa7 | sign, C | N)];
                    let (value, flags) = results[usize::from(code)];
                    assert_eq!((found, all[SR]), (value, u32::from(flags)), "{what}");
                }
            }
        }
    }
}

/// Table 4-5: RRC resets V, where the original CPU sets it if C comes into a positive value.
#[test]
fn a_rotation_through_carry_resets_v() {
    for byte in [false, true] {
        for (operand, value) in [(r(5), 2), (absolute(AT), 2)] {
            let program = one(RRC, byte, operand);
            let mut m = prepared(&program, &[(5, value), (SR, (C | V).into())], &[(AT, value as u16)]);
            step(&mut m);
            assert_eq!(m.registers().0[SR], u32::from(N));
        }
    }
}

/// Section 4.5.1.5.3.
#[test]
fn jumps() {
    for (condition, flags, taken) in [(0, 0, true), (0, Z, false), (1, Z, true), (4, N, true), (7, 0, true)] {
        let program = [crate::common::jump(condition, 5)];
        let mut m = prepared(&program, &[(SR, flags.into())], &[]);
        assert_eq!(step(&mut m).cycles, 2);
        let moved = if taken { 12 } else { 2 };
        assert_eq!(m.registers().0[PC], u32::from(CODE) + moved);
    }
}

/// Section 4.2: bits 19 to 16 of the program counter are above the flags.
#[test]
fn a_return_from_interrupt() {
    let mut m = prepared(&[0x1300], &[], &[(0x3000, 0x00c8 | C | V), (0x3002, 0x5678)]);
    assert_eq!(step(&mut m).cycles, 5);
    let all = m.registers().0;
    assert_eq!((all[PC], all[SP], all[SR]), (0x5678, 0x3004, u32::from(0xc8 | C | V)));
}
