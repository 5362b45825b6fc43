//! Random programs, on random budgets, stack limits and guard zones.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Board, CallOptions, Zone};
use pennyweight_riscv::RiscvMachine;
use pennyweight_translate::riscv::TranslatedMachine;
use pennyweight_translate::Engine;

use super::{Compared, Pair};
use crate::random::Random;
use crate::riscv::encode::{addi, i, jal, upper};
use crate::riscv::{stream, virt, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};

/// The boards of random programs: both sets, with and without an instruction cache; one so small that it
/// misses all the time.
#[must_use]
pub fn boards() -> Vec<(Set, Board)> {
    let cache = |size, ways| MemoryTiming::InstructionCache { size, line: 32, ways, miss: 23, data_read: 5 };
    [
        (Set::Rv32ec, MemoryTiming::ZeroWait),
        (Set::Rv32imac, MemoryTiming::ZeroWait),
        (Set::Rv32imac, cache(0x4000, 2)),
        (Set::Rv32imac, cache(0x400, 1)),
        (Set::Rv32imac, cache(0x800, 4)),
    ]
    .map(|(set, timing)| (set, virt(set, timing)))
    .to_vec()
}

pub(super) type Machines = Pair<RiscvMachine, TranslatedMachine>;

/// Both machines with a program in flash, booted.
pub(super) fn machines(board: &Board, bytes: &[u8]) -> Result<Machines, String> {
    let interpreter = RiscvMachine::from_flash(board, bytes, bytes.len(), FLASH_BASE);
    let translator = TranslatedMachine::from_flash(board, bytes, bytes.len(), FLASH_BASE);
    let mut translator = translator.map_err(|error| error.to_string())?;
    translator.processor_mut().set_engine(Engine::Translator);
    let mut pair = Pair { interpreter: interpreter.map_err(|error| error.to_string())?, translator };
    pair.both(|machine| machine.boot(FLASH_BASE + 4, 1000))?;
    Ok(pair)
}

/// Compares registers, the pipeline and RAM.
pub(super) fn same(pair: &mut Machines) -> Result<(), String> {
    let (theirs, ours) = (pair.interpreter.state(), pair.translator.state());
    if theirs != ours {
        return Err(format!("translated: {ours:?}; interpreted: {theirs:?}"));
    }
    pair.same_memory(RAM_BASE, RAM_SIZE)
}

/// A random program as a function, and its bytes with what boots in front of it: the stack pointer is set.
fn function(set: Set, seed: u64, halfwords: usize, passes: u32) -> (u32, Vec<u8>) {
    let stream::Program { bytes, end } = stream::program(set, seed, halfwords, passes);
    let start = [upper(0x37, stream::STACK, RAM_BASE + RAM_SIZE), jal(0, 0)];
    // Instead of a jump to itself: back to the address that calls return to.
    let back = [addi(1, 0, -2), i(0x67, 0, 1, 0)];
    let mut code: Vec<u8> = start.into_iter().flat_map(u32::to_le_bytes).collect();
    let entry = code.len() as u32;
    code.extend(&bytes[..end as usize]);
    code.extend(back.into_iter().flat_map(u32::to_le_bytes));
    (FLASH_BASE + entry, code)
}

/// Runs random programs from `seed` on, with random budgets, stack limits and guard zones, on both machines.
///
/// # Errors
/// They differ: the message names seed and difference.
pub fn random_program(board: &Board, set: Set, seed: u64, compared: &mut Compared) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x7472_616e_736c_6174);
    let halfwords = 100 + random.below(3000) as usize;
    let (entry, code) = function(set, seed, halfwords, 1 + random.below(60));
    let mut pair = machines(board, &code)?;
    let error = |call: usize, what: String| format!("seed {seed}, call {call}: {what}");
    for call in 0..4 {
        let budget = match random.below(4) {
            0 => u64::from(random.below(3000)),
            1 => u64::from(random.below(100_000)),
            _ => 3_000_000,
        };
        let zone = Zone {
            start: RAM_BASE + random.below(RAM_SIZE),
            end: RAM_BASE + random.below(RAM_SIZE),
            no_read: random.once_in(2),
            no_write: random.once_in(2),
        };
        let options = CallOptions {
            budget,
            stack_limit: if random.once_in(4) { RAM_BASE + random.below(RAM_SIZE) } else { 0 },
            zones: if random.once_in(3) { vec![zone] } else { Vec::new() },
        };
        // Now and then in the middle of it.
        let entry =
            if random.once_in(6) { entry + 2 * random.below(code.len() as u32 / 2 - 8) } else { entry };
        let args: Vec<Arg> = (0..6).map(|_| Arg::Pointer(RAM_BASE + random.below(RAM_SIZE))).collect();
        let outcome =
            pair.both(|machine| machine.call(entry, &args, &options)).map_err(|what| error(call, what))?;
        same(&mut pair).map_err(|what| error(call, what))?;
        let translated = pair.translator.processor_mut().blocks() > 0;
        compared.add(&outcome, translated);
        if random.once_in(3) {
            pair.both(|machine| machine.snapshot())?;
        }
        if random.once_in(3) {
            pair.both(|machine| machine.restore())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Compared;
    use super::{boards, random_program};

    #[test]
    fn random_programs_end_as_in_the_interpreter() {
        let mut compared = Compared::default();
        for (set, board) in boards() {
            for seed in 0..4 {
                random_program(&board, set, seed, &mut compared)
                    .unwrap_or_else(|what| panic!("{set:?}: {what}"));
            }
        }
        assert!(compared.translated > compared.calls / 2, "{compared:?}");
        let returned = compared.calls - compared.faults - compared.spent;
        assert!(compared.faults > 5 && compared.spent > 5 && returned > 5, "{compared:?}");
    }
}
