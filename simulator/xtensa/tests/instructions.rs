//! Every kind of instruction: registers, memory, program counter and cycles. Encodings are those of
//! GNU as 2.40 (xtensa-lx106-elf). What instructions do with random operands is compared with QEMU
//! by `lockstep_xtensa`; here are the cases at the edges, and the cycles.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Access, Arg, Board, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::XtensaMachine;

const FLASH: u32 = 0x4021_0000;
const PC: u32 = FLASH + 0x100;
const RAM: u32 = 0x3ffe_8000;

fn board(core: &str) -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core(core),
        vec![memory("dram", MemoryKind::Ram, RAM, 0x1000), memory("flash", MemoryKind::Flash, FLASH, 0x1000)],
    )
}

/// Instructions as numbers: above 0xffff they have 24 bits, else by their first byte.
fn bytes(code: &[u32]) -> Vec<u8> {
    let size = |word: u32| if word & 8 != 0 { 2 } else { 3 };
    code.iter().flat_map(|&word| word.to_le_bytes()[..size(word)].to_vec()).collect()
}

/// A machine about to execute `code` at `PC`. a3 to a15 hold 0xa0000000 and their number, a1 the
/// end of RAM less 0x100; the word before `PC` by 16 is 0x11223344.
fn machine_on(core: &str, code: &[u32], before: &[(u8, u32)]) -> XtensaMachine {
    let mut flash = vec![0; 0x100];
    flash[0xf0..0xf4].copy_from_slice(&0x1122_3344u32.to_le_bytes());
    flash.extend(bytes(code));
    let mut machine =
        XtensaMachine::from_flash(&board(core), &flash, flash.len(), PC).expect("the board is sound");
    for i in 2..16 {
        machine.state_mut().registers[Reg(i)] = 0xa000_0000 + u32::from(i);
    }
    machine.state_mut().registers[Reg::SP] = RAM + 0xf00;
    machine.state_mut().sar = 8;
    for &(number, value) in before {
        machine.state_mut().registers[Reg(number)] = value;
    }
    machine
}

fn options() -> CallOptions {
    CallOptions { budget: 1000, stack_limit: 0, zones: Vec::new() }
}

/// One instruction: `after` is what changes, the last number is the next program counter from `PC`.
#[track_caller]
fn check(asm: &str, word: u32, before: &[(u8, u32)], after: &[(u8, u32)], to: i32, cycles: u64) {
    let mut stepped = machine_on("lx6", &[word], before);
    let mut wanted = stepped.state().registers;
    for &(number, value) in after {
        wanted[Reg(number)] = value;
    }
    let pc = PC.wrapping_add_signed(to);
    assert_eq!(stepped.step(), Ok(cycles), "{asm}: cycles of a step");
    assert_eq!((stepped.state().registers, stepped.state().pc), (wanted, pc), "{asm}: a step");
    let mut run = machine_on("lx6", &[word], before);
    let outcome = run.run_to(pc, &options());
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, cycles, 1), "{asm}");
    assert_eq!((run.state().registers, run.state().pc), (wanted, pc), "{asm}: a run");
    assert_eq!(run.state().sar, stepped.state().sar, "{asm}: shift amount");
}

#[test]
fn arithmetic() {
    let ab: &[(u8, u32)] = &[(3, 0x8000_0001), (4, 0x0001_fff0)];
    let cases: &[(&str, u32, u32)] = &[
        ("add.n a5, a3, a4", 0x534a, 0x8001_fff1),
        ("addx4 a5, a3, a4", 0xa0_5340, 0x0001_fff4),
        ("subx8 a5, a3, a4", 0xf0_5340, 0xfffe_0018),
        ("sub a5, a3, a4", 0xc0_5340, 0x7ffe_0011),
        ("neg a5, a4", 0x60_5040, 0xfffe_0010),
        ("abs a5, a4", 0x60_5140, 0x0001_fff0),
        ("slli a5, a3, 7", 0x11_5390, 0x80),
        ("srai a5, a4, 9", 0x21_5940, 0xff),
        ("srli a5, a4, 3", 0x41_5340, 0x3ffe),
        ("extui a5, a4, 8, 8", 0x74_5840, 0xff),
        ("src a5, a3, a4", 0x81_5340, 0x0100_01ff),
        ("srl a5, a4", 0x91_5040, 0x1ff),
        ("sra a5, a4", 0xb1_5040, 0x1ff),
        ("nsau a5, a3", 0x40_f350, 0),
        ("nsa a5, a3", 0x40_e350, 0),
        ("mul16u a5, a3, a4", 0xc1_5340, 0xfff0),
        ("mul16s a5, a3, a4", 0xd1_5340, 0xffff_fff0),
        ("mull a5, a3, a4", 0x82_5340, 0x0001_fff0),
        ("muluh a5, a3, a4", 0xa2_5340, 0xfff8),
        ("quou a5, a3, a4", 0xc2_5340, 0x4002),
        ("moveqz a5, a3, a4", 0x83_5340, 0xa000_0005),
        ("movgez a5, a3, a4", 0xb3_5340, 0x8000_0001),
        ("addi a5, a3, -3", 0xfd_c352, 0x7fff_fffe),
        ("addmi a5, a3, 512", 0x02_d352, 0x8000_0201),
        ("movi.n a5, -1", 0xf57c, u32::MAX),
        ("movi.n a5, 95", 0xf55c, 95),
        ("mov.n a5, a3", 0x035d, 0x8000_0001),
        ("rsr.sar a5", 0x03_0350, 8),
    ];
    for &(asm, word, result) in cases {
        let size = if word & 8 != 0 { 2 } else { 3 };
        let cycles = if asm.starts_with("quou") { 13 } else { 1 };
        check(asm, word, ab, &[(5, result)], size, cycles);
    }
}

