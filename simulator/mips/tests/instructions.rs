//! Every kind of instruction: registers, memory, program counter and cycles. Encodings are those of
//! GNU as 2.40 (mipsel-linux-gnu). What instructions do with random operands is compared with QEMU by
//! `lockstep_mips`; here are the cases at the edges, and the cycles.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, Board, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};
use pennyweight_mips::op::Reg;
use pennyweight_mips::MipsMachine;

mod common;
use common::{board, loaded, options, Notes, FLASH, JR_RA, NOP, RAM, SP};

/// `code` at the start of flash.
fn machine(code: &[u32], before: &[(u8, u32)]) -> MipsMachine {
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    loaded(&bytes, FLASH, before)
}

/// Is a branch on a0 taken when that is -1, 0, 1?
fn taken(word: u32) -> [bool; 3] {
    [u32::MAX, 0, 1].map(|value| {
        let mut machine = machine(&[word, NOP, NOP], &[(4, value)]);
        machine.step().expect("a branch");
        machine.step().expect("its delay slot");
        machine.state().pc != FLASH + 8
    })
}

#[test]
fn branches_compare_with_zero() {
    // blez, bgtz, bltz, bgez, bltzal, bgezal a0, +8; then the same, likely
    assert_eq!(taken(0x1880_0008), [true, true, false]);
    assert_eq!(taken(0x1c80_0008), [false, false, true]);
    assert_eq!(taken(0x0480_0008), [true, false, false]);
    assert_eq!(taken(0x0481_0008), [false, true, true]);
    assert_eq!(taken(0x0490_0008), [true, false, false]);
    assert_eq!(taken(0x0491_0008), [false, true, true]);
    // Behind a likely branch that is not taken comes what is behind its delay slot.
    let likely = |word: u32| {
        [u32::MAX, 0, 1].map(|value| {
            let mut machine = machine(&[word, NOP, NOP], &[(4, value)]);
            machine.step().expect("a branch");
            machine.state().pc != FLASH + 8
        })
    };
    assert_eq!(likely(0x5880_0008), [true, true, false]);
    assert_eq!(likely(0x5c80_0008), [false, false, true]);
    assert_eq!(likely(0x0482_0008), [true, false, false]);
    assert_eq!(likely(0x0483_0008), [false, true, true]);
    assert_eq!(likely(0x0492_0008), [true, false, false]);
    assert_eq!(likely(0x0493_0008), [false, true, true]);
}

#[test]
fn interrupts_are_turned_off_and_back_on() {
    // ei v0; mfc0 v1, $12; di a0; di; mfc0 a1, $12; mtc0 a2, $12; mfc0 a3, $12
    let code = [0x4162_6020, 0x4003_6000, 0x4164_6000, 0x4160_6000, 0x4005_6000, 0x4086_6000, 0x4007_6000];
    let mut machine = machine(&code, &[(2, 9), (6, 0xffff_ffff)]);
    for _ in code {
        assert_eq!(machine.step(), Ok(1));
    }
    assert_eq!([2, 3, 4, 5, 7].map(|number| machine.state().registers[Reg(number)]), [0, 1, 1, 0, 1]);
    assert_eq!(machine.state().registers[Reg(0)], 0);
}

/// Cycles of code that ends in front of `stop` words.
#[track_caller]
fn cost(code: &[u32], before: &[(u8, u32)]) -> u64 {
    let mut machine = machine(code, before);
    let outcome = machine.run_to(FLASH + 4 * code.len() as u32, &options());
    assert_eq!(outcome.exit, Exit::Returned);
    outcome.cycles
}

