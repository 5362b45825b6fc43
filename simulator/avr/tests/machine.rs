//! The machine as others drive it: boot, calls by the ABI, stack, guard zones, budgets, faults.

mod common;

use common::{board, bytes, machine, DATA};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Image, Machine, OutOfMap, Zone};

const LINES: &[u8] = include_bytes!("../../machine/tests/data/lines.elf");

fn options(budget: u64) -> CallOptions {
    CallOptions { budget, stack_limit: DATA + 0x300, zones: Vec::new() }
}

/// Start-up as compilers write it: SP to the end of SRAM (low half last), then `call` of the symbol at
/// byte address 0x10, where `text` starts.
fn booted(text: &str) -> AvrMachine {
    let start = "ldi r28, 0xff; ldi r29, 8; out 0x3e, r29; out 0x3d, r28; call 0x8; nop; nop";
    let mut machine = machine(&format!("{start}; {text}"));
    let outcome = machine.boot(0x10, 1000);
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, 8, 5));
    assert_eq!(machine.stack_top(), DATA + 0x8fd);
    machine
}

fn fault(outcome: &pennyweight_machine::Outcome) -> Fault {
    match outcome.exit {
        Exit::Fault(fault) => fault,
        other => panic!("no fault but {other:?}"),
    }
}

#[test]
fn multiplications_and_long_jumps_that_a_core_lacks_are_undefined_and_named() {
    let mut board = board(8);
    board.core.extensions.clear();
    // MUL, MULS, MULSU, FMUL, JMP, CALL; a reserved opcode
    let opcodes = [0x9c01, 0x0201, 0x0301, 0x0309, 0x940c, 0x940e, 0xff08];
    let missing =
        ["mul", "mul", "mul", "mul", "jmp", "jmp", ""].map(|name| Some(name).filter(|name| !name.is_empty()));
    for (opcode, missing) in opcodes.into_iter().zip(missing) {
        let mut machine = AvrMachine::with_flash(&board, &bytes(&[opcode, 0])).expect("a good board");
        let undefined = FaultKind::Undefined { opcode: opcode.into() };
        assert_eq!(fault(&machine.step()), Fault { kind: undefined, pc: 0 }, "{opcode:#06x}");
        assert_eq!(machine.missing_extension(opcode.into()), missing, "{opcode:#06x}");
    }
}

#[test]
fn an_image_is_loaded_called_and_read_back() {
    let image = Image::parse(LINES).expect("good");
    let mut machine = AvrMachine::new(&board(32), &image).expect("fits");
    let add_three = image.symbol("add_three").expect("there").address;
    let counter = image.symbol("counter").expect("there").address;
    machine.write(counter, &[0x34, 0x12]).expect("SRAM");
    let outcome = machine.call(add_three, &[Arg::Int(-5)], &options(1000));
    assert_eq!(outcome.exit, Exit::Returned);
    assert_eq!(outcome.result, 0x1234 - 5 + 3);
    // lds, lds, add, adc, adiw, ret.
    assert_eq!((outcome.cycles, outcome.instructions, outcome.stack), (2 + 2 + 1 + 1 + 2 + 4, 6, 2));
    // main calls it and stores what it returned.
    let main = image.symbol("main").expect("there").address;
    assert_eq!(machine.call(main, &[], &options(1000)).stack, 4);
    let mut counter_bytes = [0; 2];
    machine.read(counter, &mut counter_bytes).expect("SRAM");
    assert_eq!(u16::from_le_bytes(counter_bytes), 0x1234 + 1 + 3);
}

