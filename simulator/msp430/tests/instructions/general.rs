//! The loop's ops against the general way, on random instructions and states.

use pennyweight_machine::Machine;
use pennyweight_msp430::{Msp430Machine, Registers};

use crate::common::*;

/// A register that points somewhere useful more often than not.
fn pointer(random: &mut Random) -> u16 {
    match random.next() % 8 {
        0 => random.next(),
        1 => 0x0130 + random.next() % 16,
        2 => FLASH + random.next() % 0x400,
        3 => 0x0200 + random.next() % 0x900,
        _ => 0x1100 + random.next() % 0x2800,
    }
}

fn state(m: &Msp430Machine) -> (Registers, Vec<u16>) {
    (m.registers(), (0..8).map(|i| m.multiplier(0x130 + 2 * i)).collect())
}

#[test]
fn ops_do_what_the_general_way_does() {
    let mut random = Random(0x5eed_0430);
    let mut executed = 0;
    for _ in 0..60 {
        let program: Vec<u16> = (0..256).map(|_| random.next()).collect();
        let (mut a, mut b) = (machine(&program), machine(&program));
        let bytes: Vec<u8> = (0..0x2800).map(|_| random.next() as u8).collect();
        for m in [&mut a, &mut b] {
            m.write(0x1100, &bytes).expect("in RAM");
        }
        for at in 0..250 {
            let mut registers = Registers::default();
            registers.0.fill_with(|| pointer(&mut random) & if at % 3 == 0 { !1 } else { !0 });
            registers.0[PC] = CODE + 2 * at;
            registers.0[SP] &= !1;
            registers.0[SR] = random.next() & 0x01ef;
            registers.0[3] = 0;
            a.set_registers(&registers);
            b.set_registers(&registers);
            let what =
                format!("{} at {:#x} with {:x?}", a.instruction(CODE + 2 * at), CODE + 2 * at, registers.0);
            let (x, y) = (a.step(), b.step_generally());
            assert_eq!(
                (x.exit, x.cycles, x.instructions, x.stack),
                (y.exit, y.cycles, y.instructions, y.stack),
                "{what}"
            );
            assert_eq!(state(&a), state(&b), "{what}");
            executed += x.instructions;
        }
        assert!(a.memory() == b.memory());
    }
    assert!(executed > 5_000, "only {executed} of 15000 instructions did not fault");
}
