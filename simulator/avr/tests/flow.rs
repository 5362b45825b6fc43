//! Jumps, calls, branches and skips: each way, with its cycles. The instruction is at 0x20.

mod common;

use common::{Case, DATA};
use pennyweight_machine::{Access, FaultKind};

fn outside(address: u32) -> FaultKind {
    FaultKind::Unmapped { address, size: 2, access: Access::Execute }
}

#[test]
fn jumps() {
    Case::new("rjmp 2").jumps(2, 0x26);
    Case::new("rjmp -1").jumps(2, 0x20);
    Case::new("rjmp 2047").jumps(2, 0x22 + 2 * 2047);
    Case::new("jmp 0x3fff").jumps(3, 0x7ffe);
    Case::new("ijmp").pointer('Z', 0x1234).jumps(2, 0x2468);
    Case::new("ijmp").pointer('Z', 0x4000).faults(outside(0x8000));
}

#[test]
fn calls_push_the_address_of_the_next_instruction() {
    let case = |text: &str| Case::new(text).sp(0x2ff).then_sp(0x2fd);
    case("rcall 6").then_byte(0x2ff, 0x11).then_byte(0x2fe, 0).jumps(3, 0x2e);
    case("call 0x0345").then_byte(0x2ff, 0x12).then_byte(0x2fe, 0).jumps(4, 0x68a);
    case("icall").pointer('Z', 0x2020).then_byte(0x2ff, 0x11).then_byte(0x2fe, 0).jumps(3, 0x4040);
    let overflow = FaultKind::StackOverflow { address: DATA + 0xff, limit: DATA };
    Case::new("rcall 6").sp(0xff).faults(overflow);
}

#[test]
fn returns() {
    Case::new("ret").sp(0x2fd).byte(0x2fe, 0x12).byte(0x2ff, 0x34).then_sp(0x2ff).jumps(4, 0x2468);
    Case::new("reti")
        .sp(0x2fd)
        .byte(0x2fe, 0)
        .byte(0x2ff, 2)
        .sreg("C")
        .then_sreg("IC")
        .then_sp(0x2ff)
        .jumps(4, 4);
}

/// Each conditional branch: two cycles if its bit of SREG is as it wants, one if not.
#[test]
fn branches() {
    let pairs = [
        ("brcs", "brcc", "C"),
        ("breq", "brne", "Z"),
        ("brmi", "brpl", "N"),
        ("brvs", "brvc", "V"),
        ("brlt", "brge", "S"),
        ("brhs", "brhc", "H"),
        ("brts", "brtc", "T"),
        ("brie", "brid", "I"),
    ];
    for (set, clear, letter) in pairs {
        let others = "CZNVSHTI".replace(letter, "");
        for flags in [letter, "CZNVSHTI"] {
            Case::new(&format!("{set} 63")).sreg(flags).jumps(2, 0x22 + 126);
            Case::new(&format!("{clear} -8")).sreg(flags).takes(1, 1);
        }
        for flags in ["", others.as_str()] {
            Case::new(&format!("{clear} -8")).sreg(flags).jumps(2, 0x22 - 16);
            Case::new(&format!("{set} 63")).sreg(flags).takes(1, 1);
        }
    }
}

/// One cycle if nothing is skipped, two for a skip over one word, three over two.
#[test]
fn skips() {
    for (next, words) in
        [("nop", 1), ("lds r0, 0x0100", 2), ("sts 0x0100, r0", 2), ("jmp 0", 2), ("call 0", 2)]
    {
        let case = |text: &str| Case::new(&format!("{text}; {next}"));
        let skipped = |case: Case| case.takes(1 + u64::from(words), 1 + words);
        skipped(case("cpse r2, r3").r(2, 7).r(3, 7));
        case("cpse r2, r3").r(2, 7).r(3, 8).takes(1, 1);
        skipped(case("sbrc r4, 3").r(4, 0xf7));
        case("sbrc r4, 3").r(4, 8).takes(1, 1);
        skipped(case("sbrs r31, 7").r(31, 0x80));
        case("sbrs r31, 7").r(31, 0x7f).takes(1, 1);
        // I/O reads 0 at reset.
        skipped(case("sbic 0x1e, 0"));
        case("sbis 0x1e, 0").takes(1, 1);
    }
}

#[test]
fn skips_on_an_io_bit_that_is_set() {
    let set = |text: &str| {
        let mut machine = common::machine(&format!("sbi 0x1e, 5; {text}; nop"));
        machine.step();
        let outcome = machine.step();
        (outcome.cycles, machine.registers().pc)
    };
    assert_eq!(set("sbis 0x1e, 5"), (2, 6));
    assert_eq!(set("sbis 0x1e, 4"), (1, 4));
    assert_eq!(set("sbic 0x1e, 5"), (1, 4));
    assert_eq!(set("sbic 0x1e, 4"), (2, 6));
}

#[test]
fn what_does_nothing() {
    Case::new("nop").takes(1, 1);
    Case::new("wdr").takes(1, 1);
}

#[test]
fn what_ends_a_run() {
    Case::new("sleep").faults(FaultKind::Asleep);
    Case::new("break").faults(FaultKind::Trap { opcode: 0x9598 });
}
