//! Random AVR programs in lock step with simavr (AVRe+) and yasimavr (AVRxt): registers, SREG, SP, PC
//! and SRAM after every instruction, and with simavr the cycles too. Where yasimavr counts other cycles
//! than ours, which has the manual's (see the tests in `simulator/avr`), the kinds are listed.
//!
//! ```text
//! lockstep_avr [--quick] [--seed S] [--instructions N] [--chip atmega328p|atmega128|atmega4809]
//! ```
//!
//! Without `--chip`, all, each with a third of the instructions. Exit status: 0 if all agree, 1 at the
//! first difference, 2 if the command line is wrong or a peer is missing.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use pennyweight_checks::avr::chip::{Chip, Other, CHIPS};
use pennyweight_checks::avr::lockstep;

const USAGE: &str =
    "usage: lockstep_avr [--quick] [--seed S] [--instructions N] [--chip atmega328p|atmega128|atmega4809]";
/// Instructions by default, and of `--quick`.
const INSTRUCTIONS: u64 = 10_000_000;
const QUICK: u64 = 400_000;

struct Options {
    seed: u64,
    instructions: u64,
    chips: Vec<Chip>,
}

fn options() -> Result<Options, String> {
    let mut options = Options { seed: 1, instructions: INSTRUCTIONS, chips: CHIPS.to_vec() };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value; {USAGE}"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number; {USAGE}"));
        match arg.as_str() {
            "--quick" => options.instructions = QUICK,
            "--seed" => options.seed = number(value()?)?,
            "--instructions" => options.instructions = number(value()?)?,
            "--chip" => {
                let name = value()?;
                options.chips = vec![Chip::by_name(&name).ok_or(format!("chip {name} is unknown; {USAGE}"))?];
            }
            _ => return Err(format!("{arg} is unknown; {USAGE}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::from(2);
        }
    };
    let share = options.instructions.div_ceil(options.chips.len() as u64);
    let terminal = std::io::stderr().is_terminal();
    for chip in &options.chips {
        let start = Instant::now();
        let result = lockstep::run(*chip, options.seed, share, |tally| {
            if terminal && tally.programs % 10 == 0 {
                eprint!("\r{} {} of {share} instructions", chip.name, tally.instructions);
                let _ = std::io::stderr().flush();
            }
        });
        if terminal {
            eprint!("\r\x1b[K");
        }
        match result {
            Ok(tally) => {
                println!(
                    "{}: {} instructions ({} kinds, each at least {} times) and {} cycles in {} programs, \
                     {} (seed {}, {:.1} s)",
                    chip.name,
                    tally.instructions,
                    tally.kinds.len(),
                    tally.kinds.values().min().unwrap_or(&0),
                    tally.cycles,
                    tally.programs,
                    match chip.other {
                        Other::Simavr => "all equal to simavr",
                        Other::Yasimavr => "states equal to yasimavr",
                    },
                    options.seed,
                    start.elapsed().as_secs_f64()
                );
                for ((kind, ours, theirs), times) in &tally.otherwise {
                    println!("  {kind} takes {ours} cycles, in yasimavr {theirs} ({times} times)");
                }
            }
            Err(what) => {
                eprintln!("{}: {what}", chip.name);
                let missing = what.contains("install");
                return ExitCode::from(if missing { 2 } else { 1 });
            }
        }
    }
    ExitCode::SUCCESS
}
