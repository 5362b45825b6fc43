//! A traced program on an AVR.

use pennyweight_avr::{AvrMachine, Entry, Run};
use pennyweight_machine::{Exit, FaultKind, Machine as _};

use super::models::Model;
use super::operands::operands;
use super::state::{Instruction, State};
use crate::experiment::Setup;
use crate::traced::{Outside, Position, Receiver, Traceable, START_UP};

/// A program after its start-up.
pub struct AvrProgram {
    machine: AvrMachine,
    model: &'static Model,
    entries: Vec<Entry>,
}

/// A trace.
#[derive(Debug)]
pub struct Running {
    run: Run,
    state: State,
}

impl AvrProgram {
    /// Boots the board.
    ///
    /// # Errors
    /// One sentence.
    pub fn new(setup: &Setup<'_>, model: &'static Model) -> Result<Self, String> {
        let mut machine = AvrMachine::new(setup.board, setup.image).map_err(|error| error.to_string())?;
        if machine.boot(setup.ready, START_UP).exit != Exit::Returned {
            return Err("the start-up code does not end".to_owned());
        }
        let before = setup.before.iter().map(|(function, args)| (*function, args.as_slice()));
        let entries = before
            .chain([(setup.function, setup.args.as_slice())])
            .map(|(function, args)| machine.entry(function, args))
            .collect::<Result<_, _>>()
            .map_err(|fault| format!("the function cannot be called: {}", fault.describe(None)))?;
        Ok(AvrProgram { machine, model, entries })
    }
}

impl Traceable for AvrProgram {
    type State = Running;
    type Instruction = Instruction;

    fn prepare(&mut self, address: u32, bytes: &[u8]) -> Result<(), Outside> {
        self.machine.write(address, bytes).map_err(|_| Outside)
    }

    fn state(&self) -> Running {
        Running { run: self.machine.run_beside(), state: State::default() }
    }

    fn reset(&self, running: &mut Running) {
        running.run.reset(&self.machine);
    }

    fn write(&self, running: &mut Running, address: u32, bytes: &[u8]) {
        running.run.write(&self.machine, address, bytes);
    }

    fn calls(&self) -> usize {
        self.entries.len()
    }

    fn enter(&self, running: &mut Running, call: usize) {
        running.run.enter(&self.entries[call]);
        running.state.clear();
    }

    fn returned(&self, running: &Running) -> bool {
        running.run.returned()
    }

    fn position(&self, running: &Running) -> Position {
        Position { pc: running.run.pc(), stack: running.run.stack_pointer().into() }
    }

    fn return_position(&self, running: &Running) -> Position {
        let stack = running.run.stack_pointer().wrapping_add(2);
        Position { pc: running.run.return_address(), stack: stack.into() }
    }

    fn decode(&self, running: &Running) -> Option<Instruction> {
        let pc = running.run.pc();
        Some(Instruction { pc, operands: operands(&self.machine.op(pc)?) })
    }

    fn address(instruction: &Instruction) -> u32 {
        instruction.pc
    }

    fn is_next(&self, running: &Running, instruction: &Instruction) -> bool {
        running.run.pc() == instruction.pc
    }

    fn step(
        &self,
        running: &mut Running,
        of: &Instruction,
        receiver: &mut impl Receiver,
    ) -> Result<(), FaultKind> {
        running.state.step(of, self.model, &self.machine, &mut running.run, receiver)
    }
}
