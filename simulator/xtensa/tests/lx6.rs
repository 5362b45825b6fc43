//! What the LX6 has more than the LX106: windows, loops, booleans, multiply-accumulate. Encodings:
//! ISA reference manual, chapter 7. Random operands and sequences are compared with QEMU by
//! `lockstep_xtensa --set windowed`; here are costs, edges and the manual's words.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::secrets::Leak;
use pennyweight_machine::{
    Access, Arg, Board, CallOptions, Exit, FaultKind, Machine as _, Observer, Secrets,
};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::windows::{PS_EXCM, PS_WOE};
use pennyweight_xtensa::XtensaMachine;

const FLASH: u32 = 0x400d_0000;
const PC: u32 = FLASH + 0x400;
const RAM: u32 = 0x3ffb_0000;
const SP: u32 = RAM + 0xf00;

fn board() -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core("lx6"),
        vec![memory("dram", MemoryKind::Ram, RAM, 0x1000), memory("flash", MemoryKind::Flash, FLASH, 0x1000)],
    )
}

fn bytes(code: &[u32]) -> Vec<u8> {
    let size = |word: u32| if word & 8 != 0 { 2 } else { 3 };
    code.iter().flat_map(|&word| word.to_le_bytes()[..size(word)].to_vec()).collect()
}

/// `code` at `PC` with windows on, vectors at the start of flash, a2 to a15 by number.
fn machine(code: &[u32]) -> XtensaMachine {
    let mut flash = vec![0; 0x400];
    flash.extend(bytes(code));
    let mut machine =
        XtensaMachine::from_flash(&board(), &flash, flash.len(), PC).expect("the board is sound");
    let state = machine.state_mut();
    for i in 2..16 {
        state.registers[Reg(i)] = 0xa000_0000 + u32::from(i);
    }
    state.registers[Reg::SP] = SP;
    let windows = &mut state.extra.windows;
    (windows.ps, windows.start, windows.vectors) = (PS_WOE, 1, FLASH);
    machine
}

fn options() -> CallOptions {
    CallOptions { budget: 100_000, stack_limit: RAM, zones: Vec::new() }
}

fn run(machine: &mut XtensaMachine, code: &[u32]) -> (u64, u64) {
    let outcome = machine.run_to(PC + bytes(code).len() as u32, &options());
    assert_eq!(outcome.exit, Exit::Returned);
    (outcome.cycles, outcome.instructions)
}

#[test]
fn a_loop_goes_back_for_nothing() {
    // movi.n a3, 5; loop a3, end; addi.n a2, a2, 1; add.n a4, a4, a2; end: nop.n
    let code = [0x530c, 0x03_8376, 0x221b, 0x442a, 0xf03d];
    let mut looped = machine(&code);
    assert_eq!(run(&mut looped, &code), (1 + 1 + 5 * 2 + 1, 1 + 1 + 5 * 2 + 1));
    let state = looped.state();
    assert_eq!(state.registers[Reg::A2], 0xa000_0007);
    assert_eq!((state.extra.loops.count, state.extra.loops.begin), (0, PC + 5));
    // loopnez a3 of 0, loopgtz a3 of -1: skipped like a branch
    for (times, word) in [(0x030c, 0x03_9376), (0xf37c, 0x03_a376)] {
        let code = [times, word, 0x221b, 0x442a, 0xf03d];
        assert_eq!(run(&mut machine(&code), &code), (1 + 3 + 1, 3), "{word:#x}");
    }
    // A result of the last instruction that the first one uses is waited for: l32i.n a2, a1, 0 at the end.
    let code = [0x330c, 0x03_8376, 0x442a, 0x0128, 0xf03d];
    assert_eq!(run(&mut machine(&code), &code).0, 1 + 1 + 3 * 2 + 2 + 1);
}

#[test]
fn loops_end_by_falling_only_and_not_in_exceptions() {
    // loop a3, end; beqz a2, end; nop.n; end: nop.n — taken, the branch leaves the loop
    let code = [0x04_8376, 0x00_1216, 0xf03d, 0xf03d];
    let mut left = machine(&code);
    left.state_mut().registers[Reg::A2] = 0;
    assert_eq!(run(&mut left, &code), (1 + 3 + 1, 3));
    assert_eq!(left.state().extra.loops.count, 0xa000_0002);
    let code = [0x01_8376, 0xf03d, 0xf03d];
    let mut excepted = machine(&code);
    excepted.state_mut().extra.windows.ps |= PS_EXCM;
    assert_eq!(run(&mut excepted, &code), (3, 3));
}

