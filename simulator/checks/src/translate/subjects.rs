//! The cores whose translated code is compared, with random programs for them.

use pennyweight_machine::board::{MemoryKind, MemoryTiming};
use pennyweight_machine::{Board, Exit, Machine, RandomSource};
use pennyweight_machine32::Machine32;
use pennyweight_mips::Mips;
use pennyweight_msp430::translator::{Cpux, Original};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::Riscv;
use pennyweight_thumb::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM33, CortexM4};
use pennyweight_thumb::run::State as ThumbState;
use pennyweight_thumb::Thumb;
use pennyweight_translate::blocks::Limits;
use pennyweight_translate::code::Compiler;
use pennyweight_translate::marked::{Interpreter, Marked};
use pennyweight_translate::processor::{Guest, TranslatedMachine};
use pennyweight_translate::Engine;
use pennyweight_xtensa::Xtensa;

pub use super::avr::AvrSubject;
pub use super::msp430::Msp430Subject;
use super::{Compared, Driven, Pair};
use crate::riscv::encode::{addi, i, jal, upper};
use crate::thumb::stream::Set;
use crate::xtensa::encode as xt;
use crate::{mips, riscv, thumb, xtensa};

/// A function, and the flash's content that it is in.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its address.
    pub entry: u32,
    /// What flash holds.
    pub bytes: Vec<u8>,
}

/// A core on a board.
pub trait Subject {
    /// The interpreter's machine.
    type Interpreter: Driven;
    /// The same with translated code.
    type Translator: Translating;

    /// The board.
    fn board(&self) -> &Board;

    /// First address of flash.
    fn flash(&self) -> u32;

    /// First address of RAM, and its bytes.
    fn ram(&self) -> (u32, u32);

    /// `code` as a function, behind what sets the stack pointer to the end of RAM.
    fn function(&self, code: &[u8]) -> Function;

    /// A random program as a function.
    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function;

    /// Both machines with a program in flash, booted.
    ///
    /// # Errors
    /// The board does not take the program: one sentence.
    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String>;

    /// Compares registers, flags and the pipeline after a call that ended so.
    ///
    /// # Errors
    /// A difference.
    fn same_state(pair: &mut Machines<Self>, exit: &Exit) -> Result<(), String>;
}

/// A machine with translated code.
pub trait Translating: Driven {
    /// How many blocks are translated.
    fn blocks(&mut self) -> usize;

    /// How often they ran without being given up.
    fn runs(&mut self) -> u64;

    /// Limits how much code is translated.
    fn set_limits(&mut self, limits: Limits);

    /// Selects what compiles code.
    fn set_compiler(&mut self, compiler: Compiler);
}

impl<G: Guest> Translating for TranslatedMachine<G> {
    fn blocks(&mut self) -> usize {
        self.processor_mut().blocks()
    }

    fn runs(&mut self) -> u64 {
        self.processor_mut().runs()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.processor_mut().set_limits(limits);
    }

    fn set_compiler(&mut self, compiler: Compiler) {
        self.processor_mut().set_compiler(compiler);
    }
}

impl<M: Interpreter> Driven for Marked<M> {
    fn machine(&mut self) -> &mut dyn Machine {
        self
    }
}

impl<M: Interpreter> Translating for Marked<M> {
    fn blocks(&mut self) -> usize {
        Marked::blocks(self)
    }

    fn runs(&mut self) -> u64 {
        Marked::runs(self)
    }

    fn set_limits(&mut self, limits: Limits) {
        Marked::set_limits(self, limits);
    }

    fn set_compiler(&mut self, compiler: Compiler) {
        Marked::set_compiler(self, compiler);
    }
}

/// What is done with each core.
pub trait Visit {
    /// Does it.
    ///
    /// # Errors
    /// A difference: one sentence.
    fn visit<S: Subject>(&mut self, subject: &S) -> Result<(), String>;
}

/// All cores, on boards with each kind of memory that code is translated for.
///
/// # Errors
/// Those of `visit`.
pub fn each(visit: &mut impl Visit) -> Result<(), String> {
    for subject in RiscvSubject::all() {
        visit.visit(&subject)?;
    }
    ThumbSubject::<CortexM0>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    ThumbSubject::<CortexM0Plus>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    ThumbSubject::<CortexM3>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    ThumbSubject::<CortexM4>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    ThumbSubject::<CortexM33>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    MipsSubject::all().iter().try_for_each(|subject| visit.visit(subject))?;
    xtensa::Set::ALL.into_iter().try_for_each(|set| visit.visit(&XtensaSubject::new(set)))?;
    AvrSubject::all().iter().try_for_each(|subject| visit.visit(subject))?;
    Msp430Subject::<Original>::all().iter().try_for_each(|subject| visit.visit(subject))?;
    Msp430Subject::<Cpux>::all().iter().try_for_each(|subject| visit.visit(subject))
}

