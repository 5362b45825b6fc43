//! Random MSP430 programs in lock step with mspdebug: registers, flags, PC and cycles after every few
//! instructions, RAM after every program.
//!
//! ```text
//! lockstep_msp430 [--quick] [--seed S] [--instructions N]
//! ```
//!
//! Exit status: 0 if all agree, 1 at the first difference, 2 if the command line is wrong or mspdebug
//! is missing.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use pennyweight_checks::msp430::lockstep;

const USAGE: &str = "usage: lockstep_msp430 [--quick] [--seed S] [--instructions N]";
/// Instructions by default, and of `--quick`.
const INSTRUCTIONS: u64 = 10_000_000;
const QUICK: u64 = 100_000;

fn options() -> Result<(u64, u64), String> {
    let (mut seed, mut instructions) = (1, INSTRUCTIONS);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let text = args.next().ok_or(format!("{arg} needs a value; {USAGE}"))?;
            text.parse::<u64>().map_err(|_| format!("{text} is no number; {USAGE}"))
        };
        match arg.as_str() {
            "--quick" => instructions = QUICK,
            "--seed" => seed = number()?,
            "--instructions" => instructions = number()?,
            _ => return Err(format!("{arg} is unknown; {USAGE}")),
        }
    }
    Ok((seed, instructions))
}

fn main() -> ExitCode {
    let (seed, instructions) = match options() {
        Ok(options) => options,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::from(2);
        }
    };
    let terminal = std::io::stderr().is_terminal();
    let start = Instant::now();
    let result = lockstep::run(seed, instructions, |tally| {
        if terminal {
            eprint!("\r{} of {instructions} instructions", tally.instructions);
            let _ = std::io::stderr().flush();
        }
    });
    if terminal {
        eprint!("\r\x1b[K");
    }
    match result {
        Ok(tally) => {
            println!(
                "msp430: {} instructions ({} kinds) and {} cycles in {} programs, all equal to mspdebug at \
                 {} looks (seed {seed}, {:.1} s)",
                tally.instructions,
                tally.kinds.len(),
                tally.cycles,
                tally.programs,
                tally.looks,
                start.elapsed().as_secs_f64()
            );
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("msp430: {what}");
            ExitCode::from(if what.contains("install") { 2 } else { 1 })
        }
    }
}
