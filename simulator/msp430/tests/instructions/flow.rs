//! Jumps, RET and RETI.

use crate::common::*;

/// JNE, JEQ, JNC, JC, JN, JGE, JL, JMP (SLAU049, table 3-13), for every state of the flags.
#[test]
fn conditions() {
    for condition in 0..8 {
        for bits in 0..16u16 {
            let (c, z, n, v) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0);
            let flags = bits & 7 | if v { V } else { 0 };
            let taken = [!z, z, !c, c, n, n == v, n != v, true][usize::from(condition)];
            for distance in [5, -3, 511, -512, 0] {
                let mut m = prepared(&[jump(condition, distance)], &[(SR, flags)], &[]);
                assert_eq!(step(&mut m).cycles, 2);
                let moved = if taken { 2 * distance } else { 0 };
                let all = m.registers().0;
                assert_eq!(
                    all[PC],
                    (CODE + 2).wrapping_add_signed(moved),
                    "{condition} {flags:#x} {distance}"
                );
                assert_eq!(all[SR], flags);
            }
        }
    }
}

#[test]
fn a_return_pops_the_program_counter() {
    let mut m = prepared(&two(MOV, false, increment(1), to(0)), &[], &[(0x2000, 0x4567)]);
    assert_eq!(step(&mut m).cycles, 3);
    assert_eq!((m.registers().0[PC], m.registers().0[SP]), (0x4566, 0x2002));
}

/// RETI pops the status register, then the program counter, in five cycles (table 3-14).
#[test]
fn a_return_from_interrupt() {
    let memory = [(0x2000, 0xff00 | 0xc8 | C | N), (0x2002, 0x5678)];
    let mut m = prepared(&[0x1300], &[], &memory);
    assert_eq!(step(&mut m).cycles, 5);
    let all = m.registers().0;
    assert_eq!((all[PC], all[SP], all[SR]), (0x5678, 0x2004, 0xc8 | V | C | N));
}

/// Code in RAM runs too, and can be written by the program.
#[test]
fn code_in_ram() {
    let program = [two(MOV, false, immediate(0x1800), to(0))].concat();
    let ram = [
        (0x1800, two(ADD, false, r(5), to(6))[0]),
        (0x1802, two(MOV, false, immediate(CODE + 8), to(0))[0]),
        (0x1804, CODE + 8),
    ];
    let mut m = prepared(&program, &[(5, 7), (6, 8)], &ram);
    let cycles: Vec<u64> = (0..3).map(|_| step(&mut m).cycles).collect();
    assert_eq!(cycles, [3, 1, 3]);
    assert_eq!((m.registers().0[6], m.registers().0[PC]), (15, CODE + 8));
    // The same in one run: what is spent in RAM counts as well. It ends at the erased word 0xffff,
    // AND.B @R15+, 0xffff(R15), which reads what is not there.
    let mut m = prepared(&program, &[(5, 7), (6, 8), (15, 0x3a00)], &ram);
    let outcome = m.resume(1000);
    assert_eq!((outcome.cycles, outcome.instructions), (7, 3));
}