#[test]
fn arithmetic() {
    let before: &[(u8, u32)] = &[(4, 0x8000_0001), (5, 0x0001_fff0)];
    for &(asm, word, result) in &[
        ("addu v0, a0, a1", 0x0085_1021, 0x8001_fff1),
        ("subu v0, a0, a1", 0x0085_1023, 0x7ffe_0011),
        ("nor v0, a0, a1", 0x0085_1027, 0x7ffe_000e),
        ("slt v0, a0, a1", 0x0085_102a, 1),
        ("sltu v0, a0, a1", 0x0085_102b, 0),
        ("sltiu v0, a0, -1", 0x2c82_ffff, 1),
        ("lui v0, 0x8000", 0x3c02_8000, 0x8000_0000),
        ("ror v0, a0, 4", 0x0024_1102, 0x1800_0000),
        ("rorv v0, a0, a1", 0x00a4_1046, 0x0001_8000),
        ("sra v0, a0, 31", 0x0004_17c3, u32::MAX),
        ("wsbh v0, a0", 0x7c04_10a0, 0x0080_0100),
        ("seb v0, a1", 0x7c05_1420, 0xffff_fff0),
        ("seh v0, a1", 0x7c05_1620, 0xffff_fff0),
        ("ext v0, a1, 4, 8", 0x7ca2_3900, 0xff),
        ("ins v0, a1, 8, 8", 0x7ca2_7a04, 0xa000_f002),
        ("clz v0, a1", 0x70a2_1020, 15),
        ("clo v0, a0", 0x7082_1021, 1),
        ("movz v0, a0, zero", 0x0080_100a, 0x8000_0001),
        ("movn v0, a0, zero", 0x0080_100b, 0xa000_0002),
        ("mul v0, a0, a1", 0x7085_1002, 0x0001_fff0),
        ("addiu zero, a0, 1: nothing", 0x2480_0001, 0xa000_0002),
    ] {
        let mut stepped = machine(&[word], before);
        let mut wanted = *stepped.state();
        assert_eq!(stepped.step(), Ok(1), "{asm}");
        wanted.registers[Reg::V0] = result;
        let state = stepped.state();
        for i in 0..32 {
            assert_eq!(state.registers[Reg(i)], wanted.registers[Reg(i)], "{asm}: r{i}");
        }
        assert_eq!(state.pc, FLASH + 4, "{asm}");
    }
}

#[test]
fn products_and_quotients() {
    let after = |word: u32, s: u32, t: u32| {
        let mut machine = machine(&[word], &[(4, s), (5, t)]);
        machine.state_mut().extra.high_low = 0x1_0000_0002;
        machine.step().expect("no fault");
        machine.state().extra.high_low
    };
    let minus = |value: i64| value as u64;
    assert_eq!(after(0x0085_0018, u32::MAX, 3), minus(-3), "mult");
    assert_eq!(after(0x0085_0019, u32::MAX, 3), 0x2_ffff_fffd, "multu");
    assert_eq!(after(0x7085_0000, u32::MAX, 3), 0x0_ffff_ffff, "madd");
    assert_eq!(after(0x7085_0005, u32::MAX, 3), minus(0x1_0000_0002 - 0x2_ffff_fffd), "msubu");
    assert_eq!(after(0x0085_001a, (-7i32) as u32, 2), 0xffff_ffff_ffff_fffd, "div");
    assert_eq!(after(0x0085_001a, 0x8000_0000, u32::MAX), 0x8000_0000, "div: the one overflow");
    assert_eq!(after(0x0085_001b, 7, 2), 0x1_0000_0003, "divu");
    assert_eq!(after(0x0085_001b, 7, 0), 0x1_0000_0002, "divu by zero");
}

/// DS61143H, table 3-1.
#[test]
fn the_multiply_and_divide_unit_makes_others_wait() {
    let (mult, mflo, mul, addu) = (0x0085_0018, 0x0000_1012, 0x7085_1002, 0x0042_3021);
    let (small, large): (&[_], &[_]) = (&[(5, 0x7fff)], &[(5, 0x8000)]);
    assert_eq!(cost(&[mult, mflo], small), 2);
    assert_eq!(cost(&[mult, mflo], large), 3);
    assert_eq!(cost(&[mult, NOP, mflo], large), 3);
    assert_eq!(cost(&[mult, mult], small), 2);
    assert_eq!(cost(&[mult, mult], large), 3);
    // addu a2, v0, v0 uses it
    assert_eq!(cost(&[mul, addu], small), 3);
    assert_eq!(cost(&[mul, addu], large), 4);
    assert_eq!(cost(&[mul, NOP], large), 2);
    assert_eq!(cost(&[mflo, addu], small), 3);
    for (dividend, latency) in [(0x7f, 12), (0x80, 19), (0x7fff, 19), (0x8000, 26), (0x80_0000, 33)] {
        assert_eq!(cost(&[0x0085_001a, mflo], &[(4, dividend), (5, 3)]), latency + 1, "{dividend:#x}");
    }
    assert_eq!(cost(&[0x0085_001b, mflo], &[(4, 0xff), (5, 3)]), 13, "divu");
    assert_eq!(cost(&[0x0085_001b, mflo], &[(4, 0x100), (5, 3)]), 20, "divu");
    // Meanwhile, other instructions continue.
    assert_eq!(cost(&[0x0085_001b, NOP, NOP, NOP, mflo], &[(4, 0xff), (5, 3)]), 13);
}

