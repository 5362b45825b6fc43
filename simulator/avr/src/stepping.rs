//! Runs for the check for leakage: an instruction at a time, with its accesses
//! and what they loaded and overwrote.

use std::cell::RefCell;

use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::Noting;
use pennyweight_machine::{Access, Arg, FaultKind, Machine as _};

use crate::cpu::{io, slot, Stack, DATA, DATA_BASE, REGISTERS};
use crate::execute::{run, Bounds, State, Stop, SENTINEL};
use crate::flags::Flags;
use crate::machine::AvrMachine;
use crate::op::Op;

/// The state with which a call begins.
#[derive(Clone, Debug)]
pub struct Entry {
    registers: [u8; REGISTERS],
    stack: Stack,
    /// The bytes of the stack: return address and arguments.
    bytes: Vec<u8>,
    pc: usize,
}

/// An access to data space or flash, of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Its ELF address.
    pub address: u32,
    /// Is it a store?
    pub store: bool,
    /// Is it an access to SRAM?
    pub sram: bool,
    /// What was loaded or stored.
    pub data: u8,
    /// The content before a store.
    pub old: u8,
}

/// A run of a machine's program.
pub struct Run {
    state: State,
    /// Data space before the current instruction.
    shadow: Box<[u8; DATA]>,
    noted: RefCell<Vec<pennyweight_machine::observe::Accessed>>,
    accesses: Vec<Accessed>,
    /// The stack pointer after the call has returned.
    top: u32,
    returned: bool,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("pc", &self.pc()).finish_non_exhaustive()
    }
}

impl AvrMachine {
    /// The state with which a call begins.
    ///
    /// # Errors
    /// There is no such function, or no room for the arguments.
    pub fn entry(&mut self, function: u32, args: &[Arg]) -> Result<Entry, FaultKind> {
        let top = (self.stack_top() - DATA_BASE) as usize;
        self.snapshot();
        let entered = self.enter(function, args, 0).map(|()| {
            let State { data, stack, pc, .. } = &self.state;
            let mut registers = [0; REGISTERS];
            registers.copy_from_slice(&data[..REGISTERS]);
            let bytes = data[usize::from(stack.pointer) + 1..=top].to_vec();
            Entry { registers, stack: *stack, bytes, pc: *pc }
        });
        self.restore();
        entered
    }

    /// A run from the machine's memories, before any call.
    #[must_use]
    pub fn run_beside(&self) -> Run {
        Run {
            state: self.state.clone(),
            shadow: self.state.data.clone(),
            noted: RefCell::default(),
            accesses: Vec::new(),
            top: 0,
            returned: true,
        }
    }

    /// The instruction at an address; `None` outside of the program.
    #[must_use]
    pub fn op(&self, pc: u32) -> Option<Op> {
        let op = *self.program.ops.get(pc as usize / 2)?;
        (op != Op::OUTSIDE).then_some(op)
    }

    /// What the instruction at an address does, inferred by executing it on generated values: takes
    /// milliseconds.
    #[must_use]
    pub fn effects(&self, pc: u32) -> pennyweight_machine::effects::Effects {
        let mut known = crate::effects::InstructionEffects::new();
        let pc = pc as usize / 2;
        let found = if self.xt() { known.at::<true>(self, pc) } else { known.at::<false>(self, pc) };
        (*found).clone()
    }
}

impl Run {
    /// Begins again.
    pub fn reset(&mut self, machine: &AvrMachine) {
        self.state.clone_from(&machine.state);
        self.shadow.copy_from_slice(&machine.state.data[..]);
        self.returned = true;
    }

    /// Begins a call.
    pub fn enter(&mut self, entry: &Entry) {
        let start = usize::from(entry.stack.pointer) + 1;
        for data in [&mut self.state.data, &mut self.shadow] {
            data[..REGISTERS].copy_from_slice(&entry.registers);
            data[start..start + entry.bytes.len()].copy_from_slice(&entry.bytes);
        }
        self.state.flags = Flags::from_sreg(0);
        self.state.stack = entry.stack;
        self.state.pc = entry.pc;
        self.top = u32::from(entry.stack.pointer) + 2;
        self.returned = false;
    }

