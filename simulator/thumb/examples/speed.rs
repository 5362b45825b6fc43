//! How fast the simulator runs: guest Mcycles per second of functions in an ELF image.
//!
//! `cargo run --release -p pennyweight-thumb --example speed -- IMAGE BOARD.toml FUNCTION=N...`
//! calls each function with the `int` N again and again for half a second and prints the best: on
//! a busy machine, choose N for calls of a few milliseconds. The figures in `SPEED.md` come from
//! here.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pennyweight_machine::{Arg, Board, CallOptions, Exit, Image, LoadError, Machine};
use pennyweight_thumb::core::{Core as _, CortexM0, CortexM0Plus, CortexM3, CortexM4};
use pennyweight_thumb::ThumbMachine;

const AT_LEAST: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    match speed(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("speed: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn machine(board: &Board, image: &Image) -> Result<Box<dyn Machine>, LoadError> {
    Ok(match board.core.as_str() {
        CortexM3::NAME => Box::new(ThumbMachine::<CortexM3>::new(board, image)?),
        CortexM4::NAME => Box::new(ThumbMachine::<CortexM4>::new(board, image)?),
        CortexM0Plus::NAME => Box::new(ThumbMachine::<CortexM0Plus>::new(board, image)?),
        _ => Box::new(ThumbMachine::<CortexM0>::new(board, image)?),
    })
}

fn speed(args: &[String]) -> Result<(), String> {
    let [image, board, functions @ ..] = args else {
        return Err("usage: speed IMAGE BOARD.toml FUNCTION=N...".into());
    };
    let text = std::fs::read_to_string(board).map_err(|e| format!("{board}: {e}"))?;
    let board = Board::from_toml(&text, board).map_err(|e| e.to_string())?;
    let file = std::fs::read(image).map_err(|e| format!("{image}: {e}"))?;
    let image = Image::parse(&file).map_err(|e| e.to_string())?;
    let find = |name: &str| image.symbol(name).map(|s| s.address).ok_or(format!("no symbol {name}"));
    let mut machine = machine(&board, &image).map_err(|e| e.to_string())?;
    let booted = machine.boot(find("pw_ready")?, 1 << 30);
    if booted.exit != Exit::Returned {
        return Err(format!("the image does not start: {:?}", booted.exit));
    }
    machine.snapshot();
    let options = CallOptions { budget: u64::MAX, stack_limit: find("pw_static_end")?, zones: Vec::new() };
    println!("function         instructions       cycles   stack   Minstr/s  Mcycles/s");
    for call in functions {
        let (name, n) = call.split_once('=').ok_or(format!("{call}: write FUNCTION=N"))?;
        let n: i32 = n.parse().map_err(|e| format!("{call}: {e}"))?;
        let function = find(name)?;
        let mut best = f64::INFINITY;
        let mut outcome = None;
        let begin = Instant::now();
        while outcome.is_none() || begin.elapsed() < AT_LEAST {
            machine.restore();
            let start = Instant::now();
            outcome = Some(machine.call(function, &[Arg::Int(n)], &options));
            best = best.min(start.elapsed().as_secs_f64());
        }
        let Some(outcome) = outcome.filter(|o| o.exit == Exit::Returned) else {
            return Err(format!("{name}: {:?}", outcome.map(|o| o.exit)));
        };
        let rate = |count: u64| count as f64 / best / 1e6;
        println!(
            "{name:15} {:13} {:12} {:7} {:10.0} {:10.0}",
            outcome.instructions,
            outcome.cycles,
            outcome.stack,
            rate(outcome.instructions),
            rate(outcome.cycles)
        );
    }
    Ok(())
}
