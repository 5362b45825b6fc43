//! The special registers as targets, and the multiplier.

use crate::common::*;

#[test]
fn the_stack_pointer_moves_and_stays_even() {
    for (program, expected, cycles) in [
        (two(SUB, false, immediate(0x24), to(1)), 0x1fdc, 2),
        (two(SUB, false, Source(2, 3, None), to(1)), 0x1ffe, 1),
        (two(ADD, false, immediate(0x13), to(1)), 0x2012, 2),
        (two(MOV, false, r(5), to(1)), 0x2222, 1),
        (two(MOV, false, immediate(0x1235), to(1)), 0x1234, 2),
    ] {
        let mut m = prepared(&program, &[(5, 0x2223)], &[]);
        assert_eq!(step(&mut m).cycles, cycles);
        assert_eq!(m.registers().0[SP], expected);
    }
    let mut m = prepared(&two(SUB, false, immediate(0x2000), to(1)), &[(SP, 0x2000)], &[]);
    m.step();
    assert_eq!(m.registers().0[SR], C | Z, "SUB sets flags for the stack pointer too");
}

/// A byte that is popped still moves the stack pointer by two (SLAU049, section 3.2.2).
#[test]
fn the_stack_pointer_increments_by_two_always() {
    let mut m = prepared(&two(MOV, true, increment(1), to(5)), &[], &[(0x2000, 0xabcd)]);
    assert_eq!(step(&mut m).cycles, 2);
    assert_eq!((m.registers().0[5], m.registers().0[SP]), (0xcd, 0x2002));
}

#[test]
fn the_status_register_is_a_register() {
    for (program, before, after, cycles) in [
        (two(BIC, false, Source(1, 3, None), to(2)), C | V, V, 1),
        (two(BIS, false, Source(1, 3, None), to(2)), 8, 8 | C, 1),
        (two(BIC, false, Source(3, 2, None), to(2)), 0x8 | N, N, 1),
        (two(BIS, false, Source(3, 2, None), to(2)), 0, 8, 1),
        (two(MOV, false, immediate(0x01c7), to(2)), 0, 0x01c7, 2),
        (two(MOV, true, immediate(0x01c7), to(2)), V, 0xc7, 2),
        (two(MOV, false, increment(1), to(2)), 0, V | Z, 2),
        (two(AND, false, immediate(0x0004), to(2)), N | C, N, 2),
    ] {
        let mut m = prepared(&program, &[(SR, before)], &[(0x2000, 0xf000 | V | Z)]);
        assert_eq!(step(&mut m).cycles, cycles, "{program:x?}");
        assert_eq!(m.registers().0[SR], after, "{program:x?}");
    }
    let mut m = prepared(&two(MOV, false, r(2), to(5)), &[(SR, V | C | 8)], &[]);
    step(&mut m);
    assert_eq!(m.registers().0[5], V | C | 8);
    let mut m = prepared(&one(PUSH, false, r(2)), &[(SR, N | Z)], &[]);
    assert_eq!(step(&mut m).cycles, 3);
    assert_eq!(word(&m, 0x1ffe), N | Z);
}

#[test]
fn the_constant_generator_forgets() {
    let mut m = prepared(&two(MOV, false, immediate(0x1234), to(3)), &[], &[]);
    assert_eq!(step(&mut m).cycles, 2);
    assert_eq!(m.registers().0[3], 0);
    let mut m = prepared(&two(ADD, false, r(5), to(3)), &[(5, 0x8000)], &[]);
    step(&mut m);
    assert_eq!((m.registers().0[3], m.registers().0[SR]), (0, N));
}

/// MPY &0130h, OP2 &0138h, RESLO &013ah, RESHI &013ch, SUMEXT &013eh (SLAU049, section 7.3).
#[test]
fn the_multiplier_answers_at_its_addresses() {
    for (mode, product, extension) in [
        (0x130, 0xffff_u32 * 0x8001, 0),
        (0x132, 0x7fff, 0),
        (0x134, (0xffff_u32 * 0x8001).wrapping_add(0xfff0_0000), 1),
        (0x136, 0xfff0_7fff, 0xffff),
    ] {
        let program = [
            two(MOV, false, immediate(0), to_absolute(0x13a)),
            two(MOV, false, immediate(0xfff0), to_absolute(0x13c)),
            two(MOV, false, r(5), to_absolute(mode)),
            two(MOV, false, r(6), to_absolute(0x138)),
            two(MOV, false, absolute(0x13a), to(7)),
            two(MOV, false, absolute(0x13c), to(8)),
            two(MOV, false, absolute(0x13e), to(9)),
            two(MOV, true, absolute(0x13b), to(10)),
        ]
        .concat();
        let mut m = prepared(&program, &[(5, 0xffff), (6, 0x8001)], &[]);
        let cycles: u64 = (0..8).map(|_| step(&mut m).cycles).sum();
        assert_eq!(cycles, 5 + 5 + 4 + 4 + 3 + 3 + 3 + 3);
        let all = m.registers().0;
        assert_eq!(u32::from(all[7]) | u32::from(all[8]) << 16, product, "{mode:#x}");
        assert_eq!(all[9], extension, "{mode:#x}");
        assert_eq!(all[10], all[7] >> 8);
        assert_eq!((m.multiplier(0x13a), m.multiplier(0x13c)), (all[7], all[8]));
    }
}

#[test]
fn a_byte_is_an_operand_of_the_multiplier() {
    let program = [
        two(MOV, true, immediate(0x12), to_absolute(0x130)),
        two(MOV, true, immediate(0x34), to_absolute(0x138)),
    ]
    .concat();
    let mut m = prepared(&program, &[], &[]);
    step(&mut m);
    step(&mut m);
    assert_eq!((m.multiplier(0x13a), m.multiplier(0x13c)), (0x12 * 0x34, 0));
}

#[test]
fn other_peripherals_keep_what_is_written() {
    let program = [
        two(MOV, false, immediate(0x5a80), to_absolute(0x120)),
        two(MOV, false, absolute(0x120), to(5)),
        two(MOV, true, immediate(0x77), to_absolute(0x21)),
        two(MOV, true, absolute(0x21), to(6)),
    ]
    .concat();
    let mut m = prepared(&program, &[], &[]);
    for _ in 0..4 {
        step(&mut m);
    }
    assert_eq!((m.registers().0[5], m.registers().0[6]), (0x5a80, 0x77));
}

/// The first 2 KB of RAM are seen at 0x0200 as well (MSP430F1611 datasheet, SLAS368).
#[test]
fn the_mirror_is_the_ram() {
    let program = [
        two(MOV, false, immediate(0xbeef), to_absolute(0x0204)),
        two(MOV, false, absolute(0x1104), to(5)),
        two(MOV, true, absolute(0x09ff), to(6)),
    ]
    .concat();
    let mut m = prepared(&program, &[], &[(0x18fe, 0x6600)]);
    for _ in 0..3 {
        step(&mut m);
    }
    assert_eq!((m.registers().0[5], m.registers().0[6]), (0xbeef, 0x66));
}