    /// Writes to SRAM; bytes outside of it are ignored.
    pub fn write(&mut self, machine: &AvrMachine, address: u32, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            let Some(place) = address.checked_sub(DATA_BASE).and_then(|at| u16::try_from(at).ok()) else {
                continue;
            };
            if machine.map.sram.contains(place) {
                self.state.data[usize::from(place)] = byte;
                self.shadow[usize::from(place)] = byte;
            }
        }
    }

    /// Has the call returned?
    #[must_use]
    pub fn returned(&self) -> bool {
        self.returned
    }

    /// The address of the next instruction.
    #[must_use]
    pub fn pc(&self) -> u32 {
        2 * self.state.pc as u32
    }

    /// The stack pointer.
    #[must_use]
    pub fn stack_pointer(&self) -> u16 {
        self.state.stack.pointer
    }

    /// The return address on top of the stack.
    #[must_use]
    pub fn return_address(&self) -> u32 {
        let byte = |above: u16| self.state.data[usize::from(self.state.stack.pointer.wrapping_add(above))];
        2 * u32::from(u16::from_be_bytes([byte(1), byte(2)]))
    }

    /// The registers.
    #[must_use]
    pub fn registers(&self) -> [u8; REGISTERS] {
        let mut registers = [0; REGISTERS];
        registers.copy_from_slice(&self.state.data[..REGISTERS]);
        registers
    }

    /// C.
    #[must_use]
    pub fn carry(&self) -> bool {
        self.state.flags.c & 1 != 0
    }

    /// The accesses of the last instruction.
    #[must_use]
    pub fn accesses(&self) -> &[Accessed] {
        &self.accesses
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// Its fault.
    pub fn step(&mut self, machine: &AvrMachine) -> Result<(), FaultKind> {
        let guard = Guard::default();
        self.noted.borrow_mut().clear();
        let bounds = Bounds { map: machine.map, cycles: 1 << 31, top: self.top };
        let watch = Noting::new(&guard, &self.noted);
        let step = if machine.xt() { run::<_, true, true> } else { run::<_, false, true> };
        let (stop, _) = step(&machine.program, &machine.program.ops, &mut self.state, watch, &bounds);
        match stop {
            Stop::Fault(kind, _) => return Err(kind),
            Stop::Done => {
                self.returned = true;
                self.state.pc = usize::from(SENTINEL);
            }
            Stop::Stepped | Stop::Cycles => {}
        }
        self.accesses.clear();
        for &(address, _, access) in self.noted.borrow().iter() {
            let store = access == Access::Write;
            let accessed = match address.checked_sub(DATA_BASE) {
                Some(at) => accessed(machine, &self.state, &mut self.shadow, at as u16, store),
                None => {
                    let data = machine.program.flash.get(address as usize).copied().unwrap_or(0xff);
                    Accessed { address, store, sram: false, data, old: data }
                }
            };
            self.accesses.push(accessed);
        }
        Ok(())
    }
}

/// An access to data space that was made.
fn accessed(machine: &AvrMachine, state: &State, shadow: &mut [u8; DATA], at: u16, store: bool) -> Accessed {
    let address = DATA_BASE + u32::from(at);
    let slot = slot(machine.xt(), at);
    // Registers change without accesses: what the shadow has of them is old.
    if slot < REGISTERS {
        shadow[slot] = state.data[slot];
    }
    let old = shadow[slot];
    if store {
        shadow[slot] = state.data[slot];
    }
    let usual = if machine.xt() { at.wrapping_add(0x20) } else { at };
    let is_io = u32::from(at) < machine.map.io_end;
    let data = match usual {
        io::SPL if is_io => state.stack.pointer.to_le_bytes()[0],
        io::SPH if is_io => state.stack.pointer.to_le_bytes()[1],
        io::SREG if is_io => state.flags.sreg(),
        _ if store => state.data[slot],
        _ => old,
    };
    Accessed { address, store, sram: machine.map.sram.contains(at), data, old }
}

#[cfg(test)]
mod tests {
    use pennyweight_machine::Arg;

    use super::{Accessed, AvrMachine, Run};

    fn machine(board: &str, words: &[u16]) -> AvrMachine {
        let flash: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        AvrMachine::with_flash(&pennyweight_bundled::board(board), &flash).expect("a good board")
    }

