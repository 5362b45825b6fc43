//! Observed calls: the same outcome as others, and everything reported once.

mod common;

use common::assembler::program;
use common::{board, board_xt, bytes, DATA};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Access, Arg, Board, CallOptions, Image, Machine, Observer, Profile, Zone};

/// Records what is reported to it.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    cycles: u64,
    instructions: u64,
}

impl Observer for Log {
    fn access(&mut self, address: u32, size: u32, access: Access) {
        self.lines.push(format!("{access} {size} at {address:#x}"));
    }

    fn instruction(&mut self, pc: u32, name: &str, cycles: u32) {
        self.lines.push(format!("{pc:#x} {name} {cycles}"));
        self.cycles += u64::from(cycles);
        self.instructions += 1;
    }

    fn called(&mut self, target: u32, stack: u32) {
        self.lines.push(format!("called {target:#x} {stack:#x}"));
    }

    fn returned(&mut self, stack: u32) {
        self.lines.push(format!("returned {stack:#x}"));
    }
}

fn options(budget: u64, zones: Vec<Zone>) -> CallOptions {
    CallOptions { budget, stack_limit: DATA + 0x300, zones }
}

#[test]
fn everything_is_told_in_order() {
    let mut machine =
        common::machine("rcall 1; ret; lds r24, 0x0100; sts 0x0101, r24; lpm r0, Z; in r0, 0x3f; ret");
    let mut log = Log::default();
    let outcome = machine.call_observed(0, &[], &options(100, Vec::new()), &mut log).expect("offered");
    let expected = [
        "write 1 at 0x8008fd",
        "write 1 at 0x8008fc",
        "0x0 rcall 3",
        "called 0x4 0x8008fb",
        "read 1 at 0x800100",
        "0x4 lds 2",
        "write 1 at 0x800101",
        "0x8 sts 2",
        "read 1 at 0x0",
        "0xc lpm 3",
        "0xe in 1",
        "read 1 at 0x8008fc",
        "read 1 at 0x8008fd",
        "0x10 ret 4",
        "returned 0x8008fd",
        "read 1 at 0x8008fe",
        "read 1 at 0x8008ff",
        "0x2 ret 4",
        "returned 0x8008ff",
    ];
    assert_eq!(log.lines, expected);
    assert_eq!((log.cycles, log.instructions), (outcome.cycles, outcome.instructions));
}

/// Observation never changes the result of a program.
#[test]
fn observed_calls_end_as_others_do() {
    let texts = [
        "ldi r24, 5; dec r24; brne -2; ret",
        "ldi r24, 5; dec r24; brne -2; push r24; push r24; pop r24; pop r24; ret",
        "rcall -1",
        "sts 0x0320, r1; ret",
        "movw r30, r24; ld r4, Z+; ld r5, Z+; adiw r30, 33; ldd r6, Z+63; ret",
        "rjmp -1",
        "sleep",
        "nop; rjmp -5",
        "cpse r1, r1; nop; rjmp -6",
        "ldi r31, 0x7f; ijmp",
    ];
    let zone = Zone { start: DATA + 0x320, end: DATA + 0x330, no_read: true, no_write: true };
    let boards: [Board; 2] = [board(32), board_xt()];
    for board in &boards {
        for text in texts {
            for budget in [7, 10_000] {
                for zones in [Vec::new(), vec![zone]] {
                    let fresh = || AvrMachine::with_flash(board, &bytes(&program(text))).expect("good");
                    let (mut plain, mut observed) = (fresh(), fresh());
                    let args = [Arg::Pointer(DATA + 0x31f)];
                    let options = options(budget, zones);
                    let expected = plain.call(0, &args, &options);
                    let mut log = Log::default();
                    let got = observed.call_observed(0, &args, &options, &mut log).expect("offered");
                    assert_eq!(got, expected, "{text}");
                    assert_eq!((log.cycles, log.instructions), (got.cycles, got.instructions), "{text}");
                    assert_eq!(observed.registers(), plain.registers(), "{text}");
                    assert_eq!(observed.data(), plain.data(), "{text}");
                }
            }
        }
    }
}

#[test]
fn a_profile_adds_up_to_the_call() {
    let image = Image::parse(include_bytes!("../../machine/tests/data/lines.elf")).expect("good");
    let mut machine = AvrMachine::new(&board(32), &image).expect("fits");
    let main = image.symbol("main").expect("there").address;
    let counter = image.symbol("counter").expect("there").address;
    let mut profile = Profile::new(&image);
    let outcome =
        machine.call_observed(main, &[], &options(1000, Vec::new()), &mut profile).expect("offered");
    let stacks = profile.stacks();
    let names: Vec<String> = stacks.iter().map(|stack| stack.functions.join(" ")).collect();
    assert_eq!(names, ["main", "main add_three"]);
    assert_eq!(stacks.iter().map(|stack| stack.cost.cycles).sum::<u64>(), outcome.cycles);
    assert_eq!(profile.mix().iter().map(|(_, cost)| cost.instructions).sum::<u64>(), outcome.instructions);
    let touched = profile.touched();
    let counted = touched.iter().find(|range| range.start <= counter && counter < range.end);
    assert!(counted.is_some_and(|range| range.read && range.written), "{touched:?}");
}
