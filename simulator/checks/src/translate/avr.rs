//! The boards with an AVR.

use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Board, Exit, Machine, MemoryKind};
use pennyweight_translate::marked::Marked;

use super::subjects::{marked, Function, Machines, Subject};
use super::Driven;
use crate::avr::function::{function, Part};

/// The boards.
const BOARDS: [&str; 6] = ["atmega328p", "atmega128", "attiny85", "atmega4809", "attiny1614", "avr128da48"];
/// The word where functions begin. Start-up is over at the first word, where it begins.
const ENTRY: usize = 1;

/// An AVR on a bundled board.
#[derive(Clone, Debug)]
pub struct AvrSubject {
    board: Board,
    part: Part,
}

impl AvrSubject {
    /// All of them.
    #[must_use]
    pub fn all() -> Vec<AvrSubject> {
        BOARDS.into_iter().map(|name| AvrSubject::new(pennyweight_bundled::board(name))).collect()
    }

    fn new(board: Board) -> AvrSubject {
        let data = |address: u32| (address - 0x80_0000) as u16;
        let ram = board.memory(MemoryKind::Ram).map_or(0..0, |ram| data(ram.base)..data(ram.end() as u32));
        let flash = board.memory(MemoryKind::Flash).map_or(0, |flash| flash.size);
        let is_window = |base: u32| base >= 0x80_0000;
        let window = board
            .memories
            .iter()
            .find(|memory| memory.kind == MemoryKind::Flash && is_window(memory.base))
            .map(|memory| data(memory.base));
        let has = |name: &str| {
            board.all_extensions().is_ok_and(|all| all.iter().any(|extension| extension == name))
        };
        let part = Part { ram, words: flash / 2, window, mul: has("mul"), jmp: has("jmp") };
        AvrSubject { board, part }
    }
}

impl Driven for AvrMachine {
    fn machine(&mut self) -> &mut dyn Machine {
        self
    }
}

impl Subject for AvrSubject {
    type Interpreter = AvrMachine;
    type Translator = Marked<AvrMachine>;

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        0
    }

    fn ram(&self) -> (u32, u32) {
        let ram = &self.part.ram;
        (0x80_0000 + u32::from(ram.start), (ram.end - ram.start).into())
    }

    fn function(&self, code: &[u8]) -> Function {
        let bytes = [&[0; 2 * ENTRY], code].concat();
        Function { entry: 2 * ENTRY as u32, bytes }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let words = function(&self.part, seed, ENTRY, halfwords, passes);
        Function { entry: 2 * ENTRY as u32, bytes: words.into_iter().flat_map(u16::to_le_bytes).collect() }
    }

    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        let machine = || AvrMachine::with_flash(&self.board, bytes).map_err(|error| error.to_string());
        let mut pair = marked(machine()?, machine()?);
        pair.both(|machine| machine.boot(0, 1000))?;
        Ok(pair)
    }

    fn same_state(pair: &mut Machines<Self>, _: &Exit) -> Result<(), String> {
        let (theirs, ours) = (pair.interpreter.registers(), pair.translator.inner().registers());
        if theirs != ours {
            return Err(format!("translated: {ours:?}; interpreted: {theirs:?}"));
        }
        Ok(())
    }
}
