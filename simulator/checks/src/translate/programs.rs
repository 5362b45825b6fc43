//! Random programs, on random budgets, stack limits and guard zones.

use std::ops::Range;

use pennyweight_machine::{Arg, CallOptions, Zone};

use super::subjects::{each, same, Function, Subject, Visit};
use super::Compared;
use crate::random::Random;

/// Runs random programs from these seeds on each core, or on those of this name, on both machines.
///
/// # Errors
/// They differ: the message names core, seed and difference. Or no core has this name.
pub fn random_programs(seeds: Range<u64>, core: Option<&str>) -> Result<Compared, String> {
    struct All<'a>(Range<u64>, Compared, Option<&'a str>);
    impl Visit for All<'_> {
        fn visit<S: Subject>(&mut self, subject: &S) -> Result<(), String> {
            let name = subject.board().core.name.clone();
            if self.2.is_some_and(|core| core != name) {
                return Ok(());
            }
            self.0.clone().try_for_each(|seed| {
                random_program(subject, seed, &mut self.1)
                    .map_err(|what| format!("{name}, seed {seed}, {what}"))
            })
        }
    }
    let mut all = All(seeds, Compared::default(), core);
    each(&mut all)?;
    match core {
        Some(core) if all.1.calls == 0 => Err(format!("no core that is translated has the name {core:?}")),
        _ => Ok(all.1),
    }
}

/// Runs a random program with random budgets, stack limits and guard zones on both machines.
fn random_program<S: Subject>(subject: &S, seed: u64, compared: &mut Compared) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x7472_616e_736c_6174);
    let halfwords = 100 + random.below(3000) as usize;
    let Function { entry, bytes } = subject.random_function(seed, halfwords, 1 + random.below(60));
    let mut pair = subject.machines(&bytes)?;
    let (base, size) = subject.ram();
    for call in 0..4 {
        let error = |what: String| format!("call {call}: {what}");
        let budget = match random.below(4) {
            0 => u64::from(random.below(3000)),
            1 => u64::from(random.below(100_000)),
            _ => 3_000_000,
        };
        let zone = Zone {
            start: base + random.below(size),
            end: base + random.below(size),
            no_read: random.once_in(2),
            no_write: random.once_in(2),
        };
        let options = CallOptions {
            budget,
            stack_limit: if random.once_in(4) { base + random.below(size) } else { 0 },
            zones: if random.once_in(3) { vec![zone] } else { Vec::new() },
        };
        // Now and then in the middle of it.
        let within = |random: &mut Random| entry + 2 * random.below(bytes.len() as u32 / 2 - 64);
        let entry = if random.once_in(6) { within(&mut random) } else { entry };
        let args: Vec<Arg> = (0..6).map(|_| Arg::Pointer(base + random.below(size))).collect();
        let outcome = pair.both(|machine| machine.call(entry, &args, &options)).map_err(error)?;
        same(subject, &mut pair, &outcome.exit).map_err(error)?;
        compared.add_call::<S>(&outcome, &mut pair);
        if random.once_in(3) {
            pair.both(|machine| machine.snapshot())?;
        }
        if random.once_in(3) {
            pair.both(|machine| machine.restore())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::random_programs;

    #[test]
    fn random_programs_end_as_in_the_interpreter() {
        let compared = random_programs(0..2, None).unwrap_or_else(|what| panic!("{what}"));
        assert!(compared.translated > compared.calls / 2, "{compared:?}");
        let returned = compared.calls - compared.faults - compared.spent;
        assert!(compared.faults > 5 && compared.spent > 5 && returned > 5, "{compared:?}");
    }
}