#[test]
fn the_wrong_board_or_image_is_refused_with_a_sentence() {
    let image = Image::parse(LINES).expect("good");
    let refusal = |board: &pennyweight_machine::Board| {
        AvrMachine::new(board, &image).err().map(|e| e.to_string()).unwrap_or_default()
    };
    let good = board(32);
    let mut wrong = good.clone();
    wrong.core = pennyweight_bundled::core("cortex-m0");
    assert_eq!(
        refusal(&wrong),
        "cores/cortex-m0.toml: instruction_set is \"armv6-m\"; correct it to \"avre\" or \"avrxt\""
    );
    let mut wrong = good.clone();
    wrong.memories[0].size = 0x28;
    assert!(refusal(&wrong).contains("do not lie in the board's flash"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[0].size = 256 << 10;
    assert!(refusal(&wrong).contains("flash must start at 0"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[1].base = DATA + 0x20;
    assert!(refusal(&wrong).contains("ram must lie in data space"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[1].size = 0x1_0000;
    assert!(refusal(&wrong).contains("ram must lie in data space"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories.remove(0);
    assert!(refusal(&wrong).contains("one flash and, above it, one ram"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[0].timing =
        pennyweight_machine::MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 3 };
    assert!(refusal(&wrong).contains("no wait states"), "{}", refusal(&wrong));
    let mut arm = LINES.to_vec();
    arm[18] = 40;
    let arm = Image::parse(&arm).expect("an Arm image");
    let message = AvrMachine::new(&good, &arm).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.starts_with("the image is for Arm but the board's core executes AVR"), "{message}");
}

#[test]
fn booting_can_fail_in_each_way() {
    let boot = |text: &str, ready: u32| machine(text).boot(ready, 100).exit;
    assert_eq!(boot("rjmp -1; nop", 2), Exit::OutOfCycles { pc: 0 });
    assert_eq!(boot("sleep; nop", 2), Exit::Fault(Fault { kind: FaultKind::Asleep, pc: 0 }));
    let nowhere = FaultKind::Unmapped { address: 0x8000, size: 2, access: Access::Execute };
    assert_eq!(boot("nop", 0x8000), Exit::Fault(Fault { kind: nowhere, pc: 0 }));
    let odd = FaultKind::Unmapped { address: 3, size: 2, access: Access::Execute };
    assert_eq!(boot("nop", 3), Exit::Fault(Fault { kind: odd, pc: 0 }));
}

/// The mark is found inside of what would run as a sequence, and the sequence before it is complete.
#[test]
fn booting_stops_at_the_mark_wherever_it_lies() {
    let text = "lsr r19; ror r18; ror r17; ror r16; dec r20; brne 0; lsr r19; ror r18; ror r17; ror r16";
    for mark in 0..10 {
        let mut m = machine(text);
        let outcome = m.boot(2 * mark, 1000);
        assert_eq!((outcome.exit, outcome.instructions), (Exit::Returned, mark.into()));
        assert_eq!(m.registers().pc, 2 * mark);
    }
}

#[test]
fn all_cycles_from_the_first_instruction_to_the_return_count() {
    let mut m = booted("ldi r24, 5; dec r24; brne -2; ldi r25, 0x80; ret");
    let outcome = m.call(0x10, &[], &options(1000));
    // ldi, five times dec, four taken branches and one not, ldi, ret.
    assert_eq!(outcome.cycles, 1 + 5 + 4 * 2 + 1 + 1 + 4);
    assert_eq!(outcome.instructions, 1 + 5 + 5 + 1 + 1);
    assert_eq!(outcome.result, i32::from(i16::MIN));
    assert_eq!(m.call(0x10, &[], &options(1000)), outcome, "the same call gives the same numbers");
}

#[test]
fn arguments_arrive_in_registers_and_on_the_stack() {
    // Stores r8, r24 and the first byte above the return address at 0x100 to 0x102.
    let text =
        "sts 0x0100, r8; sts 0x0101, r24; in r30, 0x3d; in r31, 0x3e; ldd r18, Z+3; sts 0x0102, r18; ret";
    let mut m = booted(text);
    let args: Vec<Arg> = (1..=10).map(Arg::Size).collect();
    let outcome = m.call(0x10, &args, &options(1000));
    assert_eq!(outcome.exit, Exit::Returned);
    assert_eq!(outcome.stack, 2, "arguments on the stack are the caller's");
    let mut got = [0; 3];
    m.read(DATA + 0x100, &mut got).expect("SRAM");
    assert_eq!(got, [9, 1, 10]);
}

#[test]
fn registers_are_clean_at_each_call() {
    let mut m = booted("sts 0x0100, r1; sts 0x0101, r2; in r0, 0x3f; sts 0x0102, r0; ldi r16, 9; mov r1, r16; mov r2, r16; bset 0; ret");
    for _ in 0..2 {
        m.call(0x10, &[], &options(1000));
        let mut got = [9; 3];
        m.read(DATA + 0x100, &mut got).expect("SRAM");
        assert_eq!(got, [0; 3]);
    }
}

mod stack {
    use super::*;

    #[test]
    fn pushes_and_calls_count() {
        let mut m = booted("push r2; push r3; rcall 3; pop r3; pop r2; ret; push r4; pop r4; ret");
        let outcome = m.call(0x10, &[], &options(1000));
        assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 2 + 2 + 2 + 1));
    }

    /// A frame of 0x20 bytes as avr-gcc makes it: SPH, SREG, SPL. SP is 0x8fb at entry and 0x8db below,
    /// so that the halves differ in SPL only, or in both when the frame is 0x100 bytes.
    fn frame(size: u16, use_it: &str) -> String {
        let (low, high) = (size as u8, size >> 8);
        format!(
            "in r28, 0x3d; in r29, 0x3e; subi r28, {low}; sbci r29, {high}; in r0, 0x3f; bclr 7;
             out 0x3e, r29; out 0x3f, r0; out 0x3d, r28; {use_it}; subi r28, {}; sbci r29, {};
             in r0, 0x3f; bclr 7; out 0x3e, r29; out 0x3f, r0; out 0x3d, r28; ret",
            low.wrapping_neg(),
            (0xff - high) + u16::from(low == 0),
        )
    }

    #[test]
    fn a_reserved_frame_counts_whole_and_no_more() {
        for size in [1, 0x20, 0xfb, 0xfc, 0x100, 0x1ff, 0x203] {
            let mut m = booted(&frame(size, "nop"));
            let outcome = m.call(0x10, &[], &options(1000));
            assert_eq!(
                (outcome.exit, outcome.stack),
                (Exit::Returned, u32::from(size) + 2),
                "frame of {size}"
            );
        }
    }

    #[test]
    fn a_frame_below_the_limit_is_an_overflow_even_if_unused() {
        let mut m = booted(&frame(0x100, "nop"));
        let at = |limit| CallOptions { stack_limit: DATA + limit, ..options(1000) };
        // SP is 0x8fd - 2 at entry, so the lowest byte is 0x8fb - 0x100 + 1.
        assert_eq!(m.call(0x10, &[], &at(0x7fc)).exit, Exit::Returned);
        let fault = fault(&m.call(0x10, &[], &at(0x7fd)));
        let kind = FaultKind::StackOverflow { address: DATA + 0x7fc, limit: DATA + 0x7fd };
        assert_eq!(fault, Fault { kind, pc: 0x10 + 16 });
    }

    #[test]
    fn a_frame_made_low_half_first_counts_as_well() {
        let text = "in r28, 0x3d; in r29, 0x3e; subi r28, 0xfc; sbci r29, 0; out 0x3d, r28; out 0x3e, r29; pop r0; sbiw r28, 1;
                    adiw r28, 61; adiw r28, 63; adiw r28, 63; adiw r28, 63; adiw r28, 3; out 0x3d, r28; out 0x3e, r29; ret";
        let mut m = booted(text);
        let outcome = m.call(0x10, &[], &options(1000));
        assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 0xfc + 2));
    }

    #[test]
    fn a_single_half_is_seen_at_the_next_push() {
        let text = "in r28, 0x3d; mov r16, r28; subi r16, 0x20; out 0x3d, r16; push r2; out 0x3d, r28; ret";
        let mut m = booted(text);
        let outcome = m.call(0x10, &[], &options(1000));
        assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 0x20 + 1 + 2));
    }

    #[test]
    fn stores_below_the_stack_pointer_count() {
        let text = "in r28, 0x3d; in r29, 0x3e; sbiw r28, 40; std Y+1, r2; ret";
        let outcome = booted(text).call(0x10, &[], &options(1000));
        assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 2 + 40));
        let outside = "sts 0x0100, r2; ret";
        let limit = CallOptions { stack_limit: DATA + 0x101, ..options(1000) };
        assert_eq!(booted(outside).call(0x10, &[], &limit).stack, 2);
    }

    /// Reserves a frame: SPH and SPL in either order, then a push.
    fn reserve(size: u16, low_first: bool) -> String {
        let halves = if low_first { "out 0x3d, r28; out 0x3e, r29" } else { "out 0x3e, r29; out 0x3d, r28" };
        let [low, high] = size.to_le_bytes();
        format!("in r28, 0x3d; in r29, 0x3e; subi r28, {low}; sbci r29, {high}; {halves}; push r2")
    }

    #[test]
    fn a_frame_below_address_0_is_an_overflow() {
        // SP is 0x8fb at entry, so the lowest byte of a frame is 0x8fc less its size.
        let options = CallOptions { stack_limit: DATA + 0x100, ..options(1000) };
        for size in [0x7fc, 0x7fd, 0x8fb, 0x8fc, 0x8fd, 0x9000, 0xf000] {
            for low_first in [false, true] {
                let outcome = booted(&reserve(size, low_first)).call(0x10, &[], &options);
                let lowest = DATA + 0x8fc - u32::from(size);
                // Where the frame fits, the push does not.
                let (address, pc) = if size == 0x7fc { (lowest - 1, 0x1c) } else { (lowest, 0x1a) };
                let kind = FaultKind::StackOverflow { address, limit: DATA + 0x100 };
                assert_eq!(fault(&outcome), Fault { kind, pc }, "{size:#x} {low_first}");
            }
        }
    }

    #[test]
    fn endless_recursion_ends_at_the_limit() {
        let mut m = booted("rcall -1");
        let outcome = m.call(0x10, &[], &CallOptions { stack_limit: DATA + 0x400, ..options(1 << 40) });
        let kind = FaultKind::StackOverflow { address: DATA + 0x3ff, limit: DATA + 0x400 };
        assert_eq!(fault(&outcome), Fault { kind, pc: 0x10 });
        assert_eq!(outcome.stack, 0x8fe - 0x400);
    }

    #[test]
    fn a_call_without_room_for_its_arguments_is_refused() {
        let mut m = booted("ret");
        let args = vec![Arg::U64(0); 4];
        let at = |limit| CallOptions { stack_limit: DATA + limit, ..options(1000) };
        assert_eq!(m.call(0x10, &args, &at(0x8fd - 16 - 1)).exit, Exit::Returned);
        let kind = FaultKind::StackOverflow { address: DATA + 0x8fd - 16 - 1, limit: DATA + 0x8fd - 16 };
        assert_eq!(fault(&m.call(0x10, &args, &at(0x8fd - 16))).kind, kind);
        assert!(matches!(fault(&m.call(0x10, &[], &at(0xffff))).kind, FaultKind::StackOverflow { .. }));
        let many = vec![Arg::U64(0); 9000];
        assert!(matches!(fault(&m.call(0x10, &many, &at(0x100))).kind, FaultKind::StackOverflow { .. }));
    }
}

