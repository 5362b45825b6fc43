//! Free runs, with sequences and summed costs, against single steps: same state, cycles, instructions.

mod common;

use common::assembler::program;
use common::{board, bytes};
use pennyweight_avr::{AvrMachine, Registers};
use pennyweight_machine::Machine;

/// Pieces as compilers make them; programs are drawn from these.
const PIECES: &[&str] = &[
    "add r18, r22; adc r19, r23; adc r20, r24; adc r21, r25",
    "lsr r21; ror r20; ror r19; ror r18; dec r16; brne -6",
    "add r18, r18; adc r19, r19; adc r20, r20; adc r21, r21; dec r16; brne -6",
    "bst r18, 0; ror r21; ror r20; ror r19; ror r18; bld r21, 7",
    "ldd r18, Y+1; ldd r19, Y+2; ldd r20, Y+3; ldd r21, Y+4",
    "std Z+1, r18; std Z+2, r19; std Z+3, r20; std Z+4, r21",
    "eor r18, r22; eor r19, r23; eor r20, r24; eor r21, r25",
    "adiw r28, 33; ldd r4, Y+63; sbiw r28, 33",
    "ldi r26, 0x80; ldi r27, 4; ld r0, X+; ld r1, X+; st X+, r2",
    "ldi r30, 0x10; ldi r31, 1; lpm r6, Z+; lpm r7, Z+; ldi r30, 0; ldi r31, 3",
    "push r18; push r19; pop r20; pop r21",
    "cp r18, r22; cpc r19, r23; brne 1; inc r5",
    "cpse r4, r5; lds r6, 0x0200; sbrc r4, 3; rjmp 1; com r4; com r5",
    "subi r22, 0x11; sbci r23, 0x22; sbci r24, 0x33",
    "rcall 1; rjmp 1; ret; nop",
    "mul r18, r19; movw r22, r0; movw r24, r0; eor r1, r1",
    "call 0x3ff0; nop",
    "sbrs r19, 1; call 0x3ff0; tst",
    "in r0, 0x3f; out 0x3f, r0; bset 6; bclr 6; swap r9; neg r10",
    "cpi r16, 9; brne 2; cpi r17, 1; cpc r17, r1; mov r8, r9; mov r9, r10; mov r10, r11; mov r11, r8",
];

#[test]
fn free_runs_equal_steps() {
    let mut seed = 7u64;
    let mut next = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let pieces: Vec<Vec<u16>> =
        PIECES.iter().map(|piece| program(&piece.replace("tst", "and r2, r2"))).collect();
    for _ in 0..40 {
        let mut words = Vec::new();
        while words.len() < 400 {
            words.extend(&pieces[next(pieces.len() as u64) as usize]);
        }
        words.extend(program("jmp 0"));
        words.resize(0x3ff0, 0);
        words.extend(program("dec r17; ret"));
        let flash = bytes(&words);
        let mut free = AvrMachine::with_flash(&board(32), &flash).expect("a good board");
        let mut stepped = AvrMachine::with_flash(&board(32), &flash).expect("a good board");
        let mut registers = Registers { sp: 0x8f0, sreg: next(256) as u8, ..Registers::default() };
        registers.r.fill_with(|| next(256) as u8);
        registers.r[28..32].copy_from_slice(&[0x00, 0x02, 0x00, 0x03]);
        free.set_registers(&registers);
        stepped.set_registers(&registers);
        for _ in 0..20 {
            let outcome = free.resume(next(3_000));
            let mut cycles = 0;
            for _ in 0..outcome.instructions {
                cycles += stepped.step().cycles;
            }
            assert_eq!(outcome.cycles, cycles, "{outcome:?}");
            assert_eq!(free.registers(), stepped.registers(), "{outcome:?}");
            assert_eq!(free.data(), stepped.data(), "{outcome:?}");
        }
    }
}

#[test]
fn a_call_may_start_in_the_middle_of_a_sequence() {
    let mut machine = common::machine("lsr r21; ror r20; ror r19; ror r18; ret");
    let call = |m: &mut AvrMachine, at| {
        let options = pennyweight_machine::CallOptions { budget: 100, stack_limit: 0x80_0200, zones: vec![] };
        m.call(at, &[], &options).cycles
    };
    for (at, cycles) in [(0, 8), (2, 7), (4, 6), (6, 5)] {
        assert_eq!(call(&mut machine, at), cycles);
    }
}
