//! Format I with an extension word: table 4-18, and the results of all sizes.

use crate::parts::*;

const DATA: u32 = 0x8_80a7;
const BEFORE: u32 = 0x2_9e59;
const TARGET: u16 = 0x2b06;
const CODES: [u16; 12] = [MOV, ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, BIC, BIS, XOR, AND];

/// A source, its value, and the cycles of its rows: to a register, to PC, to memory, for `.B` and `.W` and
/// then for `.A`; whether note 4 holds for it.
fn rows() -> Vec<(Wide, u32, [[u64; 3]; 2], bool)> {
    let at = u32::from(AT);
    let symbolic = at.wrapping_sub(u32::from(CODE) + 4) & 0xf_ffff;
    vec![
        (wide(r(5)), DATA, [[2, 4, 5], [2, 4, 7]], false),
        (wide(indirect(6)), DATA, [[3, 5, 6], [4, 6, 9]], false),
        (wide(increment(6)), DATA, [[3, 5, 6], [4, 6, 9]], false),
        (Wide(3, 0, Some(DATA)), DATA, [[3, 4, 6], [3, 4, 8]], true),
        (Wide(1, 7, Some(0xf_fffc)), DATA, [[4, 6, 7], [5, 7, 10]], true),
        (Wide(1, 8, Some(0x3_0000)), DATA, [[4, 6, 7], [5, 7, 10]], true),
        (Wide(1, 0, Some(symbolic)), DATA, [[4, 6, 7], [5, 7, 10]], true),
        (Wide(1, 2, Some(at)), DATA, [[4, 6, 7], [5, 7, 10]], true),
        (wide(Source(1, 3, None)), 1, [[2, 4, 5], [2, 4, 7]], false),
        (wide(Source(3, 2, None)), 8, [[2, 4, 5], [2, 4, 7]], false),
        (wide(Source(3, 3, None)), 0xf_ffff, [[2, 4, 5], [2, 4, 7]], false),
    ]
}

fn registers() -> [(usize, u32); 7] {
    let at = u32::from(AT);
    [
        (5, DATA),
        (6, at),
        (7, at + 4),
        (8, at + 0xd_0000),
        (9, 0xd_0000 + u32::from(TARGET)),
        (10, BEFORE),
        (SR, 1),
    ]
}

const MEMORY: [(u16, u16); 4] =
    [(AT, DATA as u16), (AT + 2, (DATA >> 16) as u16), (TARGET, BEFORE as u16), (TARGET + 2, 0x2)];

/// The result, and C, Z, N and V; C was set before.
fn result(code: u16, size: Size, a: u32, b: u32) -> (u32, u16) {
    let (mask, top) = (size.mask(), 1 << (size.bits() - 1));
    let (a, b) = (a & mask, b & mask);
    let add = |a: u32, b: u32, carry: u32| {
        let sum = a + b + carry;
        (sum & mask, sum > mask, (a & top == b & top) && a & top != sum & top)
    };
    let (x, c, v) = match code {
        MOV => return (a, C),
        BIC => return (b & !a, C),
        BIS => return (b | a, C),
        ADD => add(a, b, 0),
        ADDC => add(a, b, 1),
        SUB | SUBC | CMP => add(!a & mask, b, 1),
        DADD => {
            let (mut x, mut carry) = (0, 1);
            for place in 0..size.bits() / 4 {
                let digit = (a >> (4 * place) & 15) + (b >> (4 * place) & 15) + carry;
                carry = u32::from(digit > 9);
                x |= ((digit + 6 * carry) & 15) << (4 * place);
            }
            (x, carry != 0, false)
        }
        XOR => (a ^ b, a ^ b != 0, a & b & top != 0),
        _ => (a & b, a & b != 0, false),
    };
    let flag = |set: bool, bit: u16| if set { bit } else { 0 };
    let flags = flag(c, C) | flag(x == 0, Z) | flag(x & top != 0, N) | flag(v, V);
    (x, flags)
}

#[test]
fn to_registers() {
    for (source, value, cycles, _) in rows() {
        for code in CODES {
            for size in SIZES {
                let program = twox(code, size, source, wide_to(10));
                let what = format!("code {code} {size:?} {source:?}");
                let mut m = prepared(&program, &registers(), &MEMORY);
                assert_eq!(step(&mut m).cycles, cycles[usize::from(size == Size::A)][0], "{what}");
                let (x, flags) = result(code, size, value, BEFORE);
                let all = m.registers().0;
                assert_eq!(all[10], if code == CMP || code == BIT { BEFORE } else { x }, "{what}");
                assert_eq!(all[SR], u32::from(flags), "{what}");
                assert_eq!(all[PC], u32::from(CODE) + 2 * program.len() as u32, "{what}");
                let grown = if source.0 == 3 && source.1 == 6 { [1, 2, 4][size as usize] } else { 0 };
                assert_eq!(all[6], u32::from(AT) + grown, "{what}");
            }
        }
    }
}

#[test]
fn to_memory() {
    for (source, value, cycles, _) in rows() {
        for code in CODES {
            for size in SIZES {
                let number = u32::from(CODE) + 4 + if source.2.is_some() { 2 } else { 0 };
                let target = u32::from(TARGET);
                for place in [
                    Wide(1, 9, Some(0x3_0000)),
                    Wide(1, 2, Some(target)),
                    Wide(1, 0, Some(target.wrapping_sub(number) & 0xf_ffff)),
                ] {
                    let program = twox(code, size, source, place);
                    let what = format!("code {code} {size:?} {source:?} {place:?}");
                    let mut m = prepared(&program, &registers(), &MEMORY);
                    let (fewer, row) = if size == Size::A { (2, 1) } else { (1, 0) };
                    let fewer = if [MOV, BIT, CMP].contains(&code) { fewer } else { 0 };
                    assert_eq!(step(&mut m).cycles, cycles[row][2] - fewer, "{what}");
                    let x = result(code, size, value, BEFORE).0;
                    let x = if code == CMP || code == BIT { BEFORE } else { BEFORE & !size.mask() | x };
                    let kept = if size == Size::A { x } else { BEFORE & 0xf_0000 | x & 0xffff };
                    assert_eq!(long(&m, TARGET), kept, "{what}");
                    assert_eq!(m.registers().0[PC], u32::from(CODE) + 2 * program.len() as u32, "{what}");
                }
            }
        }
    }
}

/// Note 4: with #N, x(Rn), EDE and &EDE, MOV, ADD and SUB take one fewer.
#[test]
fn to_the_program_counter() {
    for (source, _, cycles, is_noted) in rows() {
        for code in [MOV, ADD, SUB, BIS, AND] {
            for size in [Size::W, Size::A] {
                // A target in the lower 64 KB.
                let memory = [(AT, 0x0010), (AT + 2, 0)];
                let source = if source.0 == 3 && source.1 == 0 { Wide(3, 0, Some(0x10)) } else { source };
                let mut m = prepared(&twox(code, size, source, wide_to(0)), &registers(), &memory);
                let mut all = m.registers();
                all.0[5] = 0x10;
                m.set_registers(&all);
                let outcome = m.step();
                if source.1 == 3 && source.0 == 3 {
                    continue;
                }
                let fewer = u64::from(is_noted && [MOV, ADD, SUB].contains(&code));
                let expected = cycles[usize::from(size == Size::A)][1] - fewer;
                assert_eq!(outcome.cycles, expected, "code {code} {size:?} {source:?}");
            }
        }
    }
}