#[test]
fn a_load_is_waited_for() {
    let (lw, addu, other) = (0x8fa2_0000, 0x0042_3021, 0x0084_3021);
    assert_eq!(cost(&[lw, addu], &[]), 3);
    assert_eq!(cost(&[lw, other, addu], &[]), 3);
    assert_eq!(cost(&[lw, other], &[]), 2);
}

#[test]
fn branches_have_delay_slots_and_cost_nothing_more() {
    // beq a0, a0, +2; addiu v0, zero, 1; addiu v0, zero, 2; (target)
    let (taken, one, two) = (0x1084_0002, 0x2402_0001, 0x2402_0002);
    let mut branched = machine(&[taken, one, two, NOP], &[]);
    let outcome = branched.run_to(FLASH + 12, &options());
    assert_eq!((outcome.cycles, outcome.instructions), (2, 2));
    assert_eq!(branched.state().registers[Reg::V0], 1);
    // bne a0, a0: both follow
    assert_eq!(cost(&[0x1484_0002, one, two], &[]), 3);
    // bnel a0, a0: the slot is skipped, its cycle is not
    let code = [0x5484_0002, one, NOP];
    let mut likely = machine(&code, &[]);
    let outcome = likely.run_to(FLASH + 12, &options());
    assert_eq!((outcome.cycles, outcome.instructions), (3, 2));
    assert_eq!(likely.state().registers[Reg::V0], 0xa000_0002);
    // jal +0x40; bgezal zero, +2; jalr a0
    for (word, target, before) in [
        (0x0f40_0010, FLASH + 0x40, (4, 0)),
        (0x0411_0002, FLASH + 0xc, (4, 0)),
        (0x0080_f809, FLASH + 0x20, (4, FLASH + 0x20)),
    ] {
        let mut called = machine(&[word, NOP], &[before]);
        assert_eq!((called.step(), called.step()), (Ok(1), Ok(1)));
        assert_eq!(called.state().pc, target, "{word:#x}");
        assert_eq!(called.state().registers[Reg::RA], FLASH + 8, "{word:#x}");
    }
}

#[test]
fn memory() {
    let run = |word: u32, content: u64| {
        let mut machine = machine(&[word], &[(5, 0x89ab_cdef)]);
        machine.write(SP, &content.to_le_bytes()).expect("RAM");
        assert_eq!(machine.step(), Ok(1));
        let mut after = [0; 8];
        machine.read(SP, &mut after).expect("RAM");
        (machine.state().registers[Reg(5)], u64::from_le_bytes(after))
    };
    let content = 0x8182_8384_8586_8788;
    assert_eq!(run(0x83a5_0001, content), (0xffff_ff87, content)); // lb a1, 1(sp)
    assert_eq!(run(0x97a5_0002, content), (0x8586, content)); // lhu a1, 2(sp)
    assert_eq!(run(0x8ba5_0004, content).0, 0x84ab_cdef); // lwl a1, 4(sp)
    assert_eq!(run(0x8ba5_0002, content).0, 0x8687_88ef); // lwl a1, 2(sp)
    assert_eq!(run(0x9ba5_0001, content).0, 0x8985_8687); // lwr a1, 1(sp)
    assert_eq!(run(0x9ba5_0004, content).0, 0x8182_8384); // lwr a1, 4(sp)
    assert_eq!(run(0xaba5_0001, content).1, 0x8182_8384_8586_89ab); // swl a1, 1(sp)
    assert_eq!(run(0xbba5_0003, content).1, 0x8182_8384_ef86_8788); // swr a1, 3(sp)
    assert_eq!(run(0xa7a5_0002, content).1, 0x8182_8384_cdef_8788); // sh a1, 2(sp)
                                                                    // sc a1, 0(sp) without ll: 0, and nothing stored
    assert_eq!(run(0xe3a5_0000, content), (0, content));
    let mut linked = machine(&[0xc3a6_0000, 0xe3a5_0000], &[(5, 7)]); // ll a2; sc a1
    assert_eq!((linked.step(), linked.step()), (Ok(1), Ok(1)));
    assert_eq!(linked.state().registers[Reg(5)], 1);
}

