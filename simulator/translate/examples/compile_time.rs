//! Temporary.
use pennyweight_machine::{Arg, CallOptions, Image, Machine};
use pennyweight_translate::{riscv::TranslatedMachine, Engine};
use std::time::Instant;
fn main() {
    let mut args = std::env::args().skip(1);
    let board = pennyweight_bundled::board_at(std::path::Path::new(&args.next().unwrap())).unwrap();
    for path in args {
        let file = std::fs::read(&path).unwrap();
        let image = Image::parse(&file).unwrap();
        let s = |n: &str| image.symbol(n).map(|s| s.address);
        let t0 = Instant::now();
        let mut m = TranslatedMachine::new(&board, &image).unwrap();
        m.processor_mut().set_engine(Engine::Translator);
        m.boot(s("pw_ready").unwrap(), 10_000_000);
        let input = s("pw_static_end").unwrap().next_multiple_of(16);
        let out = input + 512;
        let at = |o| Arg::Pointer(out + 512 + o);
        let (f, a) = match s("crypto_hash") {
            Some(h) => (h, vec![Arg::Pointer(out), Arg::Pointer(input), Arg::U64(512)]),
            None => (
                s("crypto_aead_encrypt").unwrap(),
                vec![
                    Arg::Pointer(out),
                    at(128),
                    Arg::Pointer(input),
                    Arg::U64(512),
                    Arg::Pointer(input),
                    Arg::U64(16),
                    Arg::Pointer(0),
                    at(96),
                    at(64),
                ],
            ),
        };
        let o = CallOptions { budget: 1 << 40, stack_limit: out + 768, zones: vec![] };
        let t1 = Instant::now();
        let mut times = vec![];
        let mut c = 0;
        for _ in 0..12 {
            let t = Instant::now();
            c = m.call(f, &a, &o).cycles;
            times.push(format!("{:.2}", t.elapsed().as_secs_f64() * 1e3));
        }
        println!(
            "{path}: setup {:?}, {} blocks, {c} cycles, calls in ms {}",
            t1 - t0,
            m.processor_mut().blocks(),
            times.join(" ")
        );
    }
}
