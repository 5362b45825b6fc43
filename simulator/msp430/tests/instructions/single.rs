//! Format II: RRC, RRA, SWPB, SXT, PUSH, CALL.

use crate::common::*;

const AT: u16 = 0x1a02;

/// Modes with the cycles of table 3-15: rotating, PUSH, CALL.
fn rows() -> Vec<(Source, [u64; 3], [u16; 2])> {
    vec![
        (r(5), [1, 3, 4], [0, 0]),
        (indirect(6), [3, 4, 4], [0, 0]),
        (increment(6), [3, 5, 5], [1, 2]),
        (indexed(4, 7), [4, 5, 5], [0, 0]),
        (Source(1, 0, Some(AT.wrapping_sub(CODE + 2))), [4, 5, 5], [0, 0]),
        (absolute(AT), [4, 5, 5], [0, 0]),
    ]
}

fn value_of(m: &pennyweight_msp430::Msp430Machine, source: Source) -> u16 {
    if source.0 == 0 {
        m.registers().0[5]
    } else {
        word(m, AT)
    }
}

fn registers(value: u16, flags: u16) -> [(usize, u16); 4] {
    [(5, value), (6, AT), (7, AT - 4), (SR, flags)]
}

#[test]
fn rotations_and_extensions() {
    for (code, byte, value, before, result, flags) in [
        (RRC, false, 0x0003, C, 0x8001, C | N | V),
        (RRC, false, 0x8003, C, 0xc001, C | N),
        (RRC, false, 0x0001, V, 0x0000, C | Z),
        (RRC, false, 0x8000, 0, 0x4000, 0),
        (RRC, true, 0xaa02, C, 0x0081, N | V),
        (RRC, true, 0xaa80, C, 0x00c0, N),
        (RRC, true, 0xaa01, 0, 0x0000, C | Z),
        (RRA, false, 0x8001, V, 0xc000, C | N),
        (RRA, false, 0x7ffe, C, 0x3fff, 0),
        (RRA, false, 0x0001, 0, 0x0000, C | Z),
        (RRA, true, 0x5581, V, 0x00c0, C | N),
        (RRA, true, 0xff7e, C, 0x003f, 0),
        (SWPB, false, 0x12ab, C | V | N, 0xab12, C | V | N),
        (SXT, false, 0x1280, V | Z, 0xff80, C | N),
        (SXT, false, 0xff7f, V, 0x007f, C),
        (SXT, false, 0xff00, C, 0x0000, Z),
    ] {
        for (source, cycles, grows) in rows() {
            let what = format!("code {code} byte {byte} {value:#06x} {source:?}");
            let program = one(code, byte, source);
            let mut m = prepared(&program, &registers(value, before), &[(AT, value)]);
            assert_eq!(step(&mut m).cycles, cycles[0], "{what}");
            let kept = if byte && source.0 != 0 { value & 0xff00 } else { 0 };
            assert_eq!(value_of(&m, source), kept | result, "{what}");
            let all = m.registers().0;
            assert_eq!(all[SR], flags, "{what}");
            assert_eq!(all[6], AT + grows[usize::from(!byte)], "{what}");
            assert_eq!(all[PC], CODE + 2 * program.len() as u16, "{what}");
        }
    }
}

#[test]
fn pushes() {
    let constants = [
        (immediate(0x9ab7), 4, 0x9ab7),
        (Source(0, 3, None), 3, 0),
        (Source(1, 3, None), 3, 1),
        (Source(3, 3, None), 3, 0xffff),
        (Source(3, 2, None), 3, 8),
    ];
    let all: Vec<_> = rows()
        .into_iter()
        .map(|(source, cycles, grows)| (source, cycles[1], 0x9ab7, grows))
        .chain(constants.map(|(source, cycles, value)| (source, cycles, value, [0, 0])))
        .collect();
    for (source, cycles, value, grows) in all {
        for byte in [false, true] {
            let program = one(PUSH, byte, source);
            let memory = [(AT, 0x9ab7), (0x1ffe, 0x5555)];
            let mut m = prepared(&program, &registers(0x9ab7, C | V), &memory);
            let outcome = step(&mut m);
            assert_eq!(outcome.cycles, cycles, "{source:?}");
            let expected = if byte { 0x5500 | value & 0xff } else { value };
            let all = m.registers().0;
            assert_eq!((word(&m, 0x1ffe), all[SP], all[SR]), (expected, 0x1ffe, C | V), "{source:?}");
            assert_eq!(all[6], AT + grows[usize::from(!byte)]);
            assert_eq!(all[PC], CODE + 2 * program.len() as u16);
        }
    }
}

#[test]
fn calls() {
    let target = 0x5008;
    let rows = rows().into_iter().map(|(s, cycles, grows)| (s, cycles[2], grows[1]));
    for (source, cycles, grows) in rows.chain([(immediate(target), 5, 0)]) {
        let program = one(CALL, false, source);
        let mut m = prepared(&program, &registers(target, N), &[(AT, target)]);
        assert_eq!(step(&mut m).cycles, cycles, "{source:?}");
        let all = m.registers().0;
        assert_eq!((all[PC], all[SP], all[SR]), (target, 0x1ffe, N), "{source:?}");
        assert_eq!(word(&m, 0x1ffe), CODE + 2 * program.len() as u16, "{source:?}");
        assert_eq!(all[6], AT + grows, "{source:?}");
    }
}

#[test]
fn the_stack_pointer_as_an_operand_is_that_before_the_push() {
    let mut m = prepared(&one(PUSH, false, r(1)), &[], &[]);
    step(&mut m);
    assert_eq!((word(&m, 0x1ffe), m.registers().0[SP]), (0x2000, 0x1ffe));
    let mut m = prepared(&one(PUSH, false, indexed(4, 1)), &[], &[(0x2004, 0x7777)]);
    step(&mut m);
    assert_eq!(word(&m, 0x1ffe), 0x7777);
}
