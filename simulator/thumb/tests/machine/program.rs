//! Programs of assembly text (see [`super::assembler`]) on a small board.

use super::assembler::assemble;
use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Arg, Board, CallOptions, Exit, Machine as _, Outcome};
use pennyweight_thumb::core::{Core, CortexM0};
use pennyweight_thumb::ThumbMachine;

pub type M0 = ThumbMachine<CortexM0>;

pub const FLASH: u32 = 0x0800_0000;
pub const FLASH_SIZE: u32 = 0x1000;
pub const RAM: u32 = 0x2000_0000;
pub const RAM_SIZE: u32 = 0x1000;
/// Where start-up code ends.
pub const READY: u32 = FLASH + 0x40;
/// The address of the function under test.
pub const FUNCTION: u32 = FLASH + 0x100;

pub fn board(flash: MemoryTiming) -> Board {
    board_with(CortexM0::MODEL, flash)
}

fn board_with(core: &str, flash: MemoryTiming) -> Board {
    let memory =
        |name: &str, kind, base, size, timing| Memory { name: name.into(), kind, base, size, timing };
    Board::plain(
        pennyweight_bundled::core(core),
        vec![
            memory("flash", MemoryKind::Flash, FLASH, FLASH_SIZE, flash),
            memory("sram", MemoryKind::Ram, RAM, RAM_SIZE, MemoryTiming::ZeroWait),
        ],
    )
}

pub const ONE_WAIT_STATE: MemoryTiming = MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 3 };

/// Flash with a vector table, a reset handler that only reaches `READY`, and `code` at `FUNCTION`.
pub fn flash(code: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [RAM + RAM_SIZE, READY | 1] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.resize(0x40, 0);
    bytes.extend(to_bytes(&assemble("b .")));
    bytes.resize(0x100, 0);
    bytes.extend(to_bytes(code));
    bytes
}

/// Halfwords as they lie in memory.
pub fn to_bytes(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|half| half.to_le_bytes()).collect()
}

/// A machine with `code` at `FUNCTION`, booted.
pub fn booted_on(timing: MemoryTiming, code: &str) -> M0 {
    booted_with(timing, code)
}

pub fn booted_with<C: Core>(timing: MemoryTiming, code: &str) -> ThumbMachine<C> {
    let bytes = flash(&assemble(code));
    let mut machine = ThumbMachine::from_flash(&board_with(C::MODEL, timing), &bytes, bytes.len(), 0)
        .expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    machine
}

pub fn booted(code: &str) -> M0 {
    booted_on(MemoryTiming::ZeroWait, code)
}

pub fn options() -> CallOptions {
    CallOptions { budget: 100_000, stack_limit: RAM, zones: Vec::new() }
}

pub fn call(code: &str, args: &[Arg]) -> Outcome {
    booted(code).call(FUNCTION, args, &options())
}

/// Cycles of a call of `code` beyond those without wait states, in the first call and in the second.
pub fn stalls<C: Core>(timing: MemoryTiming, code: &str, args: &[Arg]) -> (u64, u64) {
    let without = booted_with::<C>(MemoryTiming::ZeroWait, code).call(FUNCTION, args, &options()).cycles;
    let mut slow = booted_with::<C>(timing, code);
    let mut more = || {
        let outcome = slow.call(FUNCTION, args, &options());
        assert_eq!(outcome.exit, Exit::Returned);
        outcome.cycles - without
    };
    (more(), more())
}