/// A machine, and another one with translated code.
pub(super) fn marked<M: Interpreter>(interpreter: M, translated: M) -> Pair<M, Marked<M>> {
    let mut translator = Marked::around(translated);
    translator.set_engine(Engine::Translator);
    Pair { interpreter, translator }
}

/// The machines of a subject.
pub type Machines<S> = Pair<<S as Subject>::Interpreter, <S as Subject>::Translator>;

/// Both machines with 32 bits with a program in flash, and where execution begins and start-up is over.
fn machines32<G: Guest>(
    board: &Board,
    bytes: &[u8],
    (entry, ready): (u32, u32),
) -> Result<Pair<Machine32<G>, TranslatedMachine<G>>, String> {
    let interpreter = Machine32::from_flash(board, bytes, bytes.len(), entry);
    let translator = TranslatedMachine::from_flash(board, bytes, bytes.len(), entry);
    let mut translator = translator.map_err(|error| error.to_string())?;
    translator.processor_mut().set_engine(Engine::Translator);
    let mut pair = Pair { interpreter: interpreter.map_err(|error| error.to_string())?, translator };
    pair.both(|machine| machine.boot(ready, 1000))?;
    Ok(pair)
}

/// Compares the states, without what a fault leaves open and no later call sees.
fn same_state32<G: Guest<State: PartialEq>>(
    pair: &mut Pair<Machine32<G>, TranslatedMachine<G>>,
    exit: &Exit,
    after_fault: fn(&mut G::State),
) -> Result<(), String> {
    if matches!(exit, Exit::Fault(_)) {
        after_fault(pair.interpreter.state_mut());
        after_fault(pair.translator.state_mut());
    }
    equal(pair.interpreter.state(), pair.translator.state())
}

fn equal<T: PartialEq + std::fmt::Debug>(theirs: &T, ours: &T) -> Result<(), String> {
    if theirs == ours {
        return Ok(());
    }
    Err(format!("translated: {ours:?}; interpreted: {theirs:?}"))
}

/// Compares registers, flags, the pipeline and RAM after a call that ended so.
pub(super) fn same<S: Subject>(subject: &S, pair: &mut Machines<S>, exit: &Exit) -> Result<(), String> {
    S::same_state(pair, exit)?;
    let (base, size) = subject.ram();
    pair.same_memory(base, size)
}

impl Compared {
    /// Counts a call of a function, after which the machines were compared.
    pub(super) fn add_call<S: Subject>(
        &mut self,
        outcome: &pennyweight_machine::Outcome,
        pair: &mut Machines<S>,
    ) {
        self.add(outcome, pair.translator.runs() > 0);
    }
}

/// A RISC-V core on the part of QEMU's `virt` that random programs use.
#[derive(Clone, Debug)]
pub struct RiscvSubject {
    set: riscv::Set,
    board: Board,
}

impl RiscvSubject {
    /// All sets, with and without an instruction cache, one so small that it misses all the time, or with a buffer
    /// that is filled line by line.
    #[must_use]
    pub fn all() -> Vec<RiscvSubject> {
        let cache =
            |size, ways| MemoryTiming::InstructionCache { size, line: 32, ways, miss: 23, data_read: 5 };
        let buffer = |wait_states, line, lines| MemoryTiming::FetchBuffer { wait_states, line, lines };
        [
            (riscv::Set::Rv32ec, MemoryTiming::ZeroWait),
            (riscv::Set::Rv32ec, buffer(1, 4, 3)),
            (riscv::Set::Rv32ec, buffer(2, 8, 2)),
            (riscv::Set::Zbs, MemoryTiming::ZeroWait),
            (riscv::Set::Hazard3, MemoryTiming::ZeroWait),
            (riscv::Set::Rv32imc, MemoryTiming::ZeroWait),
            (riscv::Set::Rv32imc, cache(0x4000, 8)),
            (riscv::Set::Rv32imac, MemoryTiming::ZeroWait),
            (riscv::Set::Rv32imac, cache(0x4000, 2)),
            (riscv::Set::Rv32imac, cache(0x400, 1)),
            (riscv::Set::Rv32imac, cache(0x800, 4)),
        ]
        .map(|(set, timing)| RiscvSubject { set, board: riscv::virt(set, timing) })
        .to_vec()
    }
}

