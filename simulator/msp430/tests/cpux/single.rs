//! Format II with an extension word, and CALLA: table 4-17.

use crate::parts::*;

const DATA: u32 = 0xa_4381;
const MEMORY: [(u16, u16); 2] = [(AT, DATA as u16), (AT + 2, (DATA >> 16) as u16)];

/// Operands with the cycles of rotating, PUSHX and CALLA: `.B` and `.W`, then `.A`.
fn rows() -> Vec<(Wide, [u64; 2], [u64; 2])> {
    let symbolic = u32::from(AT).wrapping_sub(u32::from(CODE) + 4) & 0xf_ffff;
    vec![
        (wide(r(5)), [2, 2], [4, 5]),
        (wide(indirect(6)), [4, 6], [4, 6]),
        (wide(increment(6)), [4, 6], [4, 6]),
        (Wide(1, 7, Some(0xf_fffc)), [5, 7], [5, 7]),
        (Wide(1, 0, Some(symbolic)), [5, 7], [5, 7]),
        (Wide(1, 2, Some(AT.into())), [5, 7], [5, 7]),
    ]
}

fn registers(flags: u16) -> [(usize, u32); 4] {
    [(5, DATA), (6, AT.into()), (7, u32::from(AT) + 4), (SR, flags.into())]
}

fn value_of(m: &pennyweight_msp430::Msp430xMachine, operand: Wide) -> u32 {
    if operand.0 == 0 {
        m.registers().0[5]
    } else {
        long(m, AT)
    }
}

#[test]
fn rotations_swaps_and_extensions() {
    for (code, size, before, result, flags) in [
        (RRC, Size::A, C | V, 0xd_21c0, C | N),
        (RRC, Size::W, V, 0x21c0, C),
        (RRC, Size::B, C, 0xc0, C | N),
        (RRA, Size::A, V, 0xd_21c0, C | N),
        (RRA, Size::W, V, 0x21c0, C),
        (RRA, Size::B, V, 0xc0, C | N),
        (SWPB, Size::A, C | V, 0xa_8143, C | V),
        (SWPB, Size::W, C | V, 0x8143, C | V),
        (SXT, Size::A, V, 0xf_ff81, C | N),
        (SXT, Size::W, V, 0xff81, C | N),
    ] {
        for (operand, cycles, _) in rows() {
            let what = format!("code {code} {size:?} {operand:?}");
            let program = onex(code, size, operand);
            let mut m = prepared(&program, &registers(before), &MEMORY);
            let row = usize::from(size == Size::A);
            assert_eq!(step(&mut m).cycles, cycles[row], "{what}");
            let kept = match size {
                Size::A => 0,
                _ if operand.0 == 0 => 0,
                size => DATA & !size.mask(),
            };
            let expected = match (code, operand.0) {
                // Of a register, SXTX extends all 20 bits (table 4-14).
                (SXT, 0) => 0xf_ff81,
                _ => kept | result,
            };
            assert_eq!(value_of(&m, operand), expected, "{what}");
            let all = m.registers().0;
            assert_eq!(all[SR], u32::from(flags), "{what}");
            assert_eq!(all[PC], u32::from(CODE) + 2 * program.len() as u32, "{what}");
            let grown = if operand.0 == 3 { [1, 2, 4][size as usize] } else { 0 };
            assert_eq!(all[6], u32::from(AT) + grown, "{what}");
        }
    }
}

#[test]
fn pushes() {
    let constants = [
        (Wide(3, 0, Some(DATA)), [4, 5], DATA),
        (wide(Source(3, 3, None)), [4, 5], 0xf_ffff),
        (wide(Source(2, 2, None)), [4, 5], 4),
    ];
    let all: Vec<_> = rows().into_iter().map(|(operand, _, cycles)| (operand, cycles, DATA)).collect();
    for (operand, cycles, value) in all.into_iter().chain(constants) {
        for size in SIZES {
            let what = format!("{size:?} {operand:?}");
            let mut m = prepared(&onex(PUSH, size, operand), &registers(C), &MEMORY);
            assert_eq!(step(&mut m).cycles, cycles[usize::from(size == Size::A)], "{what}");
            let sp = m.registers().0[SP];
            assert_eq!(sp, STACK - if size == Size::A { 4 } else { 2 }, "{what}");
            let found = if size == Size::A { long(&m, sp as u16) } else { word(&m, sp as u16).into() };
            assert_eq!(found, value & size.mask(), "{what}");
            assert_eq!(m.registers().0[SR], u32::from(C), "{what}");
        }
    }
    // Note 1: one cycle more with SP as the register.
    for (size, cycles) in [(Size::W, 6), (Size::A, 8)] {
        let program = onex(PUSH, size, Wide(1, 1, Some(4)));
        let mut m = prepared(&program, &[], &[(0x3004, 0x1234), (0x3006, 5)]);
        assert_eq!(step(&mut m).cycles, cycles);
        assert_eq!(word(&m, m.registers().0[SP] as u16), 0x1234);
    }
}

/// CALLA (section 4.6.1), whose return address has two words.
#[test]
fn calls() {
    let target = 0xe800;
    let symbolic = u32::from(AT).wrapping_sub(u32::from(CODE) + 2) & 0xf_ffff;
    let high = |number: u32| (number >> 16) as u16;
    for (program, cycles) in [
        (vec![0x1340 | 5], 5),
        (vec![0x1350 | 7, 0xfffc], 5),
        (vec![0x1360 | 6], 6),
        (vec![0x1370 | 6], 6),
        (vec![0x1380, AT], 7),
        (vec![0x1390 | high(symbolic), symbolic as u16], 7),
        (vec![0x13b0, target as u16], 5),
        // Note 1.
        (vec![0x1351, 0x0010], 6),
    ] {
        let memory = [(AT, target as u16), (AT + 2, 0), (0x3010, target as u16), (0x3012, 0)];
        let mut registers = registers(N);
        registers[0].1 = target;
        let mut m = prepared(&program, &registers, &memory);
        assert_eq!(step(&mut m).cycles, cycles, "{program:x?}");
        let all = m.registers().0;
        assert_eq!((all[PC], all[SP], all[SR]), (target, STACK - 4, u32::from(N)), "{program:x?}");
        assert_eq!(long(&m, 0x2ffc), u32::from(CODE) + 2 * program.len() as u32, "{program:x?}");
        assert_eq!(all[6], u32::from(AT) + if program[0] >> 4 == 0x137 { 4 } else { 0 });
    }
}
