//! A simulated AVR with an image loaded.

use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Access, Architecture, Arg, Board, BoardError, CallOptions, Exit, Fault, FaultKind, Image, LoadError,
    Machine, MemoryKind, Observer, OutOfMap, Outcome, Zone,
};

use crate::abi;
use crate::cpu::{Map, Range, Stack, DATA_BASE, LOW_IO, REGISTERS};
use crate::decode::SPACE;
use crate::execute::{run, Bounds, State, Stop, NO_CALLER, SENTINEL};
use crate::flags::Flags;
use crate::fuse::marked;
use crate::layout::Layout;
use crate::op::Op;
use crate::program::{Program, INSTRUCTION};
use crate::timing::Core;

/// Sections for EEPROM, fuses, lock bits and signature lie from here on; they are not in flash.
const OTHER_MEMORIES: u32 = 0x81_0000;
/// Cycles of one run of the loop, which counts in 32 bits; a call is as many runs as it takes.
const SLICE: u64 = 1 << 31;

/// A simulated AVR.
pub struct AvrMachine {
    pub(crate) program: Program,
    pub(crate) state: State,
    saved: State,
    pub(crate) map: Map,
    core: Core,
    /// SP at which a call starts.
    top: u16,
    /// [`SLICE`], except in tests.
    slice: u64,
}

impl AvrMachine {
    /// Puts core, memories and image together; all but the image is erased or zero.
    ///
    /// # Errors
    /// A board that no AVR with a 16-bit program counter is like, or an image that is for another
    /// machine or does not fit its flash.
    pub fn new(board: &Board, image: &Image) -> Result<AvrMachine, LoadError> {
        image.require(Architecture::Avr)?;
        let flash = board.memory(MemoryKind::Flash).map_or(Ok(Vec::new()), |flash| {
            image.flash_bytes(flash, |segment| segment.address < OTHER_MEMORIES)
        })?;
        Ok(AvrMachine::with_flash(board, &flash)?)
    }

    /// As `new`, with the first bytes of flash instead of an image.
    ///
    /// # Errors
    /// A board that no AVR with a 16-bit program counter is like.
    pub fn with_flash(board: &Board, bytes: &[u8]) -> Result<AvrMachine, BoardError> {
        let Layout { core, flash, map } = Layout::of(board)?;
        let mut contents = vec![0xff; flash as usize];
        let size = bytes.len().min(contents.len());
        contents[..size].copy_from_slice(&bytes[..size]);
        let mut data = crate::boxed(0);
        let Range { base, size } = map.flash;
        data[base as usize..(base + size) as usize].copy_from_slice(&contents[..size as usize]);
        let top = (map.sram.end() - 1) as u16;
        let state =
            State { data, flags: Flags::from_sreg(0), stack: Stack::new(top, StackWatch::default()), pc: 0 };
        Ok(AvrMachine {
            program: Program::new(contents, core),
            saved: state.clone(),
            state,
            map,
            core,
            top,
            slice: SLICE,
        })
    }

    /// Permissions of SRAM.
    pub(crate) fn guard(&self, zones: &[Zone]) -> Guard {
        Guard::new(DATA_BASE + self.map.sram.base, self.map.sram.size as usize, zones)
    }

    /// Is data space laid out as on AVRxt?
    pub(crate) fn xt(&self) -> bool {
        !self.core.maps_registers
    }

    /// Runs from the current state to the end of `budget`. `top`: see [`Bounds`].
    pub(crate) fn run(&mut self, ops: Ops, zones: Option<&Guard>, budget: u64, top: u32) -> Outcome {
        match (zones, self.xt()) {
            (None, false) => self.run_as::<Free, false>(&ops, Free, budget, top),
            (None, true) => self.run_as::<Free, true>(&ops, Free, budget, top),
            (Some(guard), false) => self.run_as::<&Guard, false>(&ops, guard, budget, top),
            (Some(guard), true) => self.run_as::<&Guard, true>(&ops, guard, budget, top),
        }
    }

    fn run_as<W: Watch, const XT: bool>(&mut self, ops: &Ops, watch: W, budget: u64, top: u32) -> Outcome {
        let ops: &[Op; SPACE] = match ops {
            Ops::Program => &self.program.fused,
            Ops::Marked(marked) => marked,
        };
        let mut outcome = Outcome::of(Exit::Returned);
        loop {
            let bounds =
                Bounds { map: self.map, cycles: (budget - outcome.cycles).min(self.slice) as u32, top };
            let (stop, spent) = run::<W, XT, false>(&self.program, ops, &mut self.state, watch, &bounds);
            outcome.cycles += spent % INSTRUCTION;
            outcome.instructions += spent / INSTRUCTION;
            outcome.exit = match stop {
                Stop::Done | Stop::Stepped => Exit::Returned,
                Stop::Fault(kind, pc) => Exit::Fault(Fault { kind, pc: 2 * pc as u32 }),
                Stop::Cycles if outcome.cycles < budget => continue,
                Stop::Cycles => Exit::OutOfCycles { pc: 2 * self.state.pc as u32 },
            };
            break;
        }
        outcome.stack = self.state.stack.watch.high_water();
        outcome.result = abi::result(&self.state.data[..REGISTERS]);
        outcome
    }