impl Subject for RiscvSubject {
    type Interpreter = Machine32<Riscv>;
    type Translator = TranslatedMachine<Riscv>;

    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        machines32(&self.board, bytes, (riscv::FLASH_BASE, riscv::FLASH_BASE + 4))
    }

    fn same_state(pair: &mut Machines<Self>, exit: &Exit) -> Result<(), String> {
        // Pending results: the interpreter corrects them at jumps only, and each call begins without any.
        same_state32(pair, exit, |state| state.pending = Pending::default())
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        riscv::FLASH_BASE
    }

    fn ram(&self) -> (u32, u32) {
        (riscv::RAM_BASE, riscv::RAM_SIZE)
    }

    fn function(&self, code: &[u8]) -> Function {
        let start = [upper(0x37, riscv::stream::STACK, riscv::RAM_BASE + riscv::RAM_SIZE), jal(0, 0)];
        let mut bytes: Vec<u8> = start.into_iter().flat_map(u32::to_le_bytes).collect();
        let entry = riscv::FLASH_BASE + bytes.len() as u32;
        bytes.extend(code);
        Function { entry, bytes }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let riscv::stream::Program { mut bytes, end } =
            riscv::stream::program(self.set, seed, halfwords, passes);
        // Instead of a jump to itself: back to the address that calls return to.
        bytes.truncate(end as usize);
        bytes.extend([addi(1, 0, -2), i(0x67, 0, 1, 0)].into_iter().flat_map(u32::to_le_bytes));
        self.function(&bytes)
    }
}

/// A MIPS core on the part of QEMU's `mipssim` that random programs use.
#[derive(Clone, Debug)]
pub struct MipsSubject {
    set: mips::Set,
    board: Board,
}

impl MipsSubject {
    /// With memories that do not wait, and with flash that reads ahead, with and without caches; and with code of
    /// 16 bits.
    #[must_use]
    pub fn all() -> Vec<MipsSubject> {
        let stream = |wait_states, line, cached_lines, data_lines| MemoryTiming::Stream {
            wait_states,
            line,
            cached_lines,
            data_lines,
        };
        [
            (mips::Set::Mips32, MemoryTiming::ZeroWait),
            (mips::Set::Mips32, stream(2, 16, 16, 1)),
            (mips::Set::Mips32, stream(3, 8, 0, 0)),
            (mips::Set::Mips16e, stream(5, 16, 2, 2)),
        ]
        .map(|(set, timing)| {
            let mut board = mips::mipssim();
            board.memories.iter_mut().filter(|memory| memory.kind == MemoryKind::Flash).for_each(|flash| {
                flash.timing = timing.clone();
            });
            MipsSubject { set, board }
        })
        .to_vec()
    }
}

impl Subject for MipsSubject {
    type Interpreter = Machine32<Mips>;
    type Translator = TranslatedMachine<Mips>;

    /// Behind the program, start-up sets the stack pointer.
    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let entry = mips::FLASH_BASE + bytes.len() as u32;
        let end = mips::RAM_BASE + mips::RAM_SIZE;
        let start = [
            mips::stream::immediate(15, 0, mips::stream::STACK, (end >> 16) as i32),
            mips::stream::immediate(13, mips::stream::STACK, mips::stream::STACK, (end & 0xffff) as i32),
            mips::stream::immediate(4, 0, 0, -1),
            mips::stream::NOP,
        ];
        bytes.extend(start.into_iter().flat_map(u32::to_le_bytes));
        machines32(&self.board, &bytes, (entry, entry + 8))
    }

    /// Results on their way count from now on.
    fn same_state(pair: &mut Machines<Self>, exit: &Exit) -> Result<(), String> {
        for state in [pair.interpreter.state_mut(), pair.translator.state_mut()] {
            state.pipeline = state.pipeline.settled();
            // Nothing reads it.
            state.registers[pennyweight_mips::op::Reg::SINK] = 0;
        }
        same_state32(pair, exit, |state| state.pipeline = Default::default())
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        mips::FLASH_BASE
    }

    fn ram(&self) -> (u32, u32) {
        (mips::RAM_BASE, mips::RAM_SIZE)
    }

    fn function(&self, code: &[u8]) -> Function {
        Function { entry: self.flash(), bytes: code.to_vec() }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let mips::stream::Program { mut bytes, end } =
            mips::stream::program(self.set, seed, halfwords / 2, passes);
        // Instead of a jump to itself: back to the address that calls return to.
        bytes.truncate(end as usize);
        let back = [mips::stream::addiu(1, 0, -4), mips::stream::registers(8, 0, 1, 0), mips::stream::NOP];
        bytes.extend(back.into_iter().flat_map(u32::to_le_bytes));
        Function { entry: self.flash(), bytes }
    }
}

