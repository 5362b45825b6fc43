//! Whatever flash holds: an outcome, never a panic, never a hang.

mod common;

use common::{board, DATA};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Arg, CallOptions, Image, Machine, Zone};

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn coin(&mut self) -> bool {
        self.next() >> 63 == 0
    }

    fn bytes(&mut self, size: usize) -> Vec<u8> {
        (0..size.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).take(size).collect()
    }
}

/// Drives a machine in every way that the trait offers, with addresses and limits at random.
fn drive(machine: &mut AvrMachine, random: &mut Random) {
    machine.boot(random.next() as u32 & 0xfffe, 5_000);
    machine.snapshot();
    for _ in 0..20 {
        let zone = Zone {
            start: DATA + (random.next() as u32 & 0xfff),
            end: DATA + (random.next() as u32 & 0xfff),
            no_read: random.coin(),
            no_write: random.coin(),
        };
        let options = CallOptions {
            budget: 5_000,
            stack_limit: DATA + (random.next() as u32 & 0x3ff),
            zones: if random.coin() { vec![zone] } else { Vec::new() },
        };
        let args: Vec<Arg> = (0..random.next() % 12).map(|_| Arg::U64(random.next())).collect();
        let outcome = machine.call(random.next() as u32 & 0x7fff, &args, &options);
        // The longest straight line is one pass through flash.
        assert!(outcome.cycles < 5_000 + 4 * 0x1_0000, "{outcome:?}");
        assert!(outcome.stack <= 0x1000, "{outcome:?}");
        let mut bytes = [0; 16];
        let _ = machine.read(random.next() as u32 & 0x80_ffff, &mut bytes);
        let _ = machine.write(DATA + (random.next() as u32 & 0xfff), &bytes);
    }
    machine.restore();
}

#[test]
fn random_flash() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..24 {
        let kilobytes = if round % 3 == 0 { 128 } else { 32 };
        let size = random.next() as usize % (kilobytes as usize * 1024 + 1);
        let flash = random.bytes(size);
        let mut machine = AvrMachine::with_flash(&board(kilobytes), &flash).expect("a good board");
        drive(&mut machine, &mut random);
    }
}

/// As an ELF file: random bytes, and a good file with random changes, loaded when it still parses.
#[test]
fn random_images() {
    let good = include_bytes!("../../machine/tests/data/lines.elf");
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut loaded = 0;
    for round in 0..160 {
        let mut file = good.to_vec();
        if round % 10 == 0 {
            let size = random.next() as usize % 4096;
            file = random.bytes(size);
        }
        for _ in 0..1 + random.next() % 6 {
            let at = random.next() as usize % file.len().max(1);
            if let Some(byte) = file.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        let Ok(image) = Image::parse(&file) else { continue };
        if let Ok(mut machine) = AvrMachine::new(&board(32), &image) {
            loaded += 1;
            if loaded % 8 == 0 {
                drive(&mut machine, &mut random);
            }
        }
    }
    assert!(loaded > 30, "most damage leaves a file that loads");
}
