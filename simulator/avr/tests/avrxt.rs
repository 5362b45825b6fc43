//! AVRxt: what differs from AVRe+, in cycles (DS40002198, chapter 6, column AVRxt; 16-bit program
//! counter) and in what data space holds.

mod common;

use common::{assembler::program, board_xt, bytes, Case, DATA};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Machine, MemoryKind, OutOfMap};

fn unmapped(address: u32, access: Access) -> FaultKind {
    FaultKind::Unmapped { address, size: 1, access }
}

/// ST, STD, PUSH, SBI and CBI take one cycle, STS two, loads two, LDS three, POP two.
#[test]
fn loads_and_stores() {
    for (p, name) in [('X', "X"), ('Y', "Y"), ('Z', "Z")] {
        let at = |text: &str| Case::xt(&text.replace('P', name)).pointer(p, 0x2a80);
        at("ld r2, P+").byte(0x2a80, 12).then_r(2, 12).then_pointer(p, 0x2a81).takes(2, 1);
        at("ld r3, -P").byte(0x2a7f, 13).then_r(3, 13).then_pointer(p, 0x2a7f).takes(2, 1);
        at("st P+, r6").then_byte(0x2a80, 0xc6).then_pointer(p, 0x2a81).takes(1, 1);
        at("st -P, r7").then_byte(0x2a7f, 0xc7).then_pointer(p, 0x2a7f).takes(1, 1);
    }
    for (p, name) in [('Y', "Y"), ('Z', "Z")] {
        let at = |text: &str| Case::xt(&text.replace('P', name)).pointer(p, 0x2a80);
        at("ldd r0, P+0").byte(0x2a80, 10).then_r(0, 10).takes(2, 1);
        at("ldd r23, P+63").byte(0x2abf, 11).then_r(23, 11).takes(2, 1);
        at("std P+0, r4").then_byte(0x2a80, 0xc4).takes(1, 1);
        at("std P+33, r5").then_byte(0x2aa1, 0xc5).takes(1, 1);
    }
    Case::xt("ld r1, X").pointer('X', 0x2801).byte(0x2801, 15).then_r(1, 15).takes(2, 1);
    Case::xt("st X, r1").pointer('X', 0x2801).then_byte(0x2801, 0xc1).takes(1, 1);
    Case::xt("lds r0, 0x2950").byte(0x2950, 0x7a).then_r(0, 0x7a).takes(3, 2);
    Case::xt("sts 0x3fff, r31").then_byte(0x3fff, 0xdf).takes(2, 2);
    Case::xt("push r11").sp(0x3280).then_byte(0x3280, 0xcb).then_sp(0x327f).takes(1, 1);
    Case::xt("pop r26").sp(0x3280).byte(0x3281, 0x1a).then_r(26, 0x1a).then_sp(0x3281).takes(2, 1);
    Case::xt("sbi 0x1e, 7").then_byte(0x1e, 0x80).takes(1, 1);
    Case::xt("cbi 0x1e, 7").then_byte(0x1e, 0).takes(1, 1);
    Case::xt("in r5, 0x1e").then_r(5, 0).takes(1, 1);
    Case::xt("out 0x1e, r5").then_byte(0x1e, 0xc5).takes(1, 1);
    Case::xt("lpm r9, Z").pointer('Z', 0x20).then_r(9, 0x94).takes(3, 1);
    Case::xt("lpm r9, Z+").pointer('Z', 0x21).then_r(9, 0x90).then_pointer('Z', 0x22).takes(3, 1);
}

/// RCALL and ICALL take two cycles, CALL three; jumps, branches and returns are as on AVRe+.
#[test]
fn flow() {
    let case = |text: &str| Case::xt(text).sp(0x32ff).then_sp(0x32fd);
    case("rcall 6").then_byte(0x32ff, 0x11).then_byte(0x32fe, 0).jumps(2, 0x2e);
    case("call 0x0345").then_byte(0x32ff, 0x12).then_byte(0x32fe, 0).jumps(3, 0x68a);
    case("icall").pointer('Z', 0x2020).then_byte(0x32ff, 0x11).then_byte(0x32fe, 0).jumps(2, 0x4040);
    Case::xt("rjmp 2").jumps(2, 0x26);
    Case::xt("jmp 0x3fff").jumps(3, 0x7ffe);
    Case::xt("ijmp").pointer('Z', 0x1234).jumps(2, 0x2468);
    Case::xt("ret").sp(0x32fd).byte(0x32fe, 0x12).byte(0x32ff, 0x34).then_sp(0x32ff).jumps(4, 0x2468);
    // I is unchanged: the interrupt controller has its own state.
    Case::xt("reti").sp(0x32fd).byte(0x32fe, 0).byte(0x32ff, 2).then_sp(0x32ff).jumps(4, 4);
    Case::xt("brne 3").jumps(2, 0x28);
    Case::xt("brne 3").sreg("Z").takes(1, 1);
    Case::xt("cpse r2, r2; nop").takes(2, 2);
    Case::xt("sbrs r31, 7; jmp 0").takes(3, 3);
    Case::xt("sbic 0x1e, 0; nop").takes(2, 2);
    Case::xt("sbis 0x1e, 0; nop").takes(1, 1);
}