mod zones {
    use super::*;

    fn zoned(text: &str, start: u32, end: u32, no_read: bool, no_write: bool) -> Exit {
        let zones = vec![Zone { start: DATA + start, end: DATA + end, no_read, no_write }];
        booted(text).call(0x10, &[], &CallOptions { zones, ..options(1000) }).exit
    }

    #[test]
    fn reads_and_writes_in_a_zone_fault_and_those_beside_it_do_not() {
        let read = "lds r0, 0x0200; ret";
        let write = "ldi r28, 0; ldi r29, 2; st Y+, r0; ret";
        let guard = |access, pc| {
            let kind = FaultKind::Guard { address: DATA + 0x200, size: 1, access };
            Exit::Fault(Fault { kind, pc })
        };
        assert_eq!(zoned(read, 0x200, 0x201, true, false), guard(Access::Read, 0x10));
        assert_eq!(zoned(read, 0x200, 0x201, false, true), Exit::Returned);
        assert_eq!(zoned(read, 0x1f0, 0x200, true, true), Exit::Returned);
        assert_eq!(
            zoned(read, 0x201, 0x900, true, true),
            Exit::Fault(Fault {
                kind: FaultKind::Guard { address: DATA + 0x8fc, size: 1, access: Access::Read },
                pc: 0x14,
            })
        );
        assert_eq!(zoned(write, 0x200, 0x201, false, true), guard(Access::Write, 0x14));
        assert_eq!(zoned(write, 0x200, 0x201, true, false), Exit::Returned);
    }

