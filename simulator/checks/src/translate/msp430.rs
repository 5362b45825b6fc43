//! The boards with an MSP430.

use std::marker::PhantomData;

use pennyweight_machine::{Board, Exit, Machine};
use pennyweight_msp430::translator::{Cpu, HardwareMultiplier as _};
use pennyweight_msp430::Microcontroller;
use pennyweight_translate::marked::Marked;

use super::subjects::{marked, Function, Machines, Subject};
use super::Driven;
use crate::msp430::function::function;
use crate::msp430::{self, Set, FLASH};

/// Where start-up code begins, which sets the stack pointer and ends 4 bytes on.
const START: u16 = 0xffd0;

/// An MSP430 with this CPU.
#[derive(Clone, Debug)]
pub struct Msp430Subject<X> {
    set: Set,
    board: Board,
    cpu: PhantomData<X>,
}

impl<X: Cpu> Msp430Subject<X> {
    /// With memories that do not wait.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let set = if X::PERIPHERALS_END > 0x200 { Set::Cpux } else { Set::Original };
        vec![Msp430Subject { set, board: msp430::board(set), cpu: PhantomData }]
    }
}

impl<X: Cpu> Driven for Microcontroller<X> {
    fn machine(&mut self) -> &mut dyn Machine {
        self
    }
}

impl<X: Cpu> Subject for Msp430Subject<X> {
    type Interpreter = Microcontroller<X>;
    type Translator = Marked<Microcontroller<X>>;

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        FLASH.into()
    }

    fn ram(&self) -> (u32, u32) {
        let (start, end) = self.set.ram();
        (start.into(), (end - start).into())
    }

    fn function(&self, code: &[u8]) -> Function {
        Function { entry: FLASH.into(), bytes: code.to_vec() }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let words = function(self.set, seed, halfwords, passes);
        Function { entry: FLASH.into(), bytes: words.into_iter().flat_map(u16::to_le_bytes).collect() }
    }

    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        let mut flash = vec![0xff; 0x1_0000 - usize::from(FLASH)];
        let start = usize::from(START - FLASH);
        let program = flash.get_mut(..bytes.len()).filter(|program| program.len() <= start);
        program.ok_or("the program is too long")?.copy_from_slice(bytes);
        // MOV #x, SP, and the reset vector.
        let words = [(start, 0x4031), (start + 2, self.set.ram().1), (usize::from(0xfffe - FLASH), START)];
        for (at, word) in words {
            flash[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
        let machine = || Microcontroller::with_flash(&self.board, &flash).map_err(|error| error.to_string());
        let mut pair = marked(machine()?, machine()?);
        pair.both(|machine| machine.boot(u32::from(START) + 4, 1000))?;
        Ok(pair)
    }

    fn same_state(pair: &mut Machines<Self>, _: &Exit) -> Result<(), String> {
        let state = |machine: &Microcontroller<X>| {
            let multiplier = X::Multiplier::ADDRESSES.step_by(2).map(|address| machine.multiplier(address));
            let peripherals = &machine.memory()[..X::PERIPHERALS_END as usize];
            (machine.registers(), multiplier.collect::<Vec<u16>>(), peripherals.to_vec())
        };
        let (theirs, ours) = (state(&pair.interpreter), state(pair.translator.inner()));
        if theirs != ours {
            return Err(format!("translated: {ours:x?}; interpreted: {theirs:x?}"));
        }
        Ok(())
    }
}