/// An Xtensa core on the part of QEMU's `sim` that random programs use.
#[derive(Clone, Debug)]
pub struct XtensaSubject {
    set: xtensa::Set,
    board: Board,
}

impl XtensaSubject {
    /// With this instruction set.
    #[must_use]
    pub fn new(set: xtensa::Set) -> XtensaSubject {
        XtensaSubject { set, board: set.board() }
    }
}

impl Subject for XtensaSubject {
    type Interpreter = Machine32<Xtensa>;
    type Translator = TranslatedMachine<Xtensa>;

    /// Behind the program, start-up sets the stack pointer from a literal, and switches windows on.
    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        let set = self.set;
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let literal = set.flash() + bytes.len() as u32;
        bytes.extend((set.ram() + xtensa::RAM_SIZE).to_le_bytes());
        let entry = literal + 4;
        let mut start = match set {
            xtensa::Set::Call0 => Vec::new(),
            xtensa::Set::Windowed => windows_on().to_vec(),
        };
        let ready = entry + 3 * (start.len() as u32 + 1);
        start.extend([xt::l32r(xtensa::stream::STACK, ready - 3, literal), xt::j(0)]);
        bytes.extend(start.into_iter().flat_map(|word| word.to_le_bytes().into_iter().take(3)));
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        machines32(&self.board, &bytes, (entry, ready))
    }

    /// Physical registers that are visible count, not what the file behind them holds.
    fn same_state(pair: &mut Machines<Self>, _: &Exit) -> Result<(), String> {
        for state in [pair.interpreter.state_mut(), pair.translator.state_mut()] {
            state.extra.windows.rotate(&mut state.registers, 0);
        }
        equal(pair.interpreter.state(), pair.translator.state())
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        self.set.flash()
    }

    fn ram(&self) -> (u32, u32) {
        (self.set.ram(), xtensa::RAM_SIZE)
    }

    fn function(&self, code: &[u8]) -> Function {
        Function { entry: self.flash(), bytes: code.to_vec() }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let xtensa::stream::Program { mut bytes, entry, end } =
            xtensa::stream::program(self.set, seed, 2 * halfwords, passes);
        // Instead of a jump to itself: back to the address that calls return to.
        bytes.truncate(end as usize);
        bytes.extend(back(self.set).into_iter().flat_map(|word| word.to_le_bytes().into_iter().take(3)));
        Function { entry: self.flash() + entry, bytes }
    }
}

/// MOVI, a shift that makes a windowed return address, and JX a2.
pub(super) fn back(set: xtensa::Set) -> Vec<u32> {
    let jump = xt::rrr(0, 0, 0, 2, 10);
    match set {
        xtensa::Set::Call0 => vec![xt::movi(2, -4), jump],
        // SRLI a2, a2, 2
        xtensa::Set::Windowed => vec![xt::movi(2, -16), xt::rrr(4, 1, 2, 2, 2), jump],
    }
}

/// PS.WOE alone in PS, and one call in WINDOWSTART.
fn windows_on() -> [u32; 5] {
    let wsr = xtensa::pieces_lx6::wsr;
    // SLLI a2, a2, 18
    let shifted = xt::rrr(0, 1, 2, 2, 14);
    [
        xt::movi(2, 1),
        wsr(2, xtensa::pieces_lx6::WINDOWSTART),
        shifted,
        wsr(2, xtensa::pieces_lx6::PS),
        xt::rrr(0, 0, 2, 0, 15),
    ]
}

/// A Cortex-M core on a board like QEMU's for its instruction set.
#[derive(Clone, Debug)]
pub struct ThumbSubject<C> {
    set: Set,
    board: Board,
    core: std::marker::PhantomData<C>,
}

/// Where execution begins by the vector table, and where start-up is over.
fn start(bytes: &[u8]) -> (u32, u32) {
    let reset = bytes.get(4..8).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    (reset, reset & !1)
}