    /// A zone far away, below the stack's limit: what it forbids is forbidden in free stack.
    fn with_distant_zone(text: &str, no_read: bool, no_write: bool) -> Exit {
        zoned(text, 0x200, 0x201, no_read, no_write)
    }

    fn free(address: u32, access: Access, pc: u32) -> Exit {
        let kind = FaultKind::FreeStack { address: DATA + address, size: 1, access };
        Exit::Fault(Fault { kind, pc })
    }

    #[test]
    fn accesses_below_the_stack_pointer_fault_like_those_in_zones() {
        // SP is 0x8fb in the function, the lowest byte in use 0x8fc.
        for (text, address, access) in [
            ("nop; sts 0x0320, r0; ret", 0x320, Access::Write),
            ("nop; sts 0x08fb, r0; ret", 0x8fb, Access::Write),
            ("nop; lds r0, 0x08fb; ret", 0x8fb, Access::Read),
        ] {
            assert_eq!(with_distant_zone(text, true, true), free(address, access, 0x12), "{text}");
            assert_eq!(
                with_distant_zone(text, access != Access::Read, access == Access::Read),
                Exit::Returned,
                "{text}"
            );
            assert_eq!(booted(text).call(0x10, &[], &options(1000)).exit, Exit::Returned, "{text}");
        }
        // In use, the caller's, below the limit.
        for text in ["lds r0, 0x08fc; ret", "sts 0x08ff, r0; ret", "sts 0x02ff, r0; ret"] {
            assert_eq!(with_distant_zone(text, true, true), Exit::Returned, "{text}");
        }
        // What was pushed is free again.
        let popped = "push r0; sts 0x08fb, r0; pop r0; sts 0x08fb, r0; ret";
        assert_eq!(with_distant_zone(popped, true, true), free(0x8fb, Access::Write, 0x18));
    }