/// call8 +8: entry a1, 32 at the aligned target; retw.n.
#[test]
fn windowed_calls_move_the_window_and_return() {
    // call8 +8; j +12; (pad); entry a1, 32; mov.n a7, a2; retw.n
    let code = [0x00_0065, 0x00_0206, 0xf03d, 0x00_4136, 0x027d, 0xf01d, 0xf03d];
    let mut called = machine(&code);
    called.state_mut().registers[Reg(10)] = 77;
    assert_eq!(called.step(), Ok(3));
    let windows = |machine: &XtensaMachine| machine.state().extra.windows;
    assert_eq!((called.state().pc, windows(&called).callinc()), (PC + 8, 2));
    assert_eq!(called.state().registers[Reg(8)], 2 << 30 | (PC + 3) & 0x3fff_ffff);
    assert_eq!(called.step(), Ok(1));
    let inside = windows(&called);
    assert_eq!((inside.base, inside.start), (2, 0b101));
    assert_eq!(called.state().registers[Reg::SP], SP - 32);
    assert_eq!(called.state().registers[Reg::A2], 77);
    assert_eq!(called.step(), Ok(1));
    assert_eq!(called.step(), Ok(3));
    let after = windows(&called);
    assert_eq!((called.state().pc, after.base, after.start), (PC + 3, 0, 1));
    assert_eq!(called.state().registers[Reg(15)], 77, "a7 of the callee is a15 of the caller");
    assert_eq!(called.state().registers[Reg::SP], SP);
}

#[test]
fn a_register_of_another_call_is_an_overflow() {
    // mov.n a4, a2 while the four above belong to a call of 4: handler at 0, 3 cycles, no instruction
    for (above, next, vector) in [(1, 2, 0x00), (1, 3, 0x80), (1, 4, 0x100), (2, 3, 0x00)] {
        let mut machine = machine(&[0x02bd]); // mov.n a11, a2
        machine.state_mut().extra.windows.start = 1 | 1 << above | 1 << next;
        let tally = machine.step_counted().expect("an exception is no fault");
        assert_eq!((tally.cycles, tally.instructions), (3, 0));
        let (state, windows) = (machine.state(), machine.state().extra.windows);
        assert_eq!((state.pc, windows.epc, windows.base), (FLASH + vector, PC, above));
        assert_eq!(windows.ps, PS_WOE | PS_EXCM, "OWB is 0");
    }
    // A register below it is free.
    let mut free = machine(&[0x027d]); // mov.n a7, a2
    free.state_mut().extra.windows.start = 0b101;
    assert_eq!(free.step(), Ok(1));
}

#[test]
fn returning_to_saved_registers_is_an_underflow() {
    for (by, vector) in [(1, 0x40), (2, 0xc0), (3, 0x140)] {
        let mut machine = machine(&[0xf01d]);
        let state = machine.state_mut();
        state.registers[Reg::A0] = by << 30 | 0x1234;
        state.extra.windows.set_base(&mut state.registers, 0);
        state.extra.windows.start = 1;
        let tally = machine.step_counted().expect("an exception is no fault");
        assert_eq!((tally.cycles, tally.instructions), (3, 0));
        let windows = machine.state().extra.windows;
        assert_eq!((machine.state().pc, windows.base), (FLASH + vector, 16 - by));
        assert_eq!(windows.ps & 0xf10, PS_EXCM, "OWB is 0");
    }
}

#[test]
fn movsp_asks_for_the_caller() {
    // movsp a1, a5
    let mut there = machine(&[0x00_1510]);
    let state = there.state_mut();
    state.extra.windows.start = 1 | 1 << 14;
    state.registers[Reg(5)] = SP - 64;
    assert_eq!(there.step(), Ok(1));
    assert_eq!(there.state().registers[Reg::SP], SP - 64);
    let mut away = machine(&[0x00_1510]);
    assert_eq!(away.step(), Ok(3));
    assert_eq!((away.state().pc, away.state().extra.windows.cause), (FLASH + 0x300, 5));
}

