//! Repetition by the extension word (table 4-11): n + 1 cycles (note 1 of table 4-18).

use crate::parts::*;

/// An extension word of register mode: ZC, the count or its register.
fn repeat(size: Size, zero_carry: bool, in_register: bool, count: u16) -> u16 {
    0x1800 | u16::from(zero_carry) << 8 | u16::from(in_register) << 7 | size.code().0 | count
}

fn rrcx(size: Size) -> u16 {
    0x1000 | size.code().1 | 5
}

#[test]
fn so_many_times() {
    for n in 1..=16u32 {
        for in_register in [false, true] {
            // RRUX.W R5, as the compiler shifts.
            let count = if in_register { 9 } else { n as u16 - 1 };
            let code = [repeat(Size::W, true, in_register, count), rrcx(Size::W)];
            let registers = [(5, 0x3_a5c3), (9, 0xf_fff0 + n - 1), (SR, u32::from(C | V))];
            let mut m = prepared(&code, &registers, &[]);
            assert_eq!(step(&mut m).cycles, u64::from(n) + 1, "{n}");
            let all = m.registers().0;
            assert_eq!(all[5], 0xa5c3 >> n, "{n}");
            let carry = if 0xa5c3 >> (n - 1) & 1 != 0 { C } else { 0 };
            assert_eq!(all[SR], u32::from(carry | if n == 16 { Z } else { 0 }), "{n}");
            assert_eq!(all[PC], u32::from(CODE) + 4);
        }
    }
}

/// Without ZC, each rotation gets the carry of the one before.
#[test]
fn carries_go_on() {
    let code = [repeat(Size::A, false, false, 3), rrcx(Size::A)];
    let mut m = prepared(&code, &[(5, 0x0_0005), (SR, u32::from(C))], &[]);
    assert_eq!(step(&mut m).cycles, 5);
    assert_eq!((m.registers().0[5], m.registers().0[SR]), (0xb_0000, u32::from(N)));
}

/// ADDX.A R5, R5 three times is a shift by three; the source is read each time.
#[test]
fn a_source_that_is_the_target() {
    let code = [repeat(Size::A, false, false, 2), 0x5545];
    let mut m = prepared(&code, &[(5, 0x1_2345)], &[]);
    assert_eq!(step(&mut m).cycles, 4);
    assert_eq!(m.registers().0[5], 0x9_1a28);
    // ADCX.W R6: ADDCX #0, R6, of which the first uses C.
    let code = [repeat(Size::W, false, false, 4), 0x6306];
    let mut m = prepared(&code, &[(6, 0xffff), (SR, u32::from(C))], &[]);
    assert_eq!(step(&mut m).cycles, 6);
    assert_eq!(m.registers().0[6], 1);
}

/// Where an operand is in memory, the same bits are part of its address.
#[test]
fn no_repetition_on_memory() {
    let mut m =
        prepared(&onex(RRA, Size::W, Wide(1, 6, Some(0xf_fffe))), &[(6, u32::from(AT) + 2)], &[(AT, 8)]);
    assert_eq!(step(&mut m).cycles, 5);
    assert_eq!(word(&m, AT), 4);
}

/// ZC gives the instruction a carry of 0: it does not reset the bit.
#[test]
fn a_carry_that_is_not_used_stays() {
    for (code, expected) in [(0x4506, C | V), (0x1085, C | V), (0x6506, 0)] {
        let mut m =
            prepared(&[repeat(Size::W, true, false, 0), code], &[(SR, u32::from(C | V)), (5, 1)], &[]);
        step(&mut m);
        assert_eq!(m.registers().0[SR], u32::from(expected), "{code:#06x}");
    }
}
