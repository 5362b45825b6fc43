//! Every addressing mode of source and target, for every operation on bytes and words: what is read,
//! what is written, which registers move, how long the instruction is and how many cycles it takes.

use crate::common::*;

/// A way to name a source whose value is `DATA`, with the cycles of its row in table 3-16: to a
/// register, to PC, to memory.
struct Row {
    source: Source,
    value: u16,
    cycles: [u64; 3],
    /// By how much the source's register grows, for a byte and for a word.
    grows: [u16; 2],
}

const DATA: u16 = 0x80a7;
const AT: u16 = 0x1a02;
const TARGET: u16 = 0x2b06;

fn rows() -> Vec<Row> {
    let row = |source, value, cycles, grows| Row { source, value, cycles, grows };
    vec![
        row(r(5), DATA, [1, 2, 4], [0, 0]),
        row(indirect(6), DATA, [2, 2, 5], [0, 0]),
        row(increment(6), DATA, [2, 3, 5], [1, 2]),
        row(immediate(DATA), DATA, [2, 3, 5], [0, 0]),
        row(indexed(4, 7), DATA, [3, 3, 6], [0, 0]),
        row(indexed(0xfff0, 8), DATA, [3, 3, 6], [0, 0]),
        // EDE: its distance from the word that holds it.
        row(Source(1, 0, Some(AT.wrapping_sub(CODE + 2))), DATA, [3, 3, 6], [0, 0]),
        row(absolute(AT), DATA, [3, 3, 6], [0, 0]),
        // Constant generators (table 3-2) count as registers.
        row(Source(0, 3, None), 0, [1, 2, 4], [0, 0]),
        row(Source(1, 3, None), 1, [1, 2, 4], [0, 0]),
        row(Source(2, 3, None), 2, [1, 2, 4], [0, 0]),
        row(Source(3, 3, None), 0xffff, [1, 2, 4], [0, 0]),
        row(Source(2, 2, None), 4, [1, 2, 4], [0, 0]),
        row(Source(3, 2, None), 8, [1, 2, 4], [0, 0]),
        row(r(3), 0, [1, 2, 4], [0, 0]),
    ]
}

const REGISTERS: [(usize, u16); 5] = [(5, DATA), (6, AT), (7, AT - 4), (8, AT + 16), (SR, C)];
const BEFORE: u16 = 0x1e59;

/// The result of an operation on the test's values; flags are another test's.
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
        AND => b & a,
        _ => unreachable!("not in this test"),
    };
    if byte {
        x & 0xff
    } else {
        x
    }
}

const CODES: [u16; 11] = [MOV, ADD, ADDC, SUBC, SUB, CMP, BIT, BIC, BIS, XOR, AND];

fn check_common(m: &pennyweight_msp430::Msp430Machine, row: &Row, byte: bool, length: usize, what: &str) {
    let all = m.registers().0;
    assert_eq!(all[PC], CODE + 2 * length as u16, "length: {what}");
    let grown = row.grows[usize::from(!byte)];
    assert_eq!(all[6], AT + grown, "@R6+: {what}");
    assert_eq!((all[5], all[7], all[8]), (DATA, AT - 4, AT + 16), "{what}");
    assert_eq!(word(m, AT), DATA, "the source in memory: {what}");
}

#[test]
fn to_a_register() {
    for row in rows() {
        for code in CODES {
            for byte in [false, true] {
                let program = two(code, byte, row.source, to(10));
                let what = format!("code {code} byte {byte} {:?}", row.source);
                let mut m = prepared(&program, &REGISTERS, &[(AT, DATA)]);
                let mut all = m.registers();
                all.0[10] = BEFORE;
                m.set_registers(&all);
                assert_eq!(step(&mut m).cycles, row.cycles[0], "{what}");
                let kept = code == CMP || code == BIT;
                let expected = if kept { BEFORE } else { result(code, byte, row.value, BEFORE) };
                assert_eq!(m.registers().0[10], expected, "{what}");
                check_common(&m, &row, byte, program.len(), &what);
            }
        }
    }
}