#[test]
fn what_the_manual_leaves_undefined_faults() {
    let undefined = |word: u32, change: &dyn Fn(&mut XtensaMachine)| {
        let mut machine = machine(&[word]);
        change(&mut machine);
        assert_eq!(machine.step().map_err(|fault| fault.kind), Err(FaultKind::Undefined { opcode: word }));
    };
    let off = |machine: &mut XtensaMachine| machine.state_mut().extra.windows.ps = 0;
    undefined(0x00_4136, &off); // entry a1, 32 without windows
    undefined(0x00_4536, &|_| {}); // entry a5, 32
    undefined(0x00_0090, &off); // retw without windows
    undefined(0x00_0090, &|machine| machine.state_mut().registers[Reg::A0] = 0x1234);
    // from call0
}

#[test]
fn functions_of_the_windowed_abi_are_called() {
    // entry a1, 32; add.n a2, a2, a3; retw.n
    let code = [0x00_4136, 0x223a, 0xf01d];
    let mut flash = vec![0; 0x400];
    flash[0x3fc..].copy_from_slice(&SP.to_le_bytes());
    // What start-up code does: l32r a1, …;
    flash.extend(bytes(&[0xff_ff11]));
    // movi a2, 1024; slli a2, a2, 8; wsr.ps a2; movi a3, 1; wsr.windowstart a3
    flash.extend(bytes(&[0x00_a422, 0x11_2280, 0x13_e620, 0x01_a032, 0x13_4930]));
    let function = FLASH + flash.len() as u32;
    flash.extend(bytes(&code));
    let mut machine =
        XtensaMachine::from_flash(&board(), &flash, flash.len(), PC).expect("the board is sound");
    assert_eq!(machine.boot(function, 100).exit, Exit::Returned);
    assert_eq!(machine.stack_top(), SP);
    assert_eq!(machine.state().extra.windows.ps, PS_WOE);
    machine.snapshot();
    let outcome = machine.call(function, &[Arg::Int(40), Arg::Int(2)], &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 42));
    assert_eq!((outcome.cycles, outcome.instructions, outcome.stack), (1 + 1 + 3, 3, 32));
    machine.restore();
    assert_eq!(machine.call(function, &[Arg::Int(40), Arg::Int(2)], &options()), outcome);
}

#[test]
fn booleans() {
    let with = |word: u32, booleans: u32| {
        let mut machine = machine(&[word]);
        machine.state_mut().extra.booleans = booleans;
        assert_eq!(machine.step().map(|cycles| cycles < 4), Ok(true));
        machine
    };
    let after = |word, booleans| with(word, booleans).state().extra.booleans;
    assert_eq!(after(0x02_1230, 0b1100), 0b1110, "andb b1, b2, b3");
    assert_eq!(after(0x12_1230, 0b0100), 0b0110, "andbc b1, b2, b3");
    assert_eq!(after(0x42_1230, 0b1100), 0b1100, "xorb b1, b2, b3");
    assert_eq!(after(0x00_9400, 0xf0), 0xf1, "all4 b0, b4");
    assert_eq!(after(0x00_a800, 0x100), 0x101, "any8 b0, b8");
    assert_eq!(with(0xd3_5230, 8).state().registers[Reg(5)], 0xa000_0002, "movt a5, a2, b3");
    assert_eq!(with(0xc3_5230, 8).state().registers[Reg(5)], 0xa000_0005, "movf a5, a2, b3");
    let mut taken = machine(&[0x10_1276]); // bt b2, +20
    taken.state_mut().extra.booleans = 4;
    assert_eq!((taken.step(), taken.state().pc), (Ok(3), PC + 20));
}

#[test]
fn multiply_accumulate() {
    let mut machine = machine(&[0x74_0234, 0x7b_0234, 0x03_1040, 0x03_1150]);
    let state = machine.state_mut();
    (state.registers[Reg(2)], state.registers[Reg(3)]) = (0x0003_8000, 0x0002_7fff);
    // mul.aa.ll a2, a3
    assert_eq!(machine.step(), Ok(1));
    assert_eq!(machine.state().extra.mac.low(), (-32768 * 32767) as u32);
    assert_eq!(machine.state().extra.mac.high(), u32::MAX);
    // mula.aa.hh a2, a3; rsr.acclo a4; rsr.acchi a5
    assert_eq!(machine.step(), Ok(1));
    assert_eq!(machine.step(), Ok(1));
    assert_eq!(machine.step(), Ok(1));
    assert_eq!(machine.state().registers[Reg(4)], (-32768 * 32767 + 6) as u32);
    assert_eq!(machine.state().registers[Reg(5)], u32::MAX);
}

