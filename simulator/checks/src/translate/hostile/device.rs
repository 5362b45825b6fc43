//! Programs that read registers of a random number generator: code is left in front of these reads, also if it was
//! translated before it was known that they read a device.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Exit, RandomSource};
use pennyweight_thumb::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM33, CortexM4};
use pennyweight_thumb::run::State;
use pennyweight_thumb::Thumb;
use pennyweight_translate::processor::Guest;

use super::super::subjects::{Subject as _, ThumbSubject};
use super::thumb::{counted, ldr, EQ};
use super::{assert_ended, Ended, BUDGET};
use crate::thumb::encode::{add, adds, b, b_if, lsls, mov, movs, subs};

const GENERATOR: RandomSource = RandomSource {
    status: 0x4000_0000,
    ready: 1,
    data: 0x4000_0004,
    bits: 32,
    cycles: 40,
    acknowledge: false,
};

const SP: u16 = 13;
/// `EORS r3, r2`.
const EORS_R3_R2: u16 = 0x4053;

/// R4 and R5 point to the generator's registers.
fn registers() -> Vec<u16> {
    vec![movs(4, 0x40), lsls(4, 4, 24), mov(5, 4), adds(5, 4)]
}

/// Compares code on cores of each kind, with all memories.
#[track_caller]
fn assert_returns(mut code: Vec<u16>) {
    // R0 counts down from 510.
    code[2] = lsls(0, 0, 1);
    fn all<C: Core>(code: &[u8]) -> Vec<Ended>
    where
        Thumb<C>: Guest<State = State>,
    {
        let subjects = ThumbSubject::<C>::all().into_iter().map(|subject| subject.with_random(GENERATOR));
        let ended = subjects.map(|subject| {
            let ended = super::compare(&subject, code, BUDGET);
            // Behind the read, a prefetch buffer may be in a state that no translated code begins with.
            let least = if matches!(subject.board().memories[0].timing, MemoryTiming::Prefetch { .. }) {
                0
            } else {
                250
            };
            assert!(ended.runs > least, "given up: {ended:?} on {:?}", subject.board());
            ended
        });
        ended.collect()
    }
    let bytes: Vec<u8> = code.iter().copied().flat_map(u16::to_le_bytes).collect();
    let ended = [
        all::<CortexM0>(&bytes),
        all::<CortexM0Plus>(&bytes),
        all::<CortexM3>(&bytes),
        all::<CortexM4>(&bytes),
        all::<CortexM33>(&bytes),
    ];
    assert_ended(&ended.concat(), |exit| *exit == Exit::Returned);
}

#[test]
fn code_that_polls_a_generator_is_translated() {
    let body = |again| vec![ldr(1, 4), lsls(1, 1, 0), b_if(EQ, again + 2, again), ldr(2, 5), add(3, 2)];
    assert_returns(counted(&registers(), body));
}

#[test]
fn a_load_reads_ram_until_it_reads_a_generator() {
    // R6 is a pointer into RAM, and from the 250th time on that of R5.
    let start = [registers(), vec![mov(6, SP), subs(6, 8), movs(7, 125), lsls(7, 7, 1)]].concat();
    let body = |again| {
        let same = vec![ldr(2, 6), EORS_R3_R2, subs(7, 1), b_if(EQ, again + 3, again + 5)];
        [same, vec![b(again + 4, again + 6), mov(6, 5)]].concat()
    };
    assert_returns(counted(&start, body));
}
