//! The loop's ops against the general way, on random instructions and states, and text of all.

use pennyweight_machine::Machine as _;
use pennyweight_msp430::Registers;

use crate::parts::*;

/// A register that points somewhere useful more often than not.
fn pointer(random: &mut Random) -> u32 {
    let upper = u32::from(random.next() & 15) << 16;
    match random.next() % 10 {
        0 => upper | u32::from(random.next()),
        1 => u32::from(0x04c0 + random.next() % 48),
        2 => u32::from(FLASH + random.next() % 0x400),
        3 => 0xf_ff00 | u32::from(random.next()),
        _ => u32::from(RAM.0 + random.next() % 0x2000),
    }
}

#[test]
fn ops_do_what_the_general_way_does() {
    let mut random = Random(0x5eed_430f);
    let mut executed = 0;
    for _ in 0..60 {
        let mut program: Vec<u16> = (0..256).map(|_| random.next()).collect();
        for word in program.iter_mut().step_by(3) {
            // Instructions that only CPUX has.
            *word = *word & 0x0fff | [0, 0x1000][usize::from(random.next() & 1)];
            if *word & 0x1800 == 0x1800 {
                *word |= 0x40;
            }
        }
        let (mut a, mut b) = (prepared(&program, &[], &[]), prepared(&program, &[], &[]));
        let bytes: Vec<u8> = (0..0x2000).map(|_| random.next() as u8).collect();
        for m in [&mut a, &mut b] {
            m.write(RAM.0.into(), &bytes).expect("in RAM");
        }
        for at in 0..250u16 {
            let mut registers = Registers([0; 16]);
            registers.0.fill_with(|| pointer(&mut random) & if at % 3 == 0 { !1 } else { !0 } & 0xf_ffff);
            registers.0[PC] = u32::from(CODE + 2 * at);
            registers.0[SP] = u32::from(RAM.0 + random.next() % 0x2000) & !1;
            registers.0[SR] = u32::from(random.next() & 0x01ef);
            registers.0[3] = 0;
            a.set_registers(&registers);
            b.set_registers(&registers);
            let instruction = a.instruction(CODE + 2 * at);
            let what = format!("{instruction} at {:#x} with {:x?}", CODE + 2 * at, registers.0);
            let (x, y) = (a.step(), b.step_generally());
            assert_eq!(
                (x.exit, x.cycles, x.instructions, x.stack),
                (y.exit, y.cycles, y.instructions, y.stack),
                "{what}"
            );
            assert_eq!(a.registers(), b.registers(), "{what}");
            let products = (0x4c0..0x4ee).step_by(2).map(|i| (a.multiplier(i), b.multiplier(i)));
            assert!(products.into_iter().all(|(x, y)| x == y), "{what}");
            executed += x.instructions;
        }
        assert!(a.memory() == b.memory());
    }
    assert!(executed > 5_000, "only {executed} of 15000 instructions did not fault");
}

#[test]
fn instructions_have_a_text() {
    for (words, text) in [
        (vec![0x1944, 0x1005], "RPT #5 { RRUX R5"),
        (vec![0x18c9, 0x5506], "RPT R9 { ADDX R5, R6"),
        (vec![0x1800, 0x5546], "ADDX.A R5, R6"),
        (vec![0x18c1, 0x55d6, 2, 3], "ADDX.B 65538(R5), 65539(R6)"),
        (vec![0x184f, 0x1065, 0], "RRCX.B @R5"),
        (vec![0x0110], "RETA @R1+, R0"),
        (vec![0x0180, 0x2344], "BRA #0x12344, R0"),
        (vec![0x05cf], "MOVA R5, R15"),
        (vec![0x01ba, 2], "SUBA #0x10002, R10"),
        (vec![0x13b5, 0x4320], "CALLA #0x54320"),
        (vec![0x0c45], "RRCM.A #4, R5"),
        (vec![0x157a], "PUSHM #8, R10"),
        (vec![0x1674], "POPM.A #8, R4"),
    ] {
        let m = prepared(&words, &[], &[]);
        assert_eq!(m.instruction(CODE).to_string(), text, "{words:x?}");
    }
}