#[test]
fn faults() {
    let fault = |word: u32, before: &[(u8, u32)]| {
        let fault = machine(&[word], before).step().expect_err("a fault");
        assert_eq!(fault.pc, FLASH);
        let outcome = machine(&[word], before).run_to(0, &options());
        assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Fault(fault), 0, 0));
        fault.kind
    };
    // mfc0, lwc1, a word that is nothing
    for word in [0x4002_4800, 0xc7a0_0000, 0xffff_ffff] {
        assert_eq!(fault(word, &[]), FaultKind::Undefined { opcode: word });
    }
    assert_eq!(fault(0x0000_000d, &[]), FaultKind::Trap { opcode: 0x0d }); // break
    assert_eq!(fault(0x0080_01f4, &[(4, 0)]), FaultKind::Trap { opcode: 0 }); // teq a0, zero, 7
    assert_eq!(fault(0x0085_1020, &[(4, i32::MAX as u32), (5, 1)]), FaultKind::Trap { opcode: 0 }); // add
    assert_eq!(fault(0x4200_0020, &[]), FaultKind::Asleep);
    let unaligned = |size, access| FaultKind::Unaligned { address: SP + 2, size, access };
    assert_eq!(fault(0x8fa2_0002, &[]), unaligned(4, Access::Read));
    assert_eq!(fault(0xe3a2_0002, &[]), unaligned(4, Access::Write)); // sc
    assert_eq!(fault(0xac80_0004, &[(4, FLASH)]), FaultKind::FlashWrite { address: FLASH + 4 });
    // swl a0, 3(a1) and lwr a0, 3(a1) at the last bytes of the address space
    for (word, access) in [(0xa8a4_0003, Access::Write), (0x98a4_0003, Access::Read)] {
        let address = if access == Access::Write { 0xffff_fffc } else { u32::MAX };
        assert_eq!(fault(word, &[(5, 0xffff_fffc)]), FaultKind::Unmapped { address, size: 1, access });
    }
    let mut astray = machine(&[0x0080_0008, NOP], &[(4, 0x1234_5678)]);
    let kind = FaultKind::Unmapped { address: 0x1234_5678, size: 4, access: Access::Execute };
    assert_eq!(astray.run_to(0, &options()).exit, Exit::Fault(Fault { kind, pc: 0x1234_5678 }));
}

#[test]
fn functions_are_called_by_the_abi() {
    // lui sp, 0xa000; addiu sp, sp, 0xf00; then: addiu sp, sp, -16; sw a0, 0(sp); addu v0, a0, a1;
    // lw t0, 32(sp) (the fifth argument); addu v0, v0, t0; jr ra; addiu sp, sp, 16
    let code = [
        0x3c1d_a000,
        0x27bd_0f00,
        0x27bd_fff0,
        0xafa4_0000,
        0x0085_1021,
        0x8fa8_0020,
        0x0048_1021,
        JR_RA,
        0x27bd_0010,
    ];
    let mut called = machine(&code, &[]);
    assert_eq!(called.boot(FLASH + 8, 100).exit, Exit::Returned);
    assert_eq!(called.stack_top(), SP);
    called.snapshot();
    let arguments = [Arg::Int(40), Arg::Int(2), Arg::Int(0), Arg::Int(0), Arg::Int(100)];
    let outcome = called.call(FLASH + 8, &arguments, &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 142));
    // Seven instructions, one of which waits for a load.
    assert_eq!((outcome.cycles, outcome.instructions, outcome.stack), (8, 7, 16));
    called.restore();
    assert_eq!(called.call(FLASH + 8, &arguments, &options()), outcome);
    let tight = CallOptions { stack_limit: SP - 24, ..options() };
    let overflow = called.call(FLASH + 8, &arguments[..2], &tight).exit;
    assert!(matches!(
        overflow,
        Exit::Fault(Fault { kind: FaultKind::StackOverflow { address, .. }, .. }) if address == SP - 32
    ));
    let zones = vec![Zone { start: RAM, end: RAM + 4, no_read: true, no_write: true }];
    let guarded = called.call(FLASH + 8, &arguments, &CallOptions { zones, ..options() });
    assert_eq!(guarded, outcome);
}

