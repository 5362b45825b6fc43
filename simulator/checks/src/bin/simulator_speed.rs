//! How fast the simulators run images: guest Mcycles/s and million instructions per second.
//!
//! ```text
//! cargo run --release -p pennyweight-checks --bin simulator_speed -- BOARD.toml IMAGE.elf...
//! ```
//!
//! Each image is linked with Pennyweight's start-up code and has `crypto_hash` or
//! `crypto_aead_encrypt`, which is called for 512 bytes, again and again, ten times for a tenth of a
//! second; the best of the ten counts. All timing and stack observation is on; guard zones are
//! measured apart. The engine is the one that the environment variable `PENNYWEIGHT_ENGINE` selects,
//! or, with `--engines` in front of the board, the interpreter and the translator, in turn for each
//! image. Where the system reports it (Linux), time is processor time, for machines that do other work
//! at the same time.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pennyweight_machine::{Arg, Board, CallOptions, Exit, Image, Zone};
use pennyweight_translate::Engine;

const ROUNDS: usize = 10;
const ROUND: Duration = Duration::from_millis(100);
const LENGTH: u32 = 512;

fn main() -> ExitCode {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let both = paths.first().is_some_and(|first| first == "--engines");
    paths.drain(..usize::from(both));
    let Some((board, images)) = paths.split_first().filter(|(_, images)| !images.is_empty()) else {
        eprintln!("usage: simulator_speed [--engines] BOARD.toml IMAGE.elf...");
        return ExitCode::from(2);
    };
    let selected = match both {
        true => Ok(vec![Engine::Interpreter, Engine::Translator]),
        false => Engine::of_environment().map(|engine| vec![engine]),
    };
    let board = pennyweight_bundled::board_at(Path::new(board)).map_err(|error| error.to_string());
    let (board, engines) = match (board, selected) {
        (Ok(board), Ok(engines)) => (board, engines),
        (Err(sentence), _) | (_, Err(sentence)) => {
            eprintln!("simulator_speed: {sentence}");
            return ExitCode::from(2);
        }
    };
    let mut logarithms = vec![[0.0; 2]; engines.len()];
    for image in images {
        for (engine, logarithms) in engines.iter().zip(&mut logarithms) {
            match measure(&board, image, *engine) {
                Ok(speeds) => *logarithms = [logarithms[0] + speeds[0].ln(), logarithms[1] + speeds[1].ln()],
                Err(sentence) => {
                    eprintln!("simulator_speed: {image}: {sentence}");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    for (engine, logarithms) in engines.iter().zip(logarithms) {
        let [plain, guarded] = logarithms.map(|sum| (sum / images.len() as f64).exp());
        println!("geometric mean: {plain:.0} Mcycles/s, guarded {guarded:.0}, {engine:?}");
    }
    ExitCode::SUCCESS
}

/// Guest Mcycles/s without and with guard zones.
fn measure(board: &Board, path: &str, engine: Engine) -> Result<[f64; 2], String> {
    let file = std::fs::read(path).map_err(|e| e.to_string())?;
    let image = Image::parse(&file).map_err(|e| e.to_string())?;
    let symbol = |name: &str| image.symbol(name).map(|s| s.address);
    let ready = symbol("pw_ready").ok_or("the image has no symbol pw_ready")?;
    let free = symbol("pw_static_end").ok_or("the image has no symbol pw_static_end")?;
    let input = free.next_multiple_of(16);
    let (output, length) = (input + LENGTH, Arg::U64(LENGTH.into()));
    let at = |offset: u32| Arg::Pointer(output + LENGTH + offset);
    let (function, args) = match (symbol("crypto_hash"), symbol("crypto_aead_encrypt")) {
        (Some(hash), _) => (hash, vec![Arg::Pointer(output), Arg::Pointer(input), length]),
        (_, Some(encrypt)) => {
            let (text, cipher) = (Arg::Pointer(input), Arg::Pointer(output));
            let data = [text, Arg::U64(16), Arg::Pointer(0), at(96), at(64)];
            (encrypt, [&[cipher, at(128), text, length], &data[..]].concat())
        }
        _ => return Err("the image has neither crypto_hash nor crypto_aead_encrypt".into()),
    };
    let mut machine = pennyweight_translate::machine(board, &image, engine)?;
    let booted = machine.boot(ready, 10_000_000);
    if booted.exit != Exit::Returned {
        return Err(format!("boot: {:?}", booted.exit));
    }
    let plain = CallOptions { budget: 1 << 40, stack_limit: output + LENGTH + 256, zones: Vec::new() };
    let far = Zone { start: input + 1, end: input + 1, no_read: true, no_write: true };
    let guarded = CallOptions { zones: vec![far], ..plain.clone() };
    let mut speeds = [0.0; 2];
    let mut instructions = 0.0;
    for (speed, options) in speeds.iter_mut().zip([plain, guarded]) {
        for _ in 0..ROUNDS {
            let clock = Clock::start();
            let (mut cycles, mut retired) = (0u64, 0u64);
            while clock.elapsed() < ROUND {
                let outcome = machine.call(function, &args, &options);
                if outcome.exit != Exit::Returned {
                    return Err(format!("{:?}", outcome.exit));
                }
                cycles += outcome.cycles;
                retired += outcome.instructions;
            }
            let rate = cycles as f64 / clock.elapsed().as_secs_f64() / 1e6;
            if rate > *speed {
                *speed = rate;
                instructions = rate * retired as f64 / cycles as f64;
            }
        }
    }
    println!(
        "{:5.0} Mcycles/s, guarded {:5.0}; {instructions:4.0} MIPS  {engine:?}  {path}",
        speeds[0], speeds[1]
    );
    Ok(speeds)
}

/// Processor time if the system reports it, else the time of day.
struct Clock {
    start: Instant,
    spent: Option<Duration>,
}

impl Clock {
    fn start() -> Clock {
        Clock { start: Instant::now(), spent: spent() }
    }

    fn elapsed(&self) -> Duration {
        match (self.spent, spent()) {
            (Some(before), Some(now)) => now - before,
            _ => self.start.elapsed(),
        }
    }
}

/// What this process has spent on a processor (`/proc/self/schedstat`, first field: nanoseconds).
fn spent() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
