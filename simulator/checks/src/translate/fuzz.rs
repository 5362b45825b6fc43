//! What fuzzing puts the translator through: any bytes as a program, on both machines.

use pennyweight_machine::{Arg, CallOptions, Zone};

use super::subjects::{each, same, Subject, Visit};

/// Bytes in front of the program.
const CONTROL: usize = 20;
/// Longest runs, in cycles.
const BUDGET: u32 = 60_000;

/// Calls what `data` describes on one of the cores, three times, on both machines: its first byte selects the
/// core, the next ones what is called and with what limits; the rest is the program.
///
/// # Panics
/// The machines differ.
pub fn engines(data: &[u8]) {
    struct One<'a> {
        left: u8,
        data: &'a [u8],
    }
    impl Visit for One<'_> {
        fn visit<S: Subject>(&mut self, subject: &S) -> Result<(), String> {
            let chosen = self.left == 0;
            self.left = self.left.wrapping_sub(1);
            if chosen {
                run(subject, self.data)
            } else {
                Ok(())
            }
        }
    }
    let Some((number, data)) = data.split_first() else { return };
    let mut one = One { left: number % CORES, data };
    each(&mut one).unwrap_or_else(|what| panic!("{what}"));
}

/// So many are visited.
const CORES: u8 = 75;

fn run<S: Subject>(subject: &S, data: &[u8]) -> Result<(), String> {
    let Some((control, program)) = data.split_at_checked(CONTROL) else { return Ok(()) };
    let word = |at: usize| u32::from_le_bytes([control[at], control[at + 1], control[at + 2], 0]);
    // No board takes it.
    let Ok(mut pair) = subject.machines(program) else { return Ok(()) };
    let (base, size) = subject.ram();
    let within = |offset: u32| base + offset % size;
    let zone = Zone {
        start: within(word(3)),
        end: within(word(6)),
        no_read: control[18] & 1 != 0,
        no_write: control[18] & 2 != 0,
    };
    let options = CallOptions {
        budget: (word(9) % BUDGET).into(),
        stack_limit: if control[18] & 8 != 0 { within(word(12)) } else { 0 },
        zones: if control[18] & 4 != 0 { vec![zone] } else { Vec::new() },
    };
    let args = [Arg::Pointer(within(word(15))), Arg::U64(word(3).into()), Arg::Int(-1)];
    let function = subject.flash().wrapping_add(word(0));
    for call in 0..3 {
        let called = pair.both(|machine| machine.call(function, &args, &options));
        let outcome = called.map_err(|what| format!("call {call}: {what}"))?;
        same(subject, &mut pair, &outcome.exit).map_err(|what| format!("call {call}: {what}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::subjects::{each, Subject, Visit};
    use super::CORES;

    #[test]
    fn every_core_can_be_selected() {
        struct Count(u8);
        impl Visit for Count {
            fn visit<S: Subject>(&mut self, _: &S) -> Result<(), String> {
                self.0 += 1;
                Ok(())
            }
        }
        let mut count = Count(0);
        each(&mut count).expect("nothing is compared");
        assert_eq!(count.0, CORES);
    }
}
