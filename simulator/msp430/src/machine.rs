//! A simulated MSP430 with an image loaded.

use pennyweight_machine::guard::{Free, Guard, Watch};
use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{
    Access, Architecture, Arg, Board, BoardError, CallOptions, CoreFile, Exit, Fault, FaultKind, Image,
    InstructionSet, LoadError, Machine, Memory as Region, MemoryKind, MemoryTiming, Observer, OutOfMap,
    Outcome,
};
use pennyweight_memory::timing::{FlashModel, Models};

use crate::bus::{unmapped, Map, ALL_BITS, EVEN_BITS};
use crate::cpu::{Cpu, Original, Register as _};
use crate::eabi;
use crate::execute::{run, start, Bounds, State, Stop, NO_CALLER, SENTINEL};
use crate::extended::Cpux;
use crate::flags::Flags;
use crate::instruction::SP;
use crate::op::Op;
use crate::program::{words, Program, INSTRUCTION, SPACE};

/// The calling convention's name.
const ABI: &str = "msp430-eabi";
/// The address space.
const END: u64 = 1 << 16;
/// Word address of the reset vector (SLAU049, section 2.2).
const RESET: usize = 0xfffe / 2;
/// Cycles of one run of the loop, which counts in 32 bits; a call is as many runs as it takes.
const SLICE: u64 = 1 << 31;