#[test]
fn observed_calls_tell_what_they_do_and_cost_the_same() {
    // lui sp; addiu sp; then: sw ra, 8(sp); jal +0x20; nop; lw ra, 8(sp); jr ra; nop; (0x20) jr ra; nop
    let code = [
        0x3c1d_a000,
        0x27bd_0f00,
        0xafbf_0008,
        0x0f40_0008,
        NOP,
        0x8fbf_0008,
        JR_RA,
        NOP,
        JR_RA,
        0x2402_0007,
    ];
    let mut observed = machine(&code, &[]);
    assert_eq!(observed.boot(FLASH + 8, 100).exit, Exit::Returned);
    observed.snapshot();
    let outcome = observed.call(FLASH + 8, &[], &options());
    observed.restore();
    let mut notes = Notes::default();
    assert_eq!(observed.call_observed(FLASH + 8, &[], &options(), &mut notes), Some(outcome));
    assert_eq!((outcome.cycles, outcome.instructions, outcome.result), (9, 8, 7));
    assert_eq!(
        notes.0,
        [
            "write 4 at 0xef8",
            "0x8 SW 1",
            "0xc JAL 1",
            "0x10 SLL 1",
            // Below what it is when the function has returned: that is how its end is known.
            "called 0x20 with 0xeef",
            "0x20 JR 1",
            "0x24 LI 1",
            "returned with 0xef0",
            "read 4 at 0xef8",
            "0x14 LW 1",
            "0x18 JR 2",
            "0x1c SLL 1",
            "returned with 0xef0",
        ]
    );
}

#[test]
fn endless_loops_end_with_the_budget() {
    let mut endless = machine(&[0x1000_ffff, NOP], &[]); // b .
    let outcome = endless.run_to(0, &options());
    assert!(matches!(outcome.exit, Exit::OutOfCycles { .. }));
    assert!((1000..1010).contains(&outcome.cycles));
}

/// A line takes four cycles to execute: the next one is read meanwhile.
#[test]
fn flash_waits_by_lines() {
    let cost = |wait_states| {
        let (line, cached_lines, data_lines) = (16, 16, 1);
        let timing = MemoryTiming::Stream { wait_states, line, cached_lines, data_lines };
        let bytes = [0; 128];
        let mut straight =
            MipsMachine::from_flash(&board(timing), &bytes, bytes.len(), FLASH).expect("sound");
        straight.run_to(FLASH + 128, &options()).cycles
    };
    // A read takes a cycle more than its wait states; the first is the caller's.
    assert_eq!(cost(2), 32);
    assert_eq!(cost(3), 32);
    assert_eq!(cost(5), 32 + 7 * 2);
}

#[test]
fn boards_that_are_refused() {
    let refusal =
        |board: &Board| MipsMachine::from_flash(board, &[0; 4], 4, 0).expect_err("refused").to_string();
    let mut other = board(MemoryTiming::ZeroWait);
    other.core = pennyweight_bundled::core("lx6");
    assert_eq!(refusal(&other), "cores/lx6.toml: instruction_set is \"xtensa\"; correct it to \"mips32r2\"");
    let prefetch = MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 1 };
    assert_eq!(
        refusal(&board(prefetch)),
        "board test: [[memory]] flash: timing.model is \"prefetch\", which the core \"m4k\" cannot have; write \"zero-wait\" or \"stream\""
    );
}
