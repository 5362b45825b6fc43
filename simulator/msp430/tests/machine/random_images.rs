//! With any content of flash, a run ends with an outcome: no panic, no hang.

use pennyweight_machine::{Access, Arg, CallOptions, Machine, Observer, Zone};
use pennyweight_msp430::Msp430Machine;

use crate::common::*;

/// Adds up what is reported to it.
#[derive(Default)]
struct Sum {
    cycles: u64,
    instructions: u64,
}

impl Observer for Sum {
    fn access(&mut self, _: u32, _: u32, _: Access) {}

    fn instruction(&mut self, _: u32, _: &str, cycles: u32) {
        self.cycles += u64::from(cycles);
        self.instructions += 1;
    }

    fn called(&mut self, _: u32, _: u32) {}

    fn returned(&mut self, _: u32) {}
}

#[test]
fn random_flash_runs_to_some_end() {
    let mut random = Random(0x1611);
    for round in 0..150 {
        let mut flash: Vec<u8> = (0..0x2000).map(|_| random.next() as u8).collect();
        // Half of the images have jumps and calls with targets in flash.
        if round % 2 == 0 {
            for pair in flash.chunks_exact_mut(4).step_by(5) {
                let target = 0xe000 | random.next() & 0x1ffe;
                pair[..2].copy_from_slice(&(if target & 8 == 0 { 0x4030u16 } else { 0x12b0 }).to_le_bytes());
                pair[2..].copy_from_slice(&target.to_le_bytes());
            }
        }
        let mut m = Msp430Machine::with_flash(&board(), &flash).expect("a good board");
        m.boot(0xe000 | u32::from(random.next() & 0x1ffe), 5_000);
        m.snapshot();
        let zones = vec![Zone { start: 0x1200, end: 0x1300, no_read: true, no_write: round % 3 == 0 }];
        for zones in [Vec::new(), zones] {
            let options = CallOptions { budget: 5_000, stack_limit: 0x1180, zones };
            let args = [Arg::Pointer(0x1400), Arg::U64(7), Arg::Int(-1)];
            let function = 0xe000 | u32::from(random.next() & 0x1ffe);
            let outcome = m.call(function, &args, &options);
            assert!(outcome.cycles < 5_000 + 0x2000 * 6);
            m.restore();
            let mut sum = Sum::default();
            let observed = m.call_observed(function, &args, &options, &mut sum).expect("offered");
            assert_eq!(observed, outcome);
            assert_eq!((sum.cycles, sum.instructions), (outcome.cycles, outcome.instructions));
            m.restore();
        }
    }
}