/// This crate's entry in the list of instruction sets.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &[Original::NAME, Cpux::NAME],
    check_core: |core| Ok(if is_cpux(core) { check::<Cpux>(core) } else { check::<Original>(core) }?),
    random: false,
    check_board: |board| {
        if is_cpux(&board.core) {
            parts::<Cpux>(board).map(drop)
        } else {
            parts::<Original>(board).map(drop)
        }
    },
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`Microcontroller::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    Ok(if is_cpux(&board.core) {
        Box::new(Msp430xMachine::new(board, image)?)
    } else {
        Box::new(Msp430Machine::new(board, image)?)
    })
}

/// A simulated MSP430 of the x1xx family.
pub type Msp430Machine = Microcontroller<Original>;
/// A simulated MSP430X.
pub type Msp430xMachine = Microcontroller<Cpux>;

fn is_cpux(core: &CoreFile) -> bool {
    core.instruction_set == Cpux::NAME
}

/// Does a core's file describe this CPU?
fn check<X: Cpu>(core: &CoreFile) -> Result<(), BoardError> {
    core.one_of("instruction_set", &core.instruction_set, &[X::NAME])?;
    core.check_bits(16)?;
    core.check_extensions(&[])?;
    core.one_of("abi", &core.abi, &[ABI])?;
    core.one_of("[timing]: model", &core.timing, &[X::NAME])?;
    core.parameters().finish()
}

/// A simulated microcontroller with this CPU.
pub struct Microcontroller<X: Cpu> {
    pub(crate) program: Program,
    pub(crate) state: State<X>,
    /// What flash adds to the cycles.
    pub(crate) flash: FlashModel,
    saved: (State<X>, FlashModel),
    pub(crate) map: Map,
    /// SP at which a call starts.
    top: u16,
    /// [`SLICE`], except in tests.
    slice: u64,
}

impl<X: Cpu> Microcontroller<X> {
    /// Puts core, memories and image together; all but the image is erased or zero.
    ///
    /// # Errors
    /// A board that no such part is like, or an image that is for another machine or does not fit its
    /// flash.
    pub fn new(board: &Board, image: &Image) -> Result<Self, LoadError> {
        image.require(Architecture::Msp430)?;
        let flash = board
            .memory(MemoryKind::Flash)
            .map_or(Ok(Vec::new()), |flash| image.flash_bytes(flash, |_| true))?;
        Self::with_flash(board, &flash)
    }

    /// As `new`, with the first bytes of flash instead of an image.
    ///
    /// # Errors
    /// A board that no such part is like.
    pub fn with_flash(board: &Board, bytes: &[u8]) -> Result<Self, LoadError> {
        let (map, flash) = parts::<X>(board)?;
        let mut memory = vec![[0u8; 2]; SPACE];
        memory[map.flash as usize / 2..].fill([0xff; 2]);
        let target = &mut memory.as_flattened_mut()[map.flash as usize..];
        let size = bytes.len().min(target.len());
        target[..size].copy_from_slice(&bytes[..size]);
        let memory = match memory.into_boxed_slice().try_into() {
            Ok(memory) => memory,
            Err(_) => unreachable!("the vector has as many entries as the address space words"),
        };
        let state = State {
            memory,
            registers: [X::Register::default(); 16],
            flags: Flags::from_sr(0),
            multiplier: X::Multiplier::default(),
            watch: StackWatch::default(),
            pc: 0,
            #[cfg(feature = "translator")]
            flow: crate::translator::Flow::default(),
        };
        let program = Program::new::<X>(&state.memory, map.flash as u16);
        Ok(Microcontroller {
            program,
            saved: (state.clone(), flash.clone()),
            state,
            flash,
            map,
            top: 0,
            slice: SLICE,
        })
    }

    /// Runs from the current state to the end of `budget`. `top`: see [`Bounds`].
    pub(crate) fn run(&mut self, ops: &Ops, zones: Option<&Guard>, budget: u64, top: u32) -> Outcome {
        match zones {
            Some(guard) => self.run_as(ops, guard, budget, top),
            None => self.run_as(ops, Free, budget, top),
        }
    }

    fn run_as<W: Watch>(&mut self, ops: &Ops, watch: W, budget: u64, top: u32) -> Outcome {
        let ops: &[Op; SPACE] = match ops {
            Ops::Program => &self.program.ops,
            Ops::Marked(marked) => marked,
        };
        let mut outcome = Outcome::of(Exit::Returned);
        loop {
            let bounds =
                Bounds { map: self.map, cycles: (budget - outcome.cycles).min(self.slice) as u32, top };
            let (stop, spent) =
                run::<W, X, false>(&self.program, ops, &mut self.state, &mut self.flash, watch, &bounds);
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
        outcome.stack = self.state.watch.high_water();
        outcome.result = eabi::result(self.state.register(eabi::FIRST));
        outcome
    }

    /// Prepares a call; a fault if there is no stack for it or no such function.
    pub(crate) fn enter(&mut self, function: u32, args: &[Arg], limit: u32) -> Result<(), FaultKind> {
        let layout = eabi::layout(args);
        let limit = limit.max(self.map.ram);
        // Arguments on the stack are the caller's; they lie above what is watched.
        let size = 2 * layout.stack.len() as u32;
        let top = u32::from(self.top);
        let pointer = top.saturating_sub(size);
        if pointer < limit + 2 || top > self.map.ram + self.map.ram_size {
            return Err(FaultKind::StackOverflow { address: pointer.saturating_sub(2), limit });
        }
        let address = u16::try_from(function).ok().filter(|&a| a & 1 == 0 && self.map.is_code(a));
        let Some(address) = address else {
            return Err(unmapped(function, false, Access::Execute));
        };
        self.state.registers = [X::Register::default(); 16];
        for (register, value) in
            self.state.registers[usize::from(eabi::FIRST)..].iter_mut().zip(layout.registers)
        {
            *register = X::Register::of(value.into());
        }
        for (place, word) in (pointer as usize / 2..).zip(&layout.stack) {
            self.state.memory[place] = word.to_le_bytes();
        }
        self.state.memory[pointer as usize / 2 - 1] = SENTINEL.to_le_bytes();
        self.state.registers[usize::from(SP)] = X::Register::of(pointer - 2);
        self.state.watch = StackWatch::new(limit, pointer);
        self.state.watch.store(pointer - 2);
        self.state.flags = Flags::from_sr(0);
        self.state.pc = usize::from(address / 2);
        start::<X>(&mut self.flash, 2 * self.state.pc as u32);
        Ok(())
    }

    /// Where bytes of RAM or flash lie.
    fn place(&self, address: u32, size: usize, writable: bool) -> Option<std::ops::Range<usize>> {
        let (start, end) = (address as usize, (address as usize).checked_add(size)?);
        let within = |low: u32, high: u32| start >= low as usize && end <= high as usize;
        let ram = within(self.map.ram, self.map.ram + self.map.ram_size);
        (ram || (!writable && within(self.map.flash, END as u32))).then_some(start..end)
    }
}

/// Which ops to run: the program's, or a copy with a stop mark.
pub(crate) enum Ops {
    Program,
    Marked(Box<[Op; SPACE]>),
}

/// Where a board's memories lie, and the timing of its flash, if it has such a CPU.
fn parts<X: Cpu>(board: &Board) -> Result<(Map, FlashModel), LoadError> {
    check::<X>(&board.core)?;
    board.all_extensions()?;
    let title = X::TITLE;
    let refuse = |what: &str| BoardError(format!("{}: {what}", board.source));
    let all = |kind: MemoryKind| board.memories.iter().filter(move |m| m.kind == kind);
    let one = |kind: MemoryKind, word: &str| -> Result<&Region, BoardError> {
        let mut found = all(kind);
        match (found.next(), found.next()) {
            (Some(memory), None) => Ok(memory),
            _ => Err(refuse(&format!(
                "{title} has exactly one memory of kind \"{word}\" here; correct the [[memory]] tables"
            ))),
        }
    };
    let (flash, ram) = (one(MemoryKind::Flash, "flash")?, one(MemoryKind::Ram, "ram")?);
    let may_wait = |memory: &Region| memory.kind == MemoryKind::Flash && X::MODELS != Models::ZERO_WAIT;
    if board.memories.iter().any(|m| m.timing != MemoryTiming::ZeroWait && !may_wait(m)) {
        let which = if X::MODELS == Models::ZERO_WAIT { "memories" } else { "RAM" };
        return Err(refuse(&format!(
            "{which} of {title} has no wait states; write timing = {{ model = \"zero-wait\" }}"
        ))
        .into());
    }
    let start = X::PERIPHERALS_END;
    if board.memories.iter().any(|m| (m.base | m.size) & 1 != 0 || m.base < start || m.end() > END) {
        return Err(refuse(&format!(
            "memories of {title} lie between {start:#06x} and {END:#x} with even base and size; correct them"
        ))
        .into());
    }
    if flash.end() != END || ram.base > flash.base {
        return Err(refuse(&format!(
            "flash of {title} ends at {END:#x}, behind the vectors, and lies above ram; correct base and size"
        ))
        .into());
    }
    let mut mirrors = all(MemoryKind::Mirror);
    let mirror = mirrors.next();
    if mirrors.next().is_some() || mirror.is_some_and(|m| m.size > ram.size) {
        return Err(refuse(
            "there is at most one memory of kind \"mirror\", of at most the ram's size; correct the tables",
        )
        .into());
    }
    let map = Map {
        ram: ram.base,
        ram_size: ram.size,
        flash: flash.base,
        mirror: mirror.map_or(0, |m| m.base),
        mirror_size: mirror.map_or(0, |m| m.size),
        word_mask: ALL_BITS,
    };
    Ok((map, FlashModel::new(board, flash, X::MODELS, 0)?))
}

pub(crate) fn faulted(kind: FaultKind, pc: u32) -> Outcome {
    Outcome::of(Exit::Fault(Fault { kind, pc }))
}

impl<X: Cpu> Machine for Microcontroller<X> {
    fn boot(&mut self, ready: u32, budget: u64) -> Outcome {
        let mark = u16::try_from(ready).ok().filter(|&a| a & 1 == 0 && u32::from(a) >= self.map.flash);
        let Some(mark) = mark else {
            return faulted(unmapped(ready, false, Access::Execute), 0);
        };
        // SLAU049, section 2.2.1: after reset SR is 0, PC comes from the vector; SP is the program's.
        self.state.registers = [X::Register::default(); 16];
        self.state.flags = Flags::from_sr(0);
        self.state.multiplier = X::Multiplier::default();
        self.state.memory[..X::PERIPHERALS_END as usize / 2].fill([0; 2]);
        self.state.watch = StackWatch::new(self.map.ram, self.map.ram + self.map.ram_size);
        let [vector, ..] = words(&self.state.memory, RESET);
        self.state.pc = usize::from(vector / 2);
        start::<X>(&mut self.flash, 2 * self.state.pc as u32);
        let marked = self.program.marked(usize::from(mark / 2));
        let outcome = self.run(&Ops::Marked(marked), None, budget, NO_CALLER);
        self.top = self.state.register(SP);
        outcome
    }

    fn call(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Outcome {
        if let Err(kind) = self.enter(function, args, options.stack_limit) {
            return faulted(kind, function);
        }
        let top = u32::from(self.state.register(SP)) + 2;
        let guard = (!options.zones.is_empty())
            .then(|| Guard::new(self.map.ram, self.map.ram_size as usize, &options.zones));
        self.run(&Ops::Program, guard.as_ref(), options.budget, top)
    }

    fn call_observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        if let Err(kind) = self.enter(function, args, options.stack_limit) {
            return Some(faulted(kind, function));
        }
        let top = u32::from(self.state.register(SP)) + 2;
        let guard = Guard::new(self.map.ram, self.map.ram_size as usize, &options.zones);
        Some(self.observe(&guard, options.budget, top, observer))
    }

    fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        let size = out.len();
        let place = self.place(address, size, false).ok_or(OutOfMap { address, size })?;
        out.copy_from_slice(&self.state.memory.as_flattened()[place]);
        Ok(())
    }

    fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        let size = data.len();
        let place = self.place(address, size, true).ok_or(OutOfMap { address, size })?;
        self.state.memory.as_flattened_mut()[place].copy_from_slice(data);
        Ok(())
    }

    fn stack_top(&self) -> u32 {
        u32::from(self.top)
    }

    fn allow_odd_words(&mut self, allowed: bool) -> bool {
        self.map.word_mask = if allowed { EVEN_BITS } else { ALL_BITS };
        true
    }

    fn snapshot(&mut self) {
        self.saved.0.clone_from(&self.state);
        self.saved.1.clone_from(&self.flash);
    }

    fn restore(&mut self) {
        self.state.clone_from(&self.saved.0);
        self.flash.clone_from(&self.saved.1);
    }
}
