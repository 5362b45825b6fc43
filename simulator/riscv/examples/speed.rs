//! How fast the simulator runs: guest Mcycles per second of a function in an ELF image.
//!
//! `cargo run --release -p pennyweight-riscv --example speed -- IMAGE BOARD.toml STOP` boots the
//! image until the symbol STOP a few times and prints the best. The figures in `SPEED.md` come
//! from here, with the programs of `scripts/bench_simulator`.

use std::process::ExitCode;
use std::time::Instant;

use pennyweight_machine::{Board, Exit, Image, Machine as _};
use pennyweight_riscv::RiscvMachine;

const RUNS: usize = 5;

fn main() -> ExitCode {
    match speed(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("speed: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn speed(args: &[String]) -> Result<String, String> {
    let [image, board, stop] = args else {
        return Err("usage: speed IMAGE BOARD.toml STOP".into());
    };
    let text = std::fs::read_to_string(board).map_err(|e| format!("{board}: {e}"))?;
    let board = Board::from_toml(&text, board).map_err(|e| e.to_string())?;
    let file = std::fs::read(image).map_err(|e| format!("{image}: {e}"))?;
    let image = Image::parse(&file).map_err(|e| e.to_string())?;
    let stop = image.symbol(stop).map(|s| s.address).ok_or(format!("no symbol {stop}"))?;
    let mut machine = RiscvMachine::new(&board, &image).map_err(|e| e.to_string())?;
    let mut best = f64::INFINITY;
    let mut outcome = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        let run = machine.boot(stop, u64::MAX);
        best = best.min(start.elapsed().as_secs_f64());
        if run.exit != Exit::Returned {
            return Err(format!("the image does not get there: {:?}", run.exit));
        }
        outcome = Some(run);
    }
    let outcome = outcome.ok_or("nothing ran")?;
    let rate = |count: u64| count as f64 / best / 1e6;
    Ok(format!(
        "{:14} instructions, {:14} cycles, {:6.0} Minstr/s, {:6.0} Mcycles/s",
        outcome.instructions,
        outcome.cycles,
        rate(outcome.instructions),
        rate(outcome.cycles)
    ))
}
