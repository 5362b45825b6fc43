//! `lockstep_thumb --set v6m|v7m|v7em --seed S --instructions N [--quick]`: random programs of that
//! instruction set on QEMU and on our simulator of a core that has it; registers and flags are compared after every instruction,
//! memory at the end of every program. Ends with status 1 at the first difference.

use std::process::ExitCode;
use std::time::Instant;

use pennyweight_checks::thumb::compare;
use pennyweight_checks::thumb::qemu::Qemu;
use pennyweight_checks::thumb::random::Random;
use pennyweight_checks::thumb::stream::Set;
use pennyweight_thumb::core::{CortexM0, CortexM3, CortexM4};

const USAGE: &str = "usage: lockstep_thumb [--set v6m|v7m|v7em] [--seed S] [--instructions N] [--quick]";

struct Options {
    set: Set,
    seed: u64,
    instructions: u64,
    quick: bool,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(sentence) => {
            eprintln!("lockstep_thumb: {sentence}");
            return ExitCode::from(2);
        }
    };
    match lockstep(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            eprintln!("lockstep_thumb: {report}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { set: Set::V6m, seed: 1, instructions: 1_000_000, quick: false };
    let mut instructions = None;
    while let Some(arg) = args.next() {
        let number = |args: &mut dyn Iterator<Item = String>| -> Result<u64, String> {
            let text = args.next().ok_or(format!("{arg} needs a number; {USAGE}"))?;
            text.replace('_', "").parse().map_err(|_| format!("{arg} {text}: not a number; {USAGE}"))
        };
        match arg.as_str() {
            "--seed" => options.seed = number(&mut args)?,
            "--instructions" => instructions = Some(number(&mut args)?),
            "--set" => {
                let name = args.next().unwrap_or_default();
                options.set =
                    Set::from_name(&name).ok_or(format!("--set {name}: no such instruction set; {USAGE}"))?;
            }
            "--quick" => options.quick = true,
            _ => return Err(format!("{arg} is unknown; {USAGE}")),
        }
    }
    options.instructions = instructions.unwrap_or(if options.quick { 100_000 } else { options.instructions });
    Ok(options)
}

fn lockstep(options: &Options) -> Result<(), String> {
    let qemu = Qemu::find()?;
    // Short programs show more different instructions, long ones cost fewer starts of QEMU.
    let (halfwords, passes) = if options.quick { (8_000, 2) } else { (30_000, 4) };
    let mut seeds = Random::new(options.seed);
    let start = Instant::now();
    let (mut instructions, mut programs) = (0, 0);
    while instructions < options.instructions {
        // The first program's seed is the one given, so that a report's seed repeats its program.
        let seed = if programs == 0 { options.seed } else { seeds.next() };
        let compare = match options.set {
            Set::V6m => compare::stream::<CortexM0>,
            Set::V7m => compare::stream::<CortexM3>,
            Set::V7em => compare::stream::<CortexM4>,
        };
        instructions += compare(&qemu, options.set, seed, halfwords, passes)?;
        programs += 1;
    }
    println!(
        "lockstep_thumb: {instructions} instructions in {programs} random programs of {:?} agree with {} (seed {}, {:.1} s)",
        options.set,
        qemu.version,
        options.seed,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