#[test]
fn compare_and_store() {
    for (expected, stored) in [(5, 0xa000_0004), (6, 5)] {
        let mut machine = machine(&[0x01_e142]); // s32c1i a4, a1, 4
        machine.write(SP + 4, &5u32.to_le_bytes()).expect("RAM");
        machine.state_mut().extra.compare = expected;
        assert_eq!(machine.step(), Ok(1));
        let mut word = [0; 4];
        machine.read(SP + 4, &mut word).expect("RAM");
        assert_eq!((u32::from_le_bytes(word), machine.state().registers[Reg(4)]), (stored, 5));
    }
}

#[test]
fn high_halves_of_products() {
    for (a, b) in [(0xffff_ffffu32, 0xffff_ffffu32), (0x8000_0000, 0x7fff_ffff), (3, 0xffff_fffe)] {
        let high = |word: u32| {
            let mut machine = machine(&[word]);
            let state = machine.state_mut();
            (state.registers[Reg(2)], state.registers[Reg(3)]) = (a, b);
            assert_eq!(machine.step(), Ok(1));
            machine.state().registers[Reg(4)]
        };
        assert_eq!(high(0xa2_4230), ((u64::from(a) * u64::from(b)) >> 32) as u32, "muluh");
        let signed = i64::from(a as i32) * i64::from(b as i32);
        assert_eq!(high(0xb2_4230), (signed >> 32) as u32, "mulsh");
    }
}

/// Records what an observer receives.
#[derive(Default)]
struct Recorder {
    names: Vec<String>,
    cycles: u64,
    calls: Vec<u32>,
}

impl Observer for Recorder {
    fn access(&mut self, _: u32, _: u32, _: Access) {}

    fn instruction(&mut self, _: u32, name: &str, cycles: u32) {
        self.names.push(name.to_owned());
        self.cycles += u64::from(cycles);
    }

    fn called(&mut self, target: u32, _: u32) {
        self.calls.push(target);
    }

    fn returned(&mut self, _: u32) {}
}

/// A secret goes through windows: passed in a10, it is the called function's a2 and decides a branch.
#[test]
fn windowed_calls_are_observed_with_the_same_outcome() {
    // entry a1, 32; l32i.n a10, a2, 0; call8 f; mov.n a2, a10; retw.n
    // f: entry a1, 32; beqz a2, +; nop.n; +: retw.n
    let caller = [0x00_4136, 0x02a8, 0x00_0065, 0x0a2d, 0xf01d];
    let callee = [0x00_4136, 0x00_1216, 0xf03d, 0xf01d, 0xf03d];
    let (secret, function, f) = (RAM + 0x100, PC + 8, PC + 20);
    // The word in front of it is the stack's; start-up: l32r a1, -4; nop.n; nop
    let mut flash = vec![0; 0x3fc];
    flash.extend(SP.to_le_bytes());
    flash.extend(bytes(&[&[0xff_ff11, 0xf03d, 0x00_20f0], &caller[..], &callee[..]].concat()));
    let mut machine =
        XtensaMachine::from_flash(&board(), &flash, flash.len(), PC).expect("the board is sound");
    assert_eq!(machine.boot(function, 100).exit, Exit::Returned);
    let windows = &mut machine.state_mut().extra.windows;
    (windows.ps, windows.start, windows.vectors) = (PS_WOE, 1, FLASH);
    machine.write(secret, &[0x78, 0x56, 0x34, 0x12]).expect("RAM");
    machine.snapshot();
    let outcome = machine.call(function, &[Arg::Pointer(secret)], &options());
    assert_eq!((outcome.exit, outcome.instructions, outcome.result), (Exit::Returned, 9, 0x1234_5678));

    machine.restore();
    let mut seen = Recorder::default();
    let observed = machine.call_observed(function, &[Arg::Pointer(secret)], &options(), &mut seen);
    assert_eq!(observed, Some(outcome));
    assert_eq!(seen.names, ["entry", "l32i", "call8", "entry", "beqz", "nop", "retw", "mov", "retw"]);
    assert_eq!((seen.cycles, seen.calls), (outcome.cycles, vec![f]));

    machine.restore();
    let mut secrets = Secrets::new(&[(secret, secret + 4)]);
    let followed = machine.call_observed(function, &[Arg::Pointer(secret)], &options(), &mut secrets);
    assert_eq!((followed, secrets.leaks()), (Some(outcome), vec![(f + 3, Leak::Branch, 1)]));
}
