//! Programs that a translator could get wrong: code in RAM that changes, jumps into the middle of
//! instructions, jumps that go to many places in turn, late faults; more code than is translated; hosts for
//! which nothing can be compiled.

mod avr;
mod device;
mod limits;
mod mips;
mod msp430;
mod riscv;
mod thumb;
mod wide;
mod windows;
mod xtensa;

use pennyweight_machine::{CallOptions, Exit};

use super::subjects::{same, Function, Subject, Translating};

/// How the calls of a function ended.
#[derive(Clone, Copy, Debug)]
struct Ended {
    /// The last one.
    exit: Exit,
    /// Blocks that were translated.
    blocks: usize,
    /// How often they ran without being given up.
    runs: u64,
}

/// Calls the function `code` three times, with and without a small budget, on both machines.
#[track_caller]
fn compare<S: Subject>(subject: &S, code: &[u8], budget: u64) -> Ended {
    compare_function(subject, &subject.function(code), budget, false)
}

/// The same for a function with what surrounds it. `fresh`: each call begins in the state after start-up.
#[track_caller]
fn compare_function<S: Subject>(subject: &S, function: &Function, budget: u64, fresh: bool) -> Ended {
    let Function { entry, bytes } = function;
    let mut pair = subject.machines(bytes).expect("the board takes the program");
    let mut exit = Exit::Returned;
    pair.both(|machine| machine.snapshot()).expect("the same");
    for budget in [budget, 20_011, budget] {
        if fresh {
            pair.both(|machine| machine.restore()).expect("the same");
        }
        let options = CallOptions { budget, ..CallOptions::default() };
        let called = pair.both(|machine| machine.call(*entry, &[], &options));
        exit = called.unwrap_or_else(|what| panic!("{}: {what}", subject.board().core.name)).exit;
        same(subject, &mut pair, &exit)
            .unwrap_or_else(|what| panic!("{}: {what}", subject.board().core.name));
    }
    Ended { exit, blocks: pair.translator.blocks(), runs: pair.translator.runs() }
}

/// Checks how all calls ended, and that code was translated and was not always given up.
#[track_caller]
fn assert_ended(ended: &[Ended], is_right: impl Fn(&Exit) -> bool) {
    assert!(ended.iter().all(|end| is_right(&end.exit) && end.blocks > 0 && end.runs > 0), "{ended:?}");
}

/// Enough for the functions that return.
const BUDGET: u64 = 3_000_000;
/// For those that do not.
const SHORT: u64 = 100_000;