#[test]
fn jumps_and_branches() {
    let ab: &[(u8, u32)] = &[(3, 5), (4, 5), (0, PC + 0x20)];
    check("beq a3, a4, taken", 0x10_1347, ab, &[], 20, 3);
    check("beq a3, a4", 0x10_1347, &[(3, 1), (4, 2)], &[], 3, 1);
    check("bltui a3, 16, taken", 0x10_b3b6, ab, &[], 20, 3);
    check("bltui a3, 16", 0x10_b3b6, &[(3, 16)], &[], 3, 1);
    check("bbci a3, 31, taken", 0x10_73f7, ab, &[], 20, 3);
    check("bbci a3, 31", 0x10_73f7, &[(3, 1 << 31)], &[], 3, 1);
    check("ball a3, a4, taken", 0x10_4347, ab, &[], 20, 3);
    check("ball a3, a4", 0x10_4347, &[(3, 1), (4, 3)], &[], 3, 1);
    check("beqz a3, -100, taken", 0xf9_8316, &[(3, 0)], &[], -100, 3);
    check("j +0x40", 0x00_0f06, &[], &[], 0x40, 3);
    check("call0 +0x40", 0x00_03c5, &[], &[(0, PC + 3)], 0x40, 3);
    check("jx a3", 0x00_03a0, &[(3, PC + 0x30)], &[], 0x30, 3);
    check("callx0 a3", 0x00_03c0, &[(3, PC + 0x30)], &[(0, PC + 3)], 0x30, 3);
    check("ret", 0x00_0080, ab, &[], 0x20, 3);
    check("ret.n", 0xf00d, ab, &[], 0x20, 3);
}

#[test]
fn memory() {
    let run = |word: u32, content: u32| {
        let mut machine = machine_on("lx106", &[word], &[(3, RAM), (5, 0x89ab_cdef)]);
        machine.write(RAM, &content.to_le_bytes()).expect("RAM");
        machine.write(RAM + 4, &content.to_le_bytes()).expect("RAM");
        assert_eq!(machine.step(), Ok(1));
        let mut after = [0; 8];
        machine.read(RAM, &mut after).expect("RAM");
        (machine.state().registers[Reg(5)], u64::from_le_bytes(after))
    };
    let same = 0x8182_8384_8182_8384;
    assert_eq!(run(0x01_0352, 0x8182_8384), (0x83, same)); // l8ui a5, a3, 1
    assert_eq!(run(0x01_9352, 0x8182_8384), (0xffff_8182, same)); // l16si a5, a3, 2
    assert_eq!(run(0x1358, 0x8182_8384), (0x8182_8384, same)); // l32i.n a5, a3, 4
    assert_eq!(run(0x01_4352, 0).1, 0xef00); // s8i a5, a3, 1
    assert_eq!(run(0x1359, 0).1, 0x89ab_cdef_0000_0000); // s32i.n a5, a3, 4
    check("l32r a5, -16", 0xff_fc51, &[], &[(5, 0x1122_3344)], 3, 1);
}

