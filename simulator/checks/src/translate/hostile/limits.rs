//! What is not translated is interpreted, with the same outcome.

use pennyweight_machine::{CallOptions, Exit};
use pennyweight_translate::blocks::Limits;
use pennyweight_translate::code::Compiler;

use super::super::subjects::{each, same, Function, Subject, Translating, Visit};

/// Runs a random function four times on each core, with a translator that `change` limits; then `check` sees
/// how many blocks were found and how often translated code ran.
struct Limited<F, G> {
    change: F,
    check: G,
}

trait Change {
    fn change(&self, machine: &mut impl Translating);
}

impl<F: Change, G: FnMut(usize, u64)> Visit for Limited<F, G> {
    fn visit<S: Subject>(&mut self, subject: &S) -> Result<(), String> {
        let Function { entry, bytes } = subject.random_function(7, 2000, 8);
        let mut pair = subject.machines(&bytes)?;
        self.change.change(&mut pair.translator);
        for _ in 0..4 {
            let options = CallOptions { budget: 10_000_000, ..CallOptions::default() };
            let outcome = pair.both(|machine| machine.call(entry, &[], &options))?;
            assert_eq!(outcome.exit, Exit::Returned);
            same(subject, &mut pair, &outcome.exit)?;
        }
        (self.check)(pair.translator.blocks(), pair.translator.runs());
        Ok(())
    }
}

impl Change for Limits {
    fn change(&self, machine: &mut impl Translating) {
        machine.set_limits(*self);
    }
}

impl Change for Compiler {
    fn change(&self, machine: &mut impl Translating) {
        machine.set_compiler(*self);
    }
}

/// The blocks found on each core.
#[track_caller]
fn blocks(limits: Limits) -> Vec<usize> {
    let mut all = Vec::new();
    let check = |blocks, runs| {
        assert!(runs > 0, "some code is translated");
        all.push(blocks);
    };
    each(&mut Limited { change: limits, check }).unwrap_or_else(|what| panic!("{limits:?}: {what}"));
    all
}

#[test]
fn code_beyond_the_limits_is_interpreted() {
    let whole = blocks(Limits::default());
    // Of MIPS, code of 16 bits is interpreted.
    assert!(whole.iter().all(|blocks| *blocks > 20), "{whole:?}");
    // The ends of loops belong to what is in front of them.
    let limited = blocks(Limits { blocks: 20, ..Limits::default() });
    assert!(limited.iter().all(|blocks| (20..30).contains(blocks)), "{limited:?}");
    let few = blocks(Limits { instructions: 100, ..Limits::default() });
    let is_less = |(few, whole): &(&usize, &usize)| few < whole || **whole < 100;
    assert!(few.iter().zip(&whole).all(|pair| is_less(&pair)), "{few:?}, {whole:?}");
}

#[test]
fn code_is_split_into_functions_that_call_each_other() {
    let whole = blocks(Limits::default());
    assert_eq!(blocks(Limits { function: 7, ..Limits::default() }), whole);
}

#[test]
fn without_a_compiler_for_the_host_everything_is_interpreted() {
    let check = |blocks, runs| assert!(blocks > 0 && runs == 0, "{blocks} blocks, {runs} runs");
    let limited = &mut Limited { change: Compiler::Unsupported, check };
    each(limited).unwrap_or_else(|what| panic!("{what}"));
}
