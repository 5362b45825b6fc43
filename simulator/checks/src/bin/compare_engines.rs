//! Compares translated code with the interpreter in every field of the outcome: random programs, or images.
//!
//! ```text
//! cargo run --release -p pennyweight-checks --bin compare_engines -- --programs 1000 [CORE]
//! cargo run --release -p pennyweight-checks --bin compare_engines -- BOARD.toml IMAGE.elf...
//! ```
//!
//! Images are linked with Pennyweight's start-up code; each gets 300 calls.

use std::path::Path;
use std::process::ExitCode;

use pennyweight_checks::translate::{images, programs, Compared};

/// Calls of each image.
const CALLS: u32 = 300;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((first, [number, core @ ..])) if first == "--programs" && core.len() < 2 => match number.parse()
        {
            Ok(number) => programs::random_programs(0..number, core.first().map(String::as_str)),
            Err(_) => Err(format!("{number:?} is no number of programs")),
        },
        Some((board, paths)) if !paths.is_empty() => all(board, paths),
        _ => {
            eprintln!("usage: compare_engines --programs NUMBER [CORE] | BOARD.toml IMAGE.elf...");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(compared) => {
            let Compared { calls, faults, spent, translated, cycles } = compared;
            println!(
                "{calls} calls, {translated} of them with translated code, {cycles} cycles: {faults} faults, \
                 {spent} budgets used up; no differences"
            );
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("compare_engines: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn all(board: &str, paths: &[String]) -> Result<Compared, String> {
    let board = pennyweight_bundled::board_at(Path::new(board)).map_err(|error| error.to_string())?;
    let mut all = Compared::default();
    for (seed, path) in (0..).zip(paths) {
        let file = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let compared = images::image(&board, &file, CALLS, seed).map_err(|what| format!("{path}: {what}"))?;
        all = all.plus(compared);
    }
    Ok(all)
}