/// Bytes of a vector table with the two entries that are used.
const VECTORS: u32 = 8;

impl<C: Core> ThumbSubject<C> {
    /// That core with memories that do not wait; with caches for code and data: one that misses all the
    /// time, and one whose lines hold two instructions; with flash that reads ahead line by line, without
    /// caches, with those of the STM32F4, and with one that misses all the time; those of ARMv6-M also with
    /// prefetch buffers, the Cortex-M3 behind a bus matrix.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let set = match C::MODEL {
            CortexM3::MODEL => Set::V7m,
            CortexM4::MODEL => Set::V7em,
            CortexM33::MODEL => Set::V8m,
            _ => Set::V6m,
        };
        let cache = |line, lines| MemoryTiming::Cache { wait_states: 3, line, lines, data_wait_states: None };
        let sets = MemoryTiming::AssociativeCache { size: 0x400, data_size: 0, line: 8, ways: 2, miss: 56 };
        let split =
            MemoryTiming::AssociativeCache { size: 0x80, data_size: 0x20, line: 8, ways: 16, miss: 9 };
        let ahead =
            |line, lines| MemoryTiming::Cache { wait_states: 3, line, lines, data_wait_states: Some(2) };
        let stream = |wait_states, line, cached_lines, data_lines| MemoryTiming::Stream {
            wait_states,
            line,
            cached_lines,
            data_lines,
        };
        let streams = [stream(2, 8, 0, 0), stream(5, 16, 64, 8), stream(3, 8, 2, 0)];
        let mut timings = vec![MemoryTiming::ZeroWait, cache(8, 8), cache(4, 128), sets, split];
        timings.extend(streams);
        if C::FETCHED_AHEAD > 0 {
            timings.extend([ahead(16, 128), ahead(32, 2)]);
        }
        if C::MODEL == CortexM3::MODEL {
            let matrix = |wait_states, line, pause_wait_states, connect_wait_states| {
                MemoryTiming::BusMatrix { wait_states, line, pause_wait_states, connect_wait_states }
            };
            timings.extend([matrix(4, 16, 3, 1), matrix(1, 4, 0, 2)]);
        }
        if set == Set::V6m {
            let prefetch = |wait_states, line, lines| MemoryTiming::Prefetch { wait_states, line, lines };
            timings.extend([prefetch(1, 4, 3), prefetch(2, 8, 2)]);
        }
        let subject = |timing| {
            let mut board = thumb::board(C::MODEL, set);
            board.memories[0].timing = timing;
            ThumbSubject { set, board, core: std::marker::PhantomData }
        };
        timings.into_iter().map(subject).collect()
    }

    /// The same with a random number generator.
    #[must_use]
    pub fn with_random(mut self, source: RandomSource) -> Self {
        self.board.random = Some(source);
        self
    }
}

impl<C: Core> Subject for ThumbSubject<C>
where
    Thumb<C>: Guest<State = ThumbState>,
{
    type Interpreter = Machine32<Thumb<C>>;
    type Translator = TranslatedMachine<Thumb<C>>;

    fn machines(&self, bytes: &[u8]) -> Result<Machines<Self>, String> {
        machines32(&self.board, bytes, start(bytes))
    }

    fn same_state(pair: &mut Machines<Self>, exit: &Exit) -> Result<(), String> {
        same_state32(pair, exit, |_| {})
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn flash(&self) -> u32 {
        self.set.flash()
    }

    fn ram(&self) -> (u32, u32) {
        (self.set.ram(), thumb::RAM_SIZE)
    }

    fn function(&self, code: &[u8]) -> Function {
        let (base, size) = self.ram();
        let entry = self.flash() + VECTORS;
        let mut bytes: Vec<u8> = [base + size, entry | 1].into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(code);
        Function { entry, bytes }
    }

    fn random_function(&self, seed: u64, halfwords: usize, passes: u32) -> Function {
        let thumb::stream::Program { mut bytes, end } =
            thumb::stream::program(self.set, seed, halfwords, passes);
        // Instead of a jump to itself, MOVS, MVNS, BX: back to the address that calls return to.
        let back: Vec<u8> = [0x2000u16, 0x43c0, 0x4700].into_iter().flat_map(u16::to_le_bytes).collect();
        bytes[(end - self.flash()) as usize..][..back.len()].copy_from_slice(&back);
        Function { entry: start(&bytes).1, bytes }
    }
}