    fn entered(machine: &mut AvrMachine, args: &[Arg]) -> Run {
        let entry = machine.entry(0, args).expect("a function");
        let mut run = machine.run_beside();
        assert!(run.returned());
        run.enter(&entry);
        run
    }

    fn at(address: u32, store: bool, data: u8, old: u8) -> Accessed {
        Accessed { address, store, sram: true, data, old }
    }

    #[test]
    fn accesses_show_what_they_load_and_overwrite() {
        // st X+, r24; st X, r25; ld r2, -X; lpm r3, Z; ret
        let mut machine = machine("atmega328p", &[0x938d, 0x939c, 0x902e, 0x9034, 0x9508]);
        let mut run = entered(&mut machine, &[Arg::Int(0x1234)]);
        run.write(&machine, 0x80_0200, &[7, 8]);
        run.write(&machine, 0x80_0010, &[9]);
        run.state.data[26..28].copy_from_slice(&[0x00, 0x02]);
        let mut seen = Vec::new();
        for _ in 0..4 {
            assert_eq!(run.step(&machine), Ok(()));
            seen.extend_from_slice(run.accesses());
        }
        assert_eq!(
            seen,
            [
                at(0x80_0200, true, 0x34, 7),
                at(0x80_0201, true, 0x12, 8),
                at(0x80_0200, false, 0x34, 0x34),
                Accessed { address: 0, store: false, sram: false, data: 0x8d, old: 0x8d },
            ]
        );
        assert_eq!((run.registers()[2], run.registers()[3], run.registers()[16]), (0x34, 0x8d, 0));
        assert!(!run.returned());
        assert_eq!(run.step(&machine), Ok(()));
        assert!(run.returned());
        // The next trace begins with what the machine has.
        run.reset(&machine);
        let entry = machine.entry(0, &[Arg::Int(1)]).expect("a function");
        run.enter(&entry);
        run.state.data[26..28].copy_from_slice(&[0x00, 0x02]);
        assert_eq!((run.step(&machine), run.accesses()), (Ok(()), &[at(0x80_0200, true, 1, 0)][..]));
    }

    #[test]
    fn calls_push_their_return_addresses() {
        // rcall +1; ret; ret; on AVRe and AVRxt
        for board in ["atmega328p", "atmega4809"] {
            let mut machine = machine(board, &[0xd001, 0x9508, 0x9508]);
            let mut run = entered(&mut machine, &[]);
            let outer = u32::from(run.stack_pointer());
            assert_eq!(run.step(&machine), Ok(()));
            assert_eq!((run.pc(), run.return_address()), (4, 2), "{board}");
            let pushed: Vec<_> = run.accesses().iter().map(|each| (each.address, each.data)).collect();
            assert_eq!(pushed, [(0x80_0000 + outer, 1), (0x80_0000 + outer - 1, 0)], "{board}");
            assert_eq!((run.step(&machine), run.pc(), run.returned()), (Ok(()), 2, false), "{board}");
            assert_eq!((run.step(&machine), run.returned()), (Ok(()), true), "{board}");
        }
    }

    #[test]
    fn the_stack_pointer_and_sreg_are_read_from_where_they_are() {
        // in r28, SPL; sec; in r0, SREG: at their addresses on AVRe and AVRxt
        for (board, spl, sreg) in [("atmega328p", 0x80_005d, 0x80_005f), ("atmega4809", 0x80_003d, 0x80_003f)]
        {
            let mut machine = machine(board, &[0xb7cd, 0x9408, 0xb60f]);
            let mut run = entered(&mut machine, &[]);
            let low = run.stack_pointer().to_le_bytes()[0];
            let mut seen = Vec::new();
            for _ in 0..3 {
                assert_eq!(run.step(&machine), Ok(()));
                seen.extend(run.accesses().iter().map(|each| (each.address, each.data, each.sram)));
            }
            assert_eq!(seen, [(spl, low, false), (sreg, 1, false)], "{board}");
            assert!(run.carry());
        }
    }

    #[test]
    fn faults_and_ops_outside_are_reported() {
        let mut machine = machine("atmega328p", &[0x9598]); // break
        let mut run = entered(&mut machine, &[]);
        assert!(run.step(&machine).is_err());
        assert!(machine.op(0).is_some() && machine.op(1 << 16).is_none() && machine.op(1 << 20).is_none());
        assert!(machine.entry(1, &[]).is_err());
    }
}