#[test]
fn to_memory() {
    for row in rows() {
        for code in CODES {
            for byte in [false, true] {
                let extension = CODE + 2 + if row.source.2.is_some() { 2 } else { 0 };
                for target in [
                    to_indexed(6, 9),
                    to_indexed(0xfffe, 11),
                    to_absolute(TARGET),
                    Target(1, 0, Some(TARGET.wrapping_sub(extension))),
                ] {
                    let program = two(code, byte, row.source, target);
                    let what = format!("code {code} byte {byte} {:?} {target:?}", row.source);
                    let mut m = prepared(&program, &REGISTERS, &[(AT, DATA), (TARGET, BEFORE)]);
                    let mut all = m.registers();
                    (all.0[9], all.0[11]) = (TARGET - 6, TARGET + 2);
                    m.set_registers(&all);
                    assert_eq!(step(&mut m).cycles, row.cycles[2], "{what}");
                    let x = result(code, byte, row.value, BEFORE);
                    // A byte operation leaves the other half of the word.
                    let expected = if byte { BEFORE & 0xff00 | x } else { x };
                    assert_eq!(word(&m, TARGET), expected, "{what}");
                    check_common(&m, &row, byte, program.len(), &what);
                }
            }
        }
    }
}

#[test]
fn bytes_at_odd_addresses() {
    let memory = [(0x1a02, 0xc3a7), (0x2b06, 0x5566)];
    let mut m =
        prepared(&two(MOV, true, indirect(6), to_indexed(1, 9)), &[(6, 0x1a03), (9, 0x2b06)], &memory);
    step(&mut m);
    assert_eq!(word(&m, 0x2b06), 0xc366);
    let mut m = prepared(&two(ADD, true, increment(6), to(7)), &[(6, 0x1a03), (7, 0xff01)], &memory);
    step(&mut m);
    assert_eq!((m.registers().0[7], m.registers().0[6]), (0xc4, 0x1a04));
}

#[test]
fn branches_are_moves_to_the_program_counter() {
    for row in rows() {
        let program = two(MOV, false, row.source, to(0));
        let mut m = prepared(&program, &REGISTERS, &[(AT, DATA)]);
        assert_eq!(step(&mut m).cycles, row.cycles[1], "{:?}", row.source);
        assert_eq!(m.registers().0[PC], row.value & !1, "{:?}", row.source);
    }
}

#[test]
fn the_program_counter_as_a_source_points_behind_the_first_word() {
    for (target, length) in [(to(10), 2), (to_absolute(TARGET), 4)] {
        let mut m = prepared(&two(MOV, false, r(0), target), &[], &[]);
        step(&mut m);
        let value = if length == 2 { m.registers().0[10] } else { word(&m, TARGET) };
        assert_eq!((value, m.registers().0[PC]), (CODE + 2, CODE + length));
    }
    // @PC is the word behind, which is then executed: here a NOP, MOV #0, R3.
    let mut m = prepared(&[two(MOV, false, indirect(0), to(10)), vec![0x4303]].concat(), &[], &[]);
    assert_eq!(step(&mut m).cycles, 2);
    assert_eq!((m.registers().0[10], m.registers().0[PC]), (0x4303, CODE + 2));
    assert_eq!(step(&mut m).cycles, 1);
    assert_eq!(m.registers().0[3], 0);
    let mut m = prepared(&two(ADD, false, immediate(6), to(0)), &[], &[]);
    assert_eq!(step(&mut m).cycles, 3);
    assert_eq!(m.registers().0[PC], CODE + 4 + 6);
}

#[test]
fn a_register_that_is_source_and_target() {
    let mut m = prepared(&two(ADD, false, increment(6), to(6)), &[(6, AT)], &[(AT, 0x100)]);
    step(&mut m);
    assert_eq!(m.registers().0[6], AT + 2 + 0x100);
    let mut m = prepared(&two(MOV, false, increment(6), to_indexed(0, 6)), &[(6, AT)], &[(AT, 0x1234)]);
    step(&mut m);
    assert_eq!((m.registers().0[6], word(&m, AT + 2)), (AT + 2, 0x1234));
    let mut m = prepared(&two(XOR, false, r(6), to(6)), &[(6, AT)], &[]);
    step(&mut m);
    assert_eq!((m.registers().0[6], m.registers().0[SR]), (0, Z));
}