    /// Frames as avr-gcc makes them: SP is written in halves, and nothing is known in between.
    #[test]
    fn a_frame_is_free_until_both_halves_of_the_stack_pointer_are_written() {
        let frame = |between: &str, after: &str| {
            format!(
                "in r28, 0x3d; in r29, 0x3e; sbiw r28, 16; out 0x3e, r29; {between}; out 0x3d, r28; {after}; \
                 adiw r28, 16; out 0x3e, r29; out 0x3d, r28; ret"
            )
        };
        for text in [frame("nop", "std Y+1, r0; std Y+16, r0"), frame("std Y+1, r0", "nop")] {
            assert_eq!(with_distant_zone(&text, true, true), Exit::Returned, "{text}");
        }
        assert_eq!(
            with_distant_zone(&frame("nop", "std Y+0, r0"), true, true),
            free(0x8eb, Access::Write, 0x1c)
        );
        let early = "in r28, 0x3d; in r29, 0x3e; sbiw r28, 16; std Y+1, r0; ret";
        assert_eq!(with_distant_zone(early, true, true), free(0x8ec, Access::Write, 0x16));
    }

    #[test]
    fn a_push_into_a_zone_faults() {
        let exit = zoned("push r0; pop r0; ret", 0x8fb, 0x8fc, false, true);
        let kind = FaultKind::Guard { address: DATA + 0x8fb, size: 1, access: Access::Write };
        assert_eq!(exit, Exit::Fault(Fault { kind, pc: 0x10 }));
    }