    /// Prepares a call; a fault if there is no stack for it or no such function.
    pub(crate) fn enter(&mut self, function: u32, args: &[Arg], limit: u32) -> Result<(), FaultKind> {
        let layout = abi::layout(args);
        let limit = limit.saturating_sub(DATA_BASE).max(self.map.sram.base);
        // Arguments on the stack are the caller's; they lie above what is watched.
        let size = layout.stack.len() as u32;
        let pointer = u32::from(self.top).wrapping_sub(size);
        if pointer < limit + 1 || pointer > u32::from(self.top) {
            return Err(FaultKind::StackOverflow {
                address: DATA_BASE + (u32::from(self.top) + 1).saturating_sub(size + 2),
                limit: DATA_BASE + limit,
            });
        }
        if function & 1 != 0 || function as usize / 2 >= self.program.words() {
            return Err(FaultKind::Unmapped { address: function, size: 2, access: Access::Execute });
        }
        self.state.data[..REGISTERS].copy_from_slice(&layout.registers);
        let start = pointer as usize + 1;
        self.state.data[start..start + layout.stack.len()].copy_from_slice(&layout.stack);
        self.state.data[start - 1] = SENTINEL.to_le_bytes()[0];
        self.state.data[start - 2] = SENTINEL.to_le_bytes()[1];
        let mut watch = StackWatch::new(limit, pointer + 1);
        watch.store(pointer - 1);
        self.state.stack = Stack::new(pointer as u16 - 2, watch);
        self.state.flags = Flags::from_sreg(0);
        self.state.pc = function as usize / 2;
        Ok(())
    }

    /// Where an ELF address range is: `Ok` flash offset, `Err` place in `State::data`.
    fn place(&self, address: u32, size: usize) -> Option<Result<usize, usize>> {
        let size = u32::try_from(size).ok()?;
        let end = address.checked_add(size)?;
        if end as usize <= self.program.flash.len() {
            return Some(Ok(address as usize));
        }
        let (start, end) = (address.checked_sub(DATA_BASE)?, end.checked_sub(DATA_BASE)?);
        let Map { sram, flash, .. } = self.map;
        // On AVRxt the first bytes of `data` are not what their addresses reach.
        let first = if self.xt() { sram.base } else { 0 };
        let within = |low: u32, high: u32| low <= start && end <= high;
        let found = within(first, sram.end()) || within(flash.base, flash.end());
        found.then_some(Err(start as usize))
    }
}

#[cfg(feature = "translator")]
impl AvrMachine {
    /// The core.
    pub(crate) fn core(&self) -> Core {
        self.core
    }
}

/// Which ops to run: the program's, or a copy with a stop mark.
pub(crate) enum Ops {
    Program,
    Marked(Box<[Op; SPACE]>),
}

pub(crate) fn faulted(kind: FaultKind, pc: u32) -> Outcome {
    Outcome::of(Exit::Fault(Fault { kind, pc }))
}

impl Machine for AvrMachine {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        if ready & 1 != 0 || ready as usize / 2 >= self.program.words() {
            return faulted(FaultKind::Unmapped { address: ready, size: 2, access: Access::Execute }, 0);
        }
        let sram = self.map.sram;
        let top = (sram.end() - 1) as u16;
        self.state.data[..sram.base as usize].fill(0);
        self.state.data[LOW_IO..].fill(0);
        self.state.flags = Flags::from_sreg(0);
        self.state.stack = Stack::new(top, StackWatch::new(sram.base, u32::from(top) + 1));
        self.state.pc = 0;
        let marked = marked(&self.program.fused, &self.program.ops, ready as usize / 2);
        let outcome = self.run(Ops::Marked(marked), None, budget, NO_CALLER);
        self.top = self.state.stack.pointer;
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        if let Err(kind) = self.enter(function, args, options.stack_limit) {
            return faulted(kind, function);
        }
        let top = u32::from(self.state.stack.pointer) + 2;
        let guard = (!options.zones.is_empty()).then(|| self.guard(&options.zones));
        self.run(Ops::Program, guard.as_ref(), options.budget, top)
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        Some(self.observed(function, args, options, observer))
    }

    fn missing_extension(&self, opcode: u32) -> Option<&'static str> {
        self.core.missing_extension(opcode as u16)
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        let size = out.len();
        let source = match self.place(address, size).ok_or(OutOfMap { address, size })? {
            Ok(start) => &self.program.flash[start..start + size],
            Err(start) => &self.state.data[start..start + size],
        };
        out.copy_from_slice(source);
        Ok(())
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        let size = data.len();
        let sram = self.map.sram;
        match self.place(address, size) {
            Some(Err(start)) if start >= sram.base as usize && start + size <= sram.end() as usize => {
                self.state.data[start..start + size].copy_from_slice(data);
                Ok(())
            }
            _ => Err(OutOfMap { address, size }),
        }
    }

    fn stack_top(&self) -> u32 {
        DATA_BASE + u32::from(self.top)
    }

    fn snapshot(&mut self) {
        self.saved.clone_from(&self.state);
    }

    fn restore(&mut self) {
        self.state.clone_from(&self.saved);
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_machine::{CallOptions, Exit, Machine};

    use super::AvrMachine;

    /// However a run is sliced, its outcome is the same; `SLICE` alone would take minutes to reach.
    #[test]
    fn slices_do_not_show() {
        let board = pennyweight_bundled::board("atmega328p");
        // ldi r16, 0; dec r16; brne -2; ret
        let flash = [0x00, 0xe0, 0x0a, 0x95, 0xf1, 0xf7, 0x08, 0x95];
        for budget in [u64::MAX, 500, 1] {
            let mut whole = AvrMachine::with_flash(&board, &flash).expect("a good board");
            let options = CallOptions { budget, stack_limit: 0, zones: Vec::new() };
            let outcome = whole.call(0, &[], &options);
            if budget == u64::MAX {
                assert_eq!((outcome.exit, outcome.cycles), (Exit::Returned, 1 + 256 * 3 - 1 + 4));
            }
            for slice in [1, 2, 7, 100] {
                let mut sliced = AvrMachine::with_flash(&board, &flash).expect("a good board");
                sliced.slice = slice;
                assert_eq!(sliced.call(0, &[], &options), outcome, "slices of {slice}");
            }
        }
    }
}
