//! PUSHM, POPM, and rotations by several bits: table 4-17, section 4.6.1.

use crate::parts::*;

/// PUSHM goes down from its register, POPM comes up from its own, which is n - 1 below.
#[test]
fn registers_are_pushed_and_popped() {
    for (is_long, size) in [(false, 2), (true, 4)] {
        for count in [1, 3, 9] {
            let code = |pops: u16, register: u16| {
                0x1400 | pops << 9 | u16::from(!is_long) << 8 | (count as u16 - 1) << 4 | register
            };
            let registers: Vec<(usize, u32)> = (4..16).map(|n| (n, n as u32 * 0x1_1111 + 1)).collect();
            let mut m = prepared(&[code(0, 14), code(1, 14 - (count as u16 - 1))], &registers, &[]);
            let cycles = 2 + count * size / 2;
            assert_eq!(step(&mut m).cycles, cycles as u64);
            assert_eq!(m.registers().0[SP], STACK - count * size);
            for i in 0..count {
                let address = (STACK - (i + 1) * size) as u16;
                let value = (14 - i) * 0x1_1111 + 1;
                let found = if is_long { long(&m, address) } else { word(&m, address).into() };
                assert_eq!(found, if is_long { value } else { value & 0xffff }, "R{}", 14 - i);
            }
            let mut all = m.registers();
            all.0[4..].fill(0xf_ffff);
            m.set_registers(&all);
            assert_eq!(step(&mut m).cycles, cycles as u64);
            let all = m.registers().0;
            assert_eq!((all[SP], all[SR]), (STACK, 0));
            for n in 4..16u32 {
                let value = n * 0x1_1111 + 1;
                let is_popped = n <= 14 && n > 14 - count;
                let expected = if is_long { value } else { value & 0xffff };
                assert_eq!(all[n as usize], if is_popped { expected } else { 0xf_ffff }, "R{n}");
            }
        }
    }
}

/// RRCM, RRAM, RLAM and RRUM by one to four bits; V after RLAM, which the manual leaves undefined, is that
/// of the last shift.
#[test]
fn rotations_by_several_bits() {
    for (kind, is_long, times, before, result, flags) in [
        (0, true, 3, 0x0_0005, 0x6_0000, C),
        (0, true, 1, 0x0_0004, 0x8_0002, N),
        (0, false, 2, 0xf_0007, 0xc001, C | N),
        (1, true, 4, 0x8_0018, 0xf_8001, C | N),
        (1, false, 3, 0x5_7ff0, 0x0ffe, 0),
        (2, true, 2, 0x1_0001, 0x4_0004, 0),
        (2, true, 1, 0x4_0000, 0x8_0000, N | V),
        (2, false, 4, 0xf_1001, 0x0010, C | V),
        (3, true, 4, 0x8_0018, 0x0_8001, C),
        (3, false, 1, 0xf_8001, 0x4000, C),
        (3, false, 4, 0x0_000f, 0, C | Z),
    ] {
        let code = (times - 1) << 10 | kind << 8 | 0x40 | u16::from(!is_long) << 4 | 5;
        let what = format!("{code:#06x}");
        // C and V are set before.
        let mut m = prepared(&[code], &[(5, before), (SR, u32::from(C | V))], &[]);
        assert_eq!(step(&mut m).cycles, u64::from(times), "{what}");
        let all = m.registers().0;
        assert_eq!((all[5], all[SR]), (result, u32::from(flags)), "{what}");
        assert_eq!(all[PC], u32::from(CODE) + 2, "{what}");
    }
}