    #[test]
    fn a_push_onto_a_full_stack_is_an_overflow_though_a_zone_begins_there() {
        let zones = vec![Zone { start: DATA + 0x800, end: DATA + 0x8fb, no_read: true, no_write: true }];
        let options = CallOptions { stack_limit: DATA + 0x8fb, zones, ..options(1000) };
        let exit = booted("push r0; push r0; ret").call(0x10, &[], &options).exit;
        let kind = FaultKind::StackOverflow { address: DATA + 0x8fa, limit: DATA + 0x8fb };
        assert_eq!(exit, Exit::Fault(Fault { kind, pc: 0x12 }));
    }
}

#[test]
fn a_budget_ends_an_endless_loop_within_a_jump() {
    let mut m = booted("nop; rjmp -2");
    for budget in [0, 1, 2, 3, 100, 3_000_001] {
        let outcome = m.call(0x10, &[], &options(budget));
        assert_eq!(outcome.exit, Exit::OutOfCycles { pc: 0x10 });
        assert_eq!(
            outcome.cycles,
            budget.max(1).div_ceil(3) * 3,
            "given up at the first jump after {budget}"
        );
        assert_eq!(outcome.instructions, outcome.cycles / 3 * 2);
    }
    // Each kind of jump checks the budget.
    for text in ["jmp 0x8", "bset 2; brmi -2", "ldi r30, 8; ldi r31, 0; ijmp"] {
        assert!(
            matches!(booted(text).call(0x10, &[], &options(50)).exit, Exit::OutOfCycles { .. }),
            "{text}"
        );
    }
    let call_and_return = "rcall 1; rjmp -2; ret";
    assert!(matches!(booted(call_and_return).call(0x10, &[], &options(50)).exit, Exit::OutOfCycles { .. }));
}

#[test]
fn relative_jumps_and_calls_wrap_around_a_small_flash() {
    let mut flash = [0u16; 0x1000];
    flash[0x10] = 0xdfee; // rcall to 0xfff, backwards below 0
    flash[0xfff] = 0xc005; // rjmp to 5, past the end
    flash[5] = 0x9508; // ret
    flash[0x11] = 0x9508;
    let called = |kib| {
        let mut machine = AvrMachine::with_flash(&board(kib), &bytes(&flash)).expect("good");
        machine.call(0x20, &[], &options(1000))
    };
    let outcome = called(8);
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, 13, 4));
    assert!(matches!(called(16).exit, Exit::Fault(_)), "more than 8 KB does not wrap");
}

mod faults {
    use super::*;

    #[test]
    fn leaving_the_program_blames_the_instruction_that_did_it() {
        let execute = |address| FaultKind::Unmapped { address, size: 2, access: Access::Execute };
        let at_end = |words: &[u16]| {
            let mut flash = vec![0u16; 0x4000 - words.len()];
            flash.extend(words);
            let mut m = AvrMachine::with_flash(&board(32), &bytes(&flash)).expect("good");
            fault(&m.call(0, &[], &options(1 << 20)))
        };
        assert_eq!(at_end(&[0]), Fault { kind: execute(0x8000), pc: 0x7ffe }, "runs off the end");
        assert_eq!(at_end(&[0x9000, 0x0100]), Fault { kind: execute(0x8000), pc: 0x7ffc }, "after two words");
        assert_eq!(
            at_end(&[0x9000]),
            Fault { kind: execute(0x7ffe), pc: 0x7ffc },
            "its second word is missing"
        );
        assert_eq!(at_end(&[0xc001]), Fault { kind: execute(0x8002), pc: 0x7ffe }, "jumps over the end");
        let called = |text: &str| fault(&machine(text).call(0, &[], &options(1000)));
        assert_eq!(called("nop; rjmp -3"), Fault { kind: execute(0x3_fffe), pc: 2 });
        assert_eq!(called("jmp 0x4000"), Fault { kind: execute(0x8000), pc: 0 });
        assert_eq!(called("ldi r31, 0x50; ijmp"), Fault { kind: execute(0xa000), pc: 2 });
        assert_eq!(
            called("pop r0; ldi r16, 0x80; push r16; ret"),
            Fault { kind: execute(0x101fe), pc: 6 },
            "smashed stack"
        );
    }

