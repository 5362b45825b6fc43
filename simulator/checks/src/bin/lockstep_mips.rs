//! `lockstep_mips --seed S --instructions N [--quick]`: random MIPS32 programs on QEMU's 4KEm and on our
//! simulator; registers are compared after every instruction, memory at the end of every program. Ends
//! with status 1 at the first difference.

use std::process::ExitCode;
use std::time::Instant;

use pennyweight_checks::mips::compare;
use pennyweight_checks::mips::qemu::Qemu;
use pennyweight_checks::thumb::random::Random;

const USAGE: &str = "usage: lockstep_mips [--seed S] [--instructions N] [--quick]";

struct Options {
    seed: u64,
    instructions: u64,
    quick: bool,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(sentence) => {
            eprintln!("lockstep_mips: {sentence}");
            return ExitCode::from(2);
        }
    };
    match lockstep(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            eprintln!("lockstep_mips: {report}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { seed: 1, instructions: 1_000_000, quick: false };
    let mut instructions = None;
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64, String> {
            let text = args.next().ok_or(format!("{arg} needs a number; {USAGE}"))?;
            text.replace('_', "").parse().map_err(|_| format!("{arg} {text}: not a number; {USAGE}"))
        };
        match arg.as_str() {
            "--seed" => options.seed = number()?,
            "--instructions" => instructions = Some(number()?),
            "--quick" => options.quick = true,
            _ => return Err(format!("{arg} is unknown; {USAGE}")),
        }
    }
    options.instructions = instructions.unwrap_or(if options.quick { 50_000 } else { options.instructions });
    Ok(options)
}

fn lockstep(options: &Options) -> Result<(), String> {
    let qemu = Qemu::find()?;
    // Short programs show more different instructions, long ones cost fewer starts of QEMU.
    let (halfwords, passes) = if options.quick { (4_000, 2) } else { (30_000, 4) };
    let mut seeds = Random::new(options.seed);
    let start = Instant::now();
    let (mut instructions, mut programs) = (0, 0);
    while instructions < options.instructions {
        // The first program's seed is the one given, so that a report's seed repeats its program.
        let seed = if programs == 0 { options.seed } else { seeds.next() };
        instructions += compare::stream(&qemu, seed, halfwords, passes)?;
        programs += 1;
    }
    println!(
        "lockstep_mips: {instructions} instructions in {programs} random programs agree with {} (seed {}, {:.1} s)",
        qemu.version,
        options.seed,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