#[test]
fn results_that_take_two_cycles() {
    let cost = |code: &[u32]| {
        let mut machine = machine_on("lx106", code, &[(3, RAM)]);
        let stop = PC + bytes(code).len() as u32;
        let outcome = machine.run_to(stop, &options());
        assert_eq!(outcome.exit, Exit::Returned);
        outcome.cycles
    };
    let (load, use_it, other) = (0x1358, 0x534a - 0x5000 + 0x6000 + 0x200, 0x037d);
    // l32i.n a5, a3, 4; add.n a6, a5, a4; mov.n a7, a3
    assert_eq!(cost(&[load, use_it]), 3);
    assert_eq!(cost(&[load, other, use_it]), 3);
    assert_eq!(cost(&[load, other]), 2);
    // mull a5, a3, a4
    assert_eq!(cost(&[0x82_5340, use_it]), 3);
}

#[test]
fn the_stack_is_watched() {
    check("addi a1, a1, -16", 0xf0_c112, &[], &[(1, RAM + 0xef0)], 3, 1);
    check("mov.n a1, a3", 0x031d, &[(3, RAM + 0x80)], &[(1, RAM + 0x80)], 2, 1);
    check("sub a1, a1, a3", 0xc0_1130, &[(3, 0x20)], &[(1, RAM + 0xee0)], 3, 1);
    // addi a1, a1, -16; s32i.n a3, a1, 0; addi a1, a1, 16; ret.n
    let code = [0xf0_c112, 0x0139, 0x10_c112, 0xf00d];
    let mut machine = machine_on("lx106", &code, &[]);
    machine.state_mut().registers[Reg::A0] = PC + 9;
    let outcome = machine.run_to(PC + 9, &CallOptions { stack_limit: RAM, ..options() });
    assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 16));
}

/// A zone far away, below the stack's limit: what it forbids is forbidden in free stack.
#[test]
fn accesses_below_the_stack_pointer_fault_like_those_in_zones() {
    let run = |code: &[u32], no_read: bool, no_write: bool| {
        let mut machine = machine_on("lx106", code, &[(0, PC + 0x80), (3, RAM + 0x200), (4, RAM + 0xefc)]);
        let zones = vec![Zone { start: RAM, end: RAM + 4, no_read, no_write }];
        machine.run_to(PC + 0x80, &CallOptions { stack_limit: RAM + 0x200, zones, ..options() }).exit
    };
    let free = |address, size, access, pc| {
        Exit::Fault(Fault { kind: FaultKind::FreeStack { address, size, access }, pc })
    };
    let (write, read) = (Access::Write, Access::Read);
    for (asm, code, address, size, access) in [
        ("s32i.n a5, a3, 0", 0x0359, RAM + 0x200, 4, write),
        ("s32i.n a5, a4, 0", 0x0459, RAM + 0xefc, 4, write),
        ("s8i a5, a4, 3", 0x03_4452, RAM + 0xeff, 1, write),
        ("l32i.n a5, a4, 0", 0x0458, RAM + 0xefc, 4, read),
    ] {
        let expected = free(address, size, access, PC);
        assert_eq!(run(&[code, 0xf00d], true, true), expected, "{asm}");
        assert_eq!(run(&[code, 0xf00d], access == read, access == write), expected, "{asm}");
        assert_eq!(run(&[code, 0xf00d], access == write, access == read), Exit::Returned, "{asm}");
    }
    // addi a1, a1, -16; s32i.n a5, a4, 0; addi a1, a1, 16; ret.n; then with the store behind the last addi
    let (down, store, up) = (0xf0_c112, 0x0459, 0x10_c112);
    assert_eq!(run(&[down, store, up, 0xf00d], true, true), Exit::Returned);
    assert_eq!(run(&[down, up, store, 0xf00d], true, true), free(RAM + 0xefc, 4, write, PC + 6));
}

#[test]
fn calls_pass_arguments_and_results() {
    // l32r a1, -16; add.n a2, a2, a3; ret.n
    let code = bytes(&[0xff_fc11, 0x223a, 0xf00d]);
    let mut flash = vec![0; 0x100];
    flash[0xf0..0xf4].copy_from_slice(&(RAM + 0x1000).to_le_bytes());
    flash.extend(code);
    let mut machine =
        XtensaMachine::from_flash(&board("lx106"), &flash, flash.len(), PC).expect("the board is sound");
    assert_eq!(machine.boot(PC + 3, 100).exit, Exit::Returned);
    assert_eq!(machine.stack_top(), RAM + 0x1000);
    machine.snapshot();
    let outcome = machine.call(PC + 3, &[Arg::Int(40), Arg::Int(2)], &options());
    assert_eq!((outcome.exit, outcome.result, outcome.cycles), (Exit::Returned, 42, 1 + 3));
    machine.restore();
    assert_eq!(machine.call(PC + 3, &[Arg::Int(40), Arg::Int(2)], &options()), outcome);
}