#[test]
fn arithmetic_takes_what_it_takes_on_avre() {
    Case::xt("add r2, r3").r(2, 1).r(3, 2).then_r(2, 3).takes(1, 1);
    Case::xt("adiw r24, 1").r(24, 1).r(25, 0).then_r(24, 2).takes(2, 1);
    Case::xt("sbiw r24, 1").r(24, 3).r(25, 0).then_r(24, 2).takes(2, 1);
    Case::xt("mul r2, r3").r(2, 2).r(3, 3).then_r(0, 6).then_r(1, 0).takes(2, 1);
    Case::xt("muls r18, r19").r(18, 2).r(19, 3).then_r(0, 6).then_r(1, 0).takes(2, 1);
    Case::xt("movw r26, r22").then_r(26, 0xd6).then_r(27, 0xd7).takes(1, 1);
}

/// SP and SREG lie at their I/O addresses, and the first bytes of data space are I/O.
#[test]
fn registers_are_not_in_data_space() {
    Case::xt("ld r1, X").pointer('X', 5).then_r(1, 0).takes(2, 1);
    Case::xt("st X, r1").pointer('X', 5).then_byte(5, 0xc1).takes(1, 1);
    Case::xt("sts 0x001a, r9").then_byte(0x1a, 0xc9).takes(2, 2);
    Case::xt("in r5, 0x3f").sreg("ISC").then_r(5, 0x91).takes(1, 1);
    Case::xt("lds r5, 0x003f").sreg("ISC").then_r(5, 0x91).takes(3, 2);
    Case::xt("st X, r1").pointer('X', 0x3f).r(1, 0x53).then_sreg("CZST").takes(1, 1);
    Case::xt("in r5, 0x3d").sp(0x3789).then_r(5, 0x89).takes(1, 1);
    Case::xt("ld r5, X").pointer('X', 0x3e).sp(0x3789).then_r(5, 0x37).takes(2, 1);
    Case::xt("out 0x3d, r5").sp(0x3789).r(5, 0x12).then_sp(0x3712).takes(1, 1);
    // What are SPL, SPH and SREG of AVRe+ is I/O like any other.
    Case::xt("sts 0x005d, r9").then_byte(0x5d, 0xc9).takes(2, 2);
    Case::xt("sts 0x005f, r9").then_byte(0x5f, 0xc9).takes(2, 2);
}

/// A load from flash takes one cycle more than one from SRAM; a store there faults.
#[test]
fn flash_is_in_data_space() {
    // The instruction is at 0x20: 0x4020 in data space.
    Case::xt("ld r9, X").pointer('X', 0x4020).then_r(9, 0x9c).takes(3, 1);
    Case::xt("ld r9, X+").pointer('X', 0x4021).then_r(9, 0x90).then_pointer('X', 0x4022).takes(3, 1);
    Case::xt("ld r9, -X").pointer('X', 0x4021).then_r(9, 0x9e).then_pointer('X', 0x4020).takes(3, 1);
    Case::xt("ldd r9, Z+32").pointer('Z', 0x4000).then_r(9, 0x90).takes(3, 1);
    Case::xt("ldd r9, Y+1").pointer('Y', 0xfffe).then_r(9, 0xff).takes(3, 1);
    Case::xt("lds r9, 0x4022").then_r(9, 0x22).takes(4, 2);
    Case::xt("pop r9").sp(0x3fff).then_r(9, 0xff).then_sp(0x4000).takes(3, 1);
    let store =
        |text: &str, address| Case::xt(text).pointer('X', 0x4020).faults(FaultKind::FlashWrite { address });
    store("st X, r1", DATA + 0x4020);
    store("sts 0xffff, r1", DATA + 0xffff);
    Case::xt("push r1").sp(0x4000).faults(FaultKind::FlashWrite { address: DATA + 0x4000 });
}

