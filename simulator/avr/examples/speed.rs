//! How fast the simulator runs images: guest Mcycles/s and million instructions per second.
//!
//! ```text
//! cargo run --release -p pennyweight-avr --example speed -- BOARD.toml IMAGE.elf...
//! ```
//!
//! Each image is linked with Pennyweight's start-up code and has `crypto_hash` or
//! `crypto_aead_encrypt`, which is called for 512 bytes, again and again, ten times for a tenth of a
//! second; the best of the ten counts. All timing and stack observation is on; guard zones are
//! measured apart. Where the system reports it (Linux), time is processor time. Both are for
//! machines that do other work at the same time.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Arg, Board, CallOptions, Exit, Image, Machine, Zone};

const ROUNDS: usize = 10;
const SECONDS: f64 = 0.1;
const LENGTH: u64 = 512;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let Some((board, images)) = paths.split_first() else {
        eprintln!("usage: speed BOARD.toml IMAGE.elf...");
        return ExitCode::from(2);
    };
    let mut product = [1.0; 2];
    for image in images {
        match measure(board, image) {
            Ok(speeds) => product = [product[0] * speeds[0], product[1] * speeds[1]],
            Err(sentence) => {
                eprintln!("{image}: {sentence}");
                return ExitCode::FAILURE;
            }
        }
    }
    let mean = |x: f64| x.powf(1.0 / images.len() as f64);
    println!("geometric mean: {:.0} Mcycles/s, guarded {:.0}", mean(product[0]), mean(product[1]));
    ExitCode::SUCCESS
}

/// Guest Mcycles/s without and with guard zones.
fn measure(board: &str, path: &str) -> Result<[f64; 2], String> {
    let text = std::fs::read_to_string(board).map_err(|e| e.to_string())?;
    let board = Board::from_toml(&text, board).map_err(|e| e.to_string())?;
    let file = std::fs::read(path).map_err(|e| e.to_string())?;
    let image = Image::parse(&file).map_err(|e| e.to_string())?;
    let symbol = |name: &str| image.symbol(name).map(|s| s.address);
    let ready = symbol("pw_ready").ok_or("the image has no symbol pw_ready")?;
    let ram = symbol("_end").ok_or("the image has no symbol _end")?;
    let (input, output) = (ram, ram + LENGTH as u32);
    let (function, args) = match (symbol("crypto_hash"), symbol("crypto_aead_encrypt")) {
        (Some(hash), _) => (hash, vec![Arg::Pointer(output), Arg::Pointer(input), Arg::U64(LENGTH)]),
        (_, Some(encrypt)) => {
            let args = vec![
                Arg::Pointer(input),
                Arg::Pointer(output + 20),
                Arg::Pointer(input),
                Arg::U64(LENGTH),
                Arg::Pointer(input),
                Arg::U64(16),
                Arg::Pointer(0),
                Arg::Pointer(output + 32),
                Arg::Pointer(output + 48),
            ];
            (encrypt, args)
        }
        _ => return Err("the image has neither crypto_hash nor crypto_aead_encrypt".to_owned()),
    };
    let mut machine = AvrMachine::new(&board, &image).map_err(|e| e.to_string())?;
    let boot = machine.boot(ready, 10_000_000);
    if boot.exit != Exit::Returned {
        return Err(format!("did not boot: {:?}", boot.exit));
    }
    // A zone that no one touches: the one byte after the buffers.
    let zone = Zone { start: output + 64, end: output + 65, no_read: true, no_write: true };
    let mut speeds = [0.0; 2];
    for (speed, zones) in speeds.iter_mut().zip([vec![], vec![zone]]) {
        let options = CallOptions { budget: u64::MAX, stack_limit: output + 65, zones };
        let mut best = (0.0, 0.0, 0);
        for _ in 0..ROUNDS {
            let (mut cycles, mut instructions, mut last) = (0, 0, 0);
            let clock = Clock::start();
            while clock.seconds() < SECONDS {
                let outcome = machine.call(function, &args, &options);
                if outcome.exit != Exit::Returned {
                    return Err(format!("did not return: {:?}", outcome.exit));
                }
                cycles += outcome.cycles;
                instructions += outcome.instructions;
                last = outcome.cycles;
            }
            let millions = clock.seconds() * 1e6;
            if cycles as f64 / millions > best.0 {
                best = (cycles as f64 / millions, instructions as f64 / millions, last);
            }
        }
        *speed = best.0;
        let name = path.rsplit('/').next().unwrap_or(path);
        println!(
            "{name:24} {} {:7.0} Mcycles/s {:7.0} MIPS ({} cycles a call)",
            if options.zones.is_empty() { "       " } else { "guarded" },
            best.0,
            best.1,
            best.2,
        );
    }
    Ok(speeds)
}

/// Seconds spent on a processor, or by the wall clock where that cannot be had.
struct Clock {
    wall: Instant,
    processor: Option<Duration>,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), processor: processor_time() }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(start), Some(now)) => (now - start).as_secs_f64(),
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// The first field of Linux' `schedstat`: nanoseconds on a processor.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