#[test]
fn faults() {
    let fault = |core: &str, word: u32, before: &[(u8, u32)]| {
        let fault = machine_on(core, &[word], before).step().expect_err("a fault");
        assert_eq!(fault.pc, PC);
        let outcome = machine_on(core, &[word], before).run_to(0, &options());
        assert_eq!(outcome.exit, Exit::Fault(fault));
        fault.kind
    };
    let undefined = |opcode| FaultKind::Undefined { opcode };
    assert_eq!(fault("lx106", 0, &[]), undefined(0));
    // MULUH, QUOU, MIN, ENTRY, L32E, LOOP: options that this core has not
    for (opcode, extension) in [
        (0xa2_5340, "multiply-high"),
        (0xc2_5340, "divide"),
        (0x43_5340, "miscellaneous"),
        (0x00_4136, "windows"),
        (0x09_0000, "windows"),
        (0x10_8376, "loops"),
    ] {
        assert_eq!(fault("lx106", opcode, &[]), undefined(opcode));
        assert_eq!(machine_on("lx106", &[opcode], &[]).missing_extension(opcode), Some(extension));
    }
    for word in [0x00_5000, 0x00_4120] {
        assert_eq!(fault("lx106", word, &[]), FaultKind::Trap { opcode: word });
    }
    assert_eq!(fault("lx106", 0x00_7000, &[]), FaultKind::Asleep);
    let unaligned = FaultKind::Unaligned { address: RAM + 6, size: 4, access: Access::Read };
    assert_eq!(fault("lx106", 0x1358, &[(3, RAM + 2)]), unaligned);
    let to_flash = FaultKind::FlashWrite { address: FLASH + 4 };
    assert_eq!(fault("lx106", 0x1359, &[(3, FLASH)]), to_flash);
    assert_eq!(fault("lx6", 0xc2_5340, &[(4, 0)]), FaultKind::Trap { opcode: 0 });
}

#[test]
fn boards_that_are_refused() {
    let refusal =
        |board: &Board| XtensaMachine::from_flash(board, &[0; 4], 4, 0).expect_err("refused").to_string();
    let mut other = board("m4k");
    assert_eq!(refusal(&other), "cores/m4k.toml: instruction_set is \"mips32r2\"; correct it to \"xtensa\"");
    other = board("lx106");
    other.memories[1].timing = MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 1 };
    assert_eq!(
        refusal(&other),
        "board test: [[memory]] flash: timing.model is \"prefetch\", which the core \"lx106\" cannot have; write \"zero-wait\""
    );
}

#[test]
fn branches_compare_registers() {
    let signed = |value: u32| value as i32;
    type Compare<'a> = &'a dyn Fn(u32, u32) -> bool;
    // BNONE a3, a4 and so on, by the field that distinguishes them.
    let kinds: [(u32, Compare); 12] = [
        (0, &|s, t| s & t == 0),
        (1, &|s, t| s == t),
        (2, &|s, t| signed(s) < signed(t)),
        (3, &|s, t| s < t),
        (4, &|s, t| s & t == t),
        (5, &|s, t| s & 1 << (t % 32) == 0),
        (8, &|s, t| s & t != 0),
        (9, &|s, t| s != t),
        (10, &|s, t| signed(s) >= signed(t)),
        (11, &|s, t| s >= t),
        (12, &|s, t| s & t != t),
        (13, &|s, t| s & 1 << (t % 32) != 0),
    ];
    let values = [0, 1, 3, 0x21, 0x7fff_ffff, 0x8000_0000, u32::MAX];
    for (kind, compare) in kinds {
        for (s, t) in values.iter().flat_map(|&s| values.map(|t| (s, t))) {
            let (to, cycles) = if compare(s, t) { (20, 3) } else { (3, 1) };
            check(&format!("{kind} {s:x} {t:x}"), 0x10_0347 | kind << 12, &[(3, s), (4, t)], &[], to, cycles);
        }
    }
}

#[test]
fn numbers_are_clamped() {
    // clamps a5, a3, 7 and clamps a5, a3, 22
    for (word, value, clamped) in [
        (0x33_5300, 127, 127),
        (0x33_5300, 128, 127),
        (0x33_5300, -128i32 as u32, -128i32 as u32),
        (0x33_5300, -129i32 as u32, -128i32 as u32),
        (0x33_53f0, 0x3f_ffff, 0x3f_ffff),
        (0x33_53f0, 0x40_0000, 0x3f_ffff),
        (0x33_53f0, 0x8000_0000, 0xffc0_0000),
    ] {
        check("clamps", word, &[(3, value)], &[(5, clamped)], 3, 1);
    }
}