#[test]
fn between_io_and_sram_is_nothing() {
    Case::xt("ld r9, X").pointer('X', 0x14ff).then_r(9, 0).takes(2, 1);
    Case::xt("ld r9, X").pointer('X', 0x1500).faults(unmapped(DATA + 0x1500, Access::Read));
    Case::xt("st X, r9").pointer('X', 0x27ff).faults(unmapped(DATA + 0x27ff, Access::Write));
    let overflow = FaultKind::StackOverflow { address: DATA + 0x27ff, limit: DATA };
    Case::xt("push r1").sp(0x27ff).faults(overflow);
}

/// A frame of 0x5000 bytes takes SP past address 0, into the flash that is mapped above SRAM.
#[test]
fn a_frame_below_address_0_is_an_overflow() {
    let text = "in r28, 0x3d; in r29, 0x3e; subi r29, 0x50; out 0x3e, r29; out 0x3d, r28; ret";
    let mut machine = AvrMachine::with_flash(&board_xt(), &bytes(&program(text))).expect("a good board");
    let options = CallOptions { budget: 1000, stack_limit: DATA + 0x2800, zones: Vec::new() };
    let outcome = machine.call(0, &[], &options);
    let kind = FaultKind::StackOverflow { address: DATA + 0x3ffe - 0x5000, limit: DATA + 0x2800 };
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: 8 }));
}

/// Costs of loads from flash count where costs are summed along straight lines, in sequences too, and
/// where the budget is checked.
#[test]
fn loads_from_flash_count_in_free_runs() {
    let loads = "ldd r4, Z+0; ldd r5, Z+1; ldd r6, Z+2; ldd r7, Z+3; ld r8, Z+; ld r9, Z+; sts 0x2900, r9";
    let flash = bytes(&program(&format!("movw r30, r24; {loads}; rjmp 0; ret")));
    for (address, more) in [(0x4000, 6), (0x3000, 0)] {
        let call = |budget| {
            let mut machine = AvrMachine::with_flash(&board_xt(), &flash).expect("a good board");
            let options = CallOptions { budget, stack_limit: DATA + 0x3800, zones: Vec::new() };
            machine.call(0, &[Arg::Pointer(DATA + address)], &options)
        };
        let outcome = call(1000);
        let before_jump = 1 + 6 * 2 + 2 + more;
        assert_eq!((outcome.exit, outcome.instructions), (Exit::Returned, 10));
        assert_eq!(outcome.cycles, before_jump + 2 + 4);
        assert_eq!(call(before_jump + 2).exit, Exit::OutOfCycles { pc: 20 });
        assert_eq!(call(before_jump + 3).exit, Exit::Returned, "a cycle is left at the jump");
    }
}

#[test]
fn memory_from_outside() {
    let mut machine = AvrMachine::with_flash(&board_xt(), &[1, 2, 3, 4]).expect("a good board");
    let mut two = [0; 2];
    machine.read(DATA + 0x4001, &mut two).expect("flash in data space");
    assert_eq!(two, [2, 3]);
    machine.read(2, &mut two).expect("flash");
    assert_eq!(two, [3, 4]);
    let refused = |address| Err(OutOfMap { address, size: 2 });
    assert_eq!(machine.write(DATA + 0x4000, &two), refused(DATA + 0x4000));
    assert_eq!(machine.write(DATA + 0x3fff, &two), refused(DATA + 0x3fff));
    assert_eq!(machine.read(DATA + 0x10, &mut two), refused(DATA + 0x10), "I/O is no memory");
    assert_eq!(machine.read(DATA + 0xffff, &mut two), refused(DATA + 0xffff));
    machine.write(DATA + 0x3ffe, &two).expect("SRAM");
}

#[test]
fn boards_that_are_no_avrxt_are_refused() {
    let good = board_xt();
    let refusal = |board: &pennyweight_machine::Board| {
        AvrMachine::with_flash(board, &[]).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert_eq!(refusal(&good), "");
    let mut without = good.clone();
    without.memories.pop();
    assert_eq!(refusal(&without), "", "a part may keep constants in RAM");
    let mut wrong = good.clone();
    wrong.core = pennyweight_bundled::core("avre+");
    assert!(refusal(&wrong).contains("one flash and, above it, one ram"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[2].kind = MemoryKind::Ram;
    assert!(refusal(&wrong).contains("the window of kind \"flash\""), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[2].size += 1;
    assert!(refusal(&wrong).contains("the window of flash must lie in data space"), "{}", refusal(&wrong));
    let mut wrong = good.clone();
    wrong.memories[1].base = DATA + 0x1000;
    assert!(
        refusal(&wrong).contains("ram must lie in data space, 0x801500 to 0x810000"),
        "{}",
        refusal(&wrong)
    );
}