    #[test]
    fn odd_or_foreign_functions_are_refused() {
        let mut m = machine("ret");
        for address in [1, 0x8000, DATA, u32::MAX] {
            let kind = FaultKind::Unmapped { address, size: 2, access: Access::Execute };
            assert_eq!(fault(&m.call(address, &[], &options(10))), Fault { kind, pc: address });
        }
    }

    #[test]
    fn what_was_spent_before_a_fault_is_told() {
        let outcome = machine("ldi r16, 1; push r16; sleep").call(0, &[], &options(100));
        assert_eq!(fault(&outcome), Fault { kind: FaultKind::Asleep, pc: 4 });
        assert_eq!((outcome.cycles, outcome.instructions, outcome.stack), (3, 2, 3));
        let mut flash = vec![0u16, 0x00ff];
        flash.resize(8, 0);
        let mut m = AvrMachine::with_flash(&board(32), &bytes(&flash)).expect("good");
        let kind = FaultKind::Undefined { opcode: 0xff };
        assert_eq!(fault(&m.call(0, &[], &options(100))), Fault { kind, pc: 2 });
    }
}

#[test]
fn a_return_by_ijmp_is_a_return() {
    let mut m = booted("pop r31; pop r30; ijmp");
    let outcome = m.call(0x10, &[], &options(1000));
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, 6, 3));
}

/// On a part whose flash fills the whole program space, the return address of a call from outside is an
/// address of the program too; the stack pointer distinguishes them.
#[test]
fn the_top_of_a_full_flash_can_be_called() {
    let mut flash = vec![0u16; 0x1_0000];
    let ijmp_to_last = common::assembler::program("ldi r30, 0xff; ldi r31, 0xff; icall; ret");
    flash[..ijmp_to_last.len()].copy_from_slice(&ijmp_to_last);
    flash[0xffff] = 0x9508;
    let mut m = AvrMachine::with_flash(&board(128), &bytes(&flash)).expect("good");
    let outcome = m.call(0, &[], &options(1000));
    assert_eq!((outcome.exit, outcome.instructions, outcome.cycles), (Exit::Returned, 5, 1 + 1 + 3 + 4 + 4));
}

#[test]
fn memory_is_reachable_where_it_is_and_only_there() {
    let mut m = machine("ldi r16, 1; ret");
    let mut two = [0; 2];
    m.read(0, &mut two).expect("flash");
    assert_eq!(two, [0x01, 0xe0]);
    m.read(0x7ffe, &mut two).expect("flash");
    assert_eq!(m.read(0x7fff, &mut two), Err(OutOfMap { address: 0x7fff, size: 2 }));
    assert_eq!(m.write(0, &two), Err(OutOfMap { address: 0, size: 2 }));
    assert_eq!(m.write(DATA + 0xff, &two), Err(OutOfMap { address: DATA + 0xff, size: 2 }));
    assert_eq!(m.write(DATA + 0x8ff, &two), Err(OutOfMap { address: DATA + 0x8ff, size: 2 }));
    assert_eq!(m.read(u32::MAX, &mut two), Err(OutOfMap { address: u32::MAX, size: 2 }));
    m.write(DATA + 0x8fe, &[1, 2]).expect("SRAM");
    m.read(DATA + 0x8fe, &mut two).expect("SRAM");
    assert_eq!(two, [1, 2]);
    m.write(DATA + 0x900, &[]).expect("nothing, at the end");
}

#[test]
fn snapshots_bring_ram_and_core_back() {
    let mut m = booted("lds r24, 0x0100; inc r24; sts 0x0100, r24; ldi r25, 0; ret");
    m.write(DATA + 0x100, &[41]).expect("SRAM");
    m.snapshot();
    let first = m.call(0x10, &[], &options(100));
    assert_eq!(first.result, 42);
    assert_eq!(m.call(0x10, &[], &options(100)).result, 43);
    m.restore();
    assert_eq!(m.call(0x10, &[], &options(100)), first);
    let mut fresh = machine("ret");
    fresh.write(DATA + 0x100, &[1]).expect("SRAM");
    fresh.restore();
    let mut byte = [9];
    fresh.read(DATA + 0x100, &mut byte).expect("SRAM");
    assert_eq!(byte, [0], "without a snapshot: as before boot");
}
