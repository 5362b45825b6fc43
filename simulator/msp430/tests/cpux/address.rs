//! Address instructions: table 4-19.

use pennyweight_machine::Machine as _;

use crate::parts::*;

const DATA: u32 = 0x0_e8a6;

/// MOVA to a register and, as BRA and RETA, to PC.
#[test]
fn moves_to_registers() {
    let high = (DATA >> 16) as u16;
    for (program, cycles) in [
        (vec![0x0600], [3, 5]),
        (vec![0x0610], [3, 5]),
        (vec![0x0020, AT], [4, 6]),
        (vec![0x0730, 0xfffc], [4, 6]),
        (vec![0x0080 | high << 8, DATA as u16], [2, 3]),
        (vec![0x05c0], [1, 3]),
    ] {
        for (register, cycles) in [(10, cycles[0]), (0, cycles[1])] {
            let mut code = program.clone();
            code[0] |= register;
            let registers =
                [(5, DATA), (6, AT.into()), (7, u32::from(AT) + 4), (SR, u32::from(V | C)), (10, 0xf_ffff)];
            let mut m = prepared(&code, &registers, &[(AT, DATA as u16), (AT + 2, high)]);
            assert_eq!(step(&mut m).cycles, cycles, "{code:x?}");
            let all = m.registers().0;
            assert_eq!(all[usize::from(register)], DATA, "{code:x?}");
            assert_eq!(all[SR], u32::from(V | C), "{code:x?}");
            assert_eq!(all[6], u32::from(AT) + if program[0] == 0x0610 { 4 } else { 0 }, "{code:x?}");
            if register != 0 {
                assert_eq!(all[PC], u32::from(CODE) + 2 * code.len() as u32, "{code:x?}");
            }
        }
    }
    let mut m = prepared(&[0x0110], &[], &[(0x3000, 0x1234), (0x3002, 0)]);
    assert_eq!(step(&mut m).cycles, 5, "RETA");
    assert_eq!((m.registers().0[PC], m.registers().0[SP]), (0x1234, 0x3004));
}

#[test]
fn all_bits_are_moved() {
    for (program, expected) in
        [(vec![0x0c8a, 0x3456], 0xc_3456), (vec![0x05ca], 0xb_9876), (vec![0x060a], 0x7_1111)]
    {
        let memory = [(AT, 0x1111), (AT + 2, 0xfff7)];
        let mut m = prepared(&program, &[(5, 0xb_9876), (6, AT.into())], &memory);
        step(&mut m);
        assert_eq!(m.registers().0[10], expected, "{program:x?}");
    }
}

#[test]
fn moves_to_memory() {
    for program in [vec![0x0560, AT], vec![0x0577, 0xfffc]] {
        let registers = [(5, 0xb_9876), (7, u32::from(AT) + 4)];
        let mut m = prepared(&program, &registers, &[(AT + 2, 0xffff)]);
        assert_eq!(step(&mut m).cycles, 4, "{program:x?}");
        assert_eq!(long(&m, AT), 0xb_9876, "{program:x?}");
        assert_eq!(m.registers().0[PC], u32::from(CODE) + 4);
    }
}

/// MOVA EDE, R10 and MOVA R10, EDE: the distance from the word that holds it is signed.
#[test]
fn symbolic_mode() {
    for (distance, at) in [(0x0100, 0x2b02), (0xff00, 0x2902)] {
        let memory = [(0x2a00, 0x003a), (0x2a02, distance), (0x2a04, 0x0a70), (0x2a06, distance)];
        let mut m = prepared(&[], &[(PC, 0x2a00)], &memory);
        m.write(at, &[0x56, 0x34, 0x12, 0]).expect("in RAM");
        assert_eq!((step(&mut m).cycles, m.registers().0[10]), (4, 0x2_3456));
        assert_eq!((step(&mut m).cycles, long(&m, at as u16 + 4)), (4, 0x2_3456));
        assert_eq!(m.registers().0[PC], 0x2a08);
    }
}

/// ADDA, SUBA and CMPA, with the flags of 20 bits.
#[test]
fn sums_and_differences() {
    for (operation, before, source, after, flags) in [
        (10, 0x7_ffff, 1, 0x8_0000, N | V),
        (10, 0xf_ffff, 1, 0, C | Z),
        (10, 0x8_0000, 0x8_0000, 0, C | Z | V),
        (10, 0x0_ffff, 1, 0x1_0000, 0),
        (11, 0x1_0000, 1, 0x0_ffff, C),
        (11, 0, 1, 0xf_ffff, N),
        (11, 0x8_0000, 1, 0x7_ffff, C | V),
        (9, 0x1_2345, 0x1_2345, 0x1_2345, C | Z),
        (9, 0x1_2345, 0x2_2345, 0x1_2345, N),
    ] {
        let high = (source >> 16) as u16;
        let by_value = (vec![high << 8 | operation << 4 | 10, source as u16], 3);
        let by_register = (vec![5 << 8 | (operation + 4) << 4 | 10], 1);
        for (program, cycles) in [by_value, by_register] {
            let what = format!("{program:x?} {before:#x}");
            let mut m = prepared(&program, &[(5, source), (10, before)], &[]);
            assert_eq!(step(&mut m).cycles, cycles, "{what}");
            let all = m.registers().0;
            assert_eq!((all[10], all[SR]), (after, u32::from(flags)), "{what}");
            assert_eq!(all[PC], u32::from(CODE) + 2 * program.len() as u32, "{what}");
        }
    }
    // To PC: the sum starts behind the instruction.
    for (program, target) in [(vec![0x00a0, 6], CODE + 4 + 6), (vec![0x05e0], CODE + 2 + 8)] {
        let mut m = prepared(&program, &[(5, 8)], &[]);
        assert_eq!(step(&mut m).cycles, 3);
        assert_eq!(m.registers().0[PC], u32::from(target));
    }
}
