//! Translated code against the interpreter: equal in every field of the outcome, and in what is left in
//! registers, memory, branch prediction and cache, which later calls show.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Board, CallOptions, Exit, Machine, Outcome, Zone};
use pennyweight_riscv::RiscvMachine;
use pennyweight_translate::riscv::TranslatedMachine;
use pennyweight_translate::Engine;

use crate::random::Random;
use crate::riscv::encode::{addi, i, jal, upper};
use crate::riscv::{stream, virt, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};

/// Calls compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All of them.
    pub calls: u64,
    /// Those that faulted.
    pub faults: u64,
    /// Those that used their budget up.
    pub spent: u64,
    /// Those whose machine has translated code.
    pub translated: u64,
}

impl Compared {
    /// Counts a call.
    pub fn add(&mut self, outcome: &Outcome, translated: bool) {
        self.calls += 1;
        self.translated += u64::from(translated);
        match outcome.exit {
            Exit::Returned => {}
            Exit::Fault(_) => self.faults += 1,
            Exit::OutOfCycles { .. } => self.spent += 1,
        }
    }
}

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

/// Both machines with the same program.
struct Pair {
    interpreter: RiscvMachine,
    translator: TranslatedMachine,
}

impl Pair {
    /// With a program in flash, booted.
    fn new(board: &Board, bytes: &[u8]) -> Result<Pair, String> {
        let interpreter = RiscvMachine::from_flash(board, bytes, bytes.len(), FLASH_BASE);
        let translator = TranslatedMachine::from_flash(board, bytes, bytes.len(), FLASH_BASE);
        let mut translator = translator.map_err(|error| error.to_string())?;
        translator.processor_mut().set_engine(Engine::Translator);
        let mut pair = Pair { interpreter: interpreter.map_err(|error| error.to_string())?, translator };
        pair.both(|machine| machine.boot(FLASH_BASE + 4, 1000))?;
        Ok(pair)
    }

    /// Does the same to both machines.
    fn both<R: PartialEq + std::fmt::Debug>(
        &mut self,
        mut act: impl FnMut(&mut dyn Machine) -> R,
    ) -> Result<R, String> {
        let (theirs, ours) = (act(&mut self.interpreter), act(&mut self.translator));
        if ours == theirs {
            Ok(ours)
        } else {
            Err(format!("translated: {ours:?}; interpreted: {theirs:?}"))
        }
    }

    /// Compares registers, the pipeline and RAM.
    fn same(&mut self) -> Result<(), String> {
        let (theirs, ours) = (self.interpreter.state(), self.translator.state());
        if theirs != ours {
            return Err(format!("translated: {ours:?}; interpreted: {theirs:?}"));
        }
        self.both(|machine| {
            let mut ram = vec![0; RAM_SIZE as usize];
            let read = machine.read(RAM_BASE, &mut ram);
            // Only a hash is printed if they differ.
            let hash = ram.iter().fold(0u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
            (read.is_ok(), hash)
        })
        .map(drop)
    }
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
    let mut pair = Pair::new(board, &code)?;
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
        let entry = if random.once_in(6) { entry + 2 * random.below(code.len() as u32 / 2 - 8) } else { entry };
        let args: Vec<Arg> = (0..6).map(|_| Arg::Pointer(RAM_BASE + random.below(RAM_SIZE))).collect();
        let outcome =
            pair.both(|machine| machine.call(entry, &args, &options)).map_err(|what| error(call, what))?;
        pair.same().map_err(|what| error(call, what))?;
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
    use super::{boards, random_program, Compared};

    #[test]
    fn random_programs_end_as_in_the_interpreter() {
        let mut compared = Compared::default();
        for (set, board) in boards() {
            for seed in 0..12 {
                random_program(&board, set, seed, &mut compared).unwrap_or_else(|what| panic!("{set:?}: {what}"));
            }
        }
        assert!(compared.translated > compared.calls / 2, "{compared:?}");
        let returned = compared.calls - compared.faults - compared.spent;
        assert!(compared.faults > 10 && compared.spent > 10 && returned > 100, "{compared:?}");
    }
}
