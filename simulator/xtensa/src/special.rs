//! Instructions that compiled code seldom has, or that move more than registers: windowed calls,
//! special registers, booleans, multiply-accumulate. The tables hold them as [`Code::Special`] with
//! their encoding, and they are decoded again when they are executed.
//!
//! [`Code::Special`]: crate::op::Code::Special

use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;

use crate::core::{Core, Options};
use crate::loops::Loops;
use crate::mac::{self, Mac};
use crate::op::{Reg, Registers};
use crate::windows::Windows;

/// Bytes below the stack pointer that belong to a windowed call: there the handlers save its caller's
/// first registers (ISA reference manual, 8.1.4).
const BASE_SAVE_AREA: u32 = 16;

/// What a core holds in addition to the visible registers and the shift amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Register windows and exceptions.
    pub windows: Windows,
    /// The zero-overhead loop.
    pub loops: Loops,
    /// Multiply-accumulate.
    pub mac: Mac,
    /// BR: sixteen booleans.
    pub booleans: u32,
    /// SCOMPARE1
    pub compare: u32,
    /// ATOMCTL: kept and not heeded, the core itself compares and stores.
    pub atomic_control: u32,
    /// THREADPTR
    pub thread: u32,
}

impl Extra {
    /// After reset.
    #[must_use]
    pub fn new(core: &Core) -> Self {
        Extra { windows: Windows::new(core.registers), ..Extra::default() }
    }

    /// Where execution goes from the instruction in front of `address`, if back in a loop.
    #[inline(always)]
    pub fn loop_back(&mut self, address: u32) -> Option<u32> {
        let on = !self.windows.in_exception();
        self.loops.back(address, on)
    }
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// CALL4, CALL8, CALL12: the window's step in fours, and the distance in words.
    Call(u32, u32),
    /// CALLX4, CALLX8, CALLX12
    CallTo(u32, Reg),
    /// ENTRY: the stack pointer's register, bytes of the frame.
    Entry(Reg, u32),
    /// RETW, RETW.N
    Return,
    /// MOVSP t, s
    MoveSp(Reg, Reg),
    /// ROTW
    Rotate(u32),
    /// L32E t, s, offset
    LoadFrame(Reg, Reg, u32),
    /// S32E t, s, offset
    StoreFrame(Reg, Reg, u32),
    /// RFWO, or RFWU if true.
    LeaveHandler(bool),
    /// RFE
    LeaveException,
    /// S32C1I t, s, offset
    CompareAndStore(Reg, Reg, u32),
    /// RSR t, number
    Read(Reg, u32),
    /// WSR t, number
    Write(Reg, u32),
    /// XSR t, number
    Exchange(Reg, u32),
    /// RUR.THREADPTR
    ReadThread(Reg),
    /// WUR.THREADPTR
    WriteThread(Reg),
    /// RSIL t, level
    MaskInterrupts(Reg, u32),
    /// ANDB, ANDBC, ORB, ORBC, XORB by number: booleans r, s, t.
    Combine(u32, [u32; 3]),
    /// ALL4, ALL8 (true) or ANY4, ANY8: how many booleans, from which on, to which.
    Gather(bool, u32, u32, u32),
    /// BT or BF over a distance, if the boolean is so.
    BranchIf(bool, u32, u32),
    /// MOVT or MOVF r, s, if the boolean is so.
    MoveIf(bool, Reg, Reg, u32),
    /// Multiply-accumulate.
    Accumulate(mac::Step),
}

/// Special registers that this simulator has, by number.
fn exists(number: u32, o: Options) -> bool {
    match number {
        0..=2 => o.loops,
        4 => o.booleans,
        12 | 99 => o.conditional_store,
        16 | 17 | 32..=35 => o.mac16,
        72 | 73 => o.windows,
        177 | 209 | 230 | 231 | 232 => true,
        _ => false,
    }
}

/// Decodes; `None` if the core has no such instruction, or it is another one.
#[must_use]
pub fn decode(word: u32, o: Options) -> Option<Special> {
    let field = |bit: u32| word >> bit & 15;
    let (r, s, t) = (field(12), field(8), field(4));
    let (op1, op2) = (field(16), field(20));
    let (rr, rs, rt) = (Reg(r as u8), Reg(s as u8), Reg(t as u8));
    let signed = |value: u32, bits: u32| ((value << (32 - bits)) as i32 >> (32 - bits)) as u32;
    let number = word >> 8 & 0xff;
    match word & 15 {
        0 => match (op1, op2, r) {
            (0, 0, 0) if o.windows && s == 0 && t == 9 => Some(Special::Return),
            (0, 0, 0) if o.windows && t >= 13 => Some(Special::CallTo(t - 12, rs)),
            (0, 0, 1) if o.windows => Some(Special::MoveSp(rt, rs)),
            (0, 0, 3) if o.windows && t == 0 && (s == 4 || s == 5) => Some(Special::LeaveHandler(s == 5)),
            (0, 0, 3) if s == 0 && t == 0 => Some(Special::LeaveException),
            (0, 0, 6) => Some(Special::MaskInterrupts(rt, s)),
            (0, 0, 8..=11) if o.booleans => {
                let (all, count) = (r & 1 == 1, if r < 10 { 4 } else { 8 });
                s.is_multiple_of(count).then_some(Special::Gather(all, count, s, t))
            }
            (0, 4, 8) if o.windows && s == 0 => Some(Special::Rotate(signed(t, 4))),
            (1, 6, _) if exists(number, o) => Some(Special::Exchange(rt, number)),
            (2, 0..=4, _) if o.booleans => Some(Special::Combine(op2, [r, s, t])),
            (3, 0, _) if exists(number, o) => Some(Special::Read(rt, number)),
            (3, 1, _) if exists(number, o) => Some(Special::Write(rt, number)),
            (3, 12 | 13, _) if o.booleans => Some(Special::MoveIf(op2 == 13, rr, rs, t)),
            (3, 14, _) if o.thread_pointer && word >> 4 & 0xff == 231 => Some(Special::ReadThread(rr)),
            (3, 15, _) if o.thread_pointer && number == 231 => Some(Special::WriteThread(rt)),
            (9, 0, _) if o.windows => Some(Special::LoadFrame(rt, rs, (r * 4).wrapping_sub(64))),
            (9, 4, _) if o.windows => Some(Special::StoreFrame(rt, rs, (r * 4).wrapping_sub(64))),
            _ => None,
        },
        2 if r == 14 && o.conditional_store => {
            Some(Special::CompareAndStore(rt, rs, (word >> 16 & 0xff) * 4))
        }
        4 if o.mac16 => mac::decode(word).map(Special::Accumulate),
        5 if o.windows && t & 3 != 0 => Some(Special::Call(t & 3, signed(word >> 6, 18))),
        6 if o.windows && t & 15 == 3 => Some(Special::Entry(rs, word >> 12 << 3)),
        6 if o.booleans && t == 7 && r < 2 => {
            Some(Special::BranchIf(r == 1, s, signed(word >> 16 & 0xff, 8)))
        }
        13 if o.windows && word >> 4 == 0xf01 => Some(Special::Return),
        _ => None,
    }
}

impl Special {
    /// The register that it writes, if any, and those that it reads; what it has not is
    /// [`Reg::NONE`].
    #[must_use]
    pub fn registers(&self) -> (Reg, Reg, Reg) {
        const NO: Reg = Reg::NONE;
        match *self {
            Special::Call(..)
            | Special::Rotate(_)
            | Special::LeaveHandler(_)
            | Special::LeaveException
            | Special::Combine(..)
            | Special::Gather(..)
            | Special::BranchIf(..) => (NO, NO, NO),
            Special::CallTo(_, s) | Special::Entry(s, _) => (NO, s, NO),
            Special::Return => (NO, Reg::A0, NO),
            Special::MoveSp(t, s) | Special::LoadFrame(t, s, _) | Special::MoveIf(_, t, s, _) => (t, s, NO),
            Special::StoreFrame(t, s, _) => (NO, s, t),
            Special::CompareAndStore(t, s, _) => (t, s, t),
            Special::Read(t, _) | Special::ReadThread(t) | Special::MaskInterrupts(t, _) => (t, NO, NO),
            Special::Write(t, _) | Special::WriteThread(t) => (NO, t, NO),
            Special::Exchange(t, _) => (t, t, NO),
            Special::Accumulate(step) => {
                let (s, t) = step.reads();
                (NO, s, t)
            }
        }
    }

    /// The highest four of the window that it uses, in addition to those of its registers.
    #[must_use]
    pub fn highest_four(&self) -> u32 {
        match *self {
            Special::Call(by, _) | Special::CallTo(by, _) => by,
            _ => 0,
        }
    }

    /// Its name in the manual's words; where there are several of a kind, the kind's.
    #[must_use]
    pub fn mnemonic(&self) -> &'static str {
        match *self {
            Special::Call(by, _) => ["call4", "call8", "call12"][(by as usize - 1).min(2)],
            Special::CallTo(by, _) => ["callx4", "callx8", "callx12"][(by as usize - 1).min(2)],
            Special::Entry(..) => "entry",
            Special::Return => "retw",
            Special::MoveSp(..) => "movsp",
            Special::Rotate(_) => "rotw",
            Special::LoadFrame(..) => "l32e",
            Special::StoreFrame(..) => "s32e",
            Special::LeaveHandler(false) => "rfwo",
            Special::LeaveHandler(true) => "rfwu",
            Special::LeaveException => "rfe",
            Special::CompareAndStore(..) => "s32c1i",
            Special::Read(..) => "rsr",
            Special::Write(..) => "wsr",
            Special::Exchange(..) => "xsr",
            Special::ReadThread(_) => "rur",
            Special::WriteThread(_) => "wur",
            Special::MaskInterrupts(..) => "rsil",
            Special::Combine(number, _) => ["andb", "andbc", "orb", "orbc", "xorb"][(number as usize).min(4)],
            Special::Gather(true, 4, ..) => "all4",
            Special::Gather(true, ..) => "all8",
            Special::Gather(false, 4, ..) => "any4",
            Special::Gather(false, ..) => "any8",
            Special::BranchIf(true, ..) => "bt",
            Special::BranchIf(false, ..) => "bf",
            Special::MoveIf(true, ..) => "movt",
            Special::MoveIf(false, ..) => "movf",
            Special::Accumulate(step) => step.mnemonic(),
        }
    }

    /// Does its result take two cycles?
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(
            self,
            Special::LoadFrame(..)
                | Special::CompareAndStore(..)
                | Special::Read(..)
                | Special::Exchange(..)
                | Special::ReadThread(_)
        )
    }

    /// Does it always go elsewhere?
    #[must_use]
    pub fn jumps(&self) -> bool {
        matches!(
            self,
            Special::Call(..)
                | Special::CallTo(..)
                | Special::Return
                | Special::LeaveHandler(_)
                | Special::LeaveException
        )
    }

    /// Does code that follows it belong to it, as behind a call?
    #[must_use]
    pub fn ends_line(&self) -> bool {
        matches!(self, Special::Return | Special::LeaveHandler(_) | Special::LeaveException)
    }
}

/// What executing came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// On to the next instruction.
    On,
    /// On, with the window elsewhere.
    Moved,
    /// On, but loops or windows may be others now.
    Changed,
    /// To this address, as the instruction always does.
    To(u32),
    /// A branch that was taken.
    Taken(u32),
    /// Not executed: an exception's handler comes first.
    Exception(u32),
}

/// Executes the instruction `word` at `pc`, of so many bytes.
///
/// # Errors
/// Its fault.
#[inline(never)]
pub fn execute<B: DataBus>(
    word: u32,
    (pc, following): (u32, u32),
    r: &mut Registers,
    extra: &mut Extra,
    bus: &mut B,
) -> Result<Effect, FaultKind> {
    let undefined = FaultKind::Undefined { opcode: word };
    let Some(special) = decode(word, Options::ALL) else { return Err(undefined) };
    let mut effect = Effect::On;
    let windows = &mut extra.windows;
    match special {
        Special::Call(by, words) => {
            let target = (pc & !3).wrapping_add(words << 2).wrapping_add(4);
            call(windows, r, by, following);
            effect = Effect::To(target);
        }
        Special::CallTo(by, s) => {
            let target = r[s];
            call(windows, r, by, following);
            effect = Effect::To(target);
        }
        Special::Entry(s, size) => {
            if s.0 > 3 || !windows.checked() {
                return Err(undefined);
            }
            if windows.callinc() >= windows.usable() {
                return Ok(Effect::Exception(windows.overflow(r, pc, windows.callinc())));
            }
            let stack = r[s].wrapping_sub(size);
            bus.stack_pointer(stack)?;
            windows.enter(r, stack);
            bus.lowers_stack(true, stack.wrapping_sub(BASE_SAVE_AREA));
            effect = Effect::Moved;
        }
        Special::Return => {
            let (target, done) = windows.return_windowed(r, pc, word)?;
            if done {
                bus.lowers_stack(true, r[Reg::SP].wrapping_sub(BASE_SAVE_AREA));
            }
            effect = if done { Effect::To(target) } else { Effect::Exception(target) };
        }
        Special::MoveSp(t, s) => {
            if !windows.caller_is_there() {
                return Ok(Effect::Exception(windows.alloca(pc)));
            }
            let value = r[s];
            set(r, bus, t, value)?;
            bus.lowers_stack(t == Reg::SP, value.wrapping_sub(BASE_SAVE_AREA));
        }
        Special::Rotate(by) => {
            windows.rotate(r, by);
            effect = Effect::Moved;
        }
        Special::LoadFrame(t, s, offset) => {
            // Another frame's stack pointer: the one in use stays what it is.
            r[t] = bus.load_word(r[s].wrapping_add(offset))?;
        }
        Special::StoreFrame(t, s, offset) => bus.store_word(r[s].wrapping_add(offset), r[t])?,
        Special::LeaveHandler(restored) => effect = Effect::To(windows.leave_handler(r, restored)),
        Special::LeaveException => {
            windows.ps &= !crate::windows::PS_EXCM;
            effect = Effect::To(windows.epc);
        }
        Special::CompareAndStore(t, s, offset) => {
            let address = r[s].wrapping_add(offset);
            let old = bus.load_word(address)?;
            // The part writes the old value back if it is not the expected one.
            bus.store_word(address, if old == extra.compare { r[t] } else { old })?;
            set(r, bus, t, old)?;
        }
        Special::Read(t, number) => {
            let value = extra.read(number);
            set(r, bus, t, value)?;
        }
        Special::Write(t, number) => {
            extra.write(r, number, r[t]);
            effect = Effect::Changed;
        }
        Special::Exchange(t, number) => {
            let (old, new) = (extra.read(number), r[t]);
            set(r, bus, t, old)?;
            extra.write(r, number, new);
            effect = Effect::Changed;
        }
        Special::ReadThread(d) => set(r, bus, d, extra.thread)?,
        Special::WriteThread(t) => extra.thread = r[t],
        Special::MaskInterrupts(t, level) => {
            let old = windows.ps;
            windows.ps = old & !15 | level;
            set(r, bus, t, old)?;
        }
        Special::Combine(number, [to, first, second]) => {
            let (a, b) = (extra.boolean(first), extra.boolean(second));
            let value = match number {
                0 => a && b,
                1 => a && !b,
                2 => a || b,
                3 => a || !b,
                _ => a != b,
            };
            extra.set_boolean(to, value);
        }
        Special::Gather(all, count, from, to) => {
            let ones = (from..from + count).filter(|&number| extra.boolean(number)).count() as u32;
            extra.set_boolean(to, if all { ones == count } else { ones != 0 });
        }
        Special::BranchIf(wanted, number, distance) => {
            if extra.boolean(number) == wanted {
                effect = Effect::Taken(pc.wrapping_add(4).wrapping_add(distance));
            }
        }
        Special::MoveIf(wanted, d, s, number) => {
            if extra.boolean(number) == wanted {
                let value = r[s];
                set(r, bus, d, value)?;
            }
        }
        Special::Accumulate(step) => {
            let loaded = match step.load {
                Some((number, s, by)) => {
                    let address = r[s].wrapping_add(by);
                    Some((number, s, address, bus.load_word(address)?))
                }
                None => None,
            };
            extra.mac.multiply(&step, |reg| r[reg]);
            if let Some((number, s, address, value)) = loaded {
                extra.mac.data[number as usize & 3] = value;
                set(r, bus, s, address)?;
            }
        }
    }
    Ok(effect)
}

/// CALL4 to CALLX12: the return address, with the window's step in its upper two bits.
fn call(windows: &mut Windows, r: &mut Registers, by: u32, following: u32) {
    windows.set_callinc(by);
    r[Reg(4 * by as u8)] = by << 30 | following & 0x3fff_ffff;
}

/// Writes a register that may be the stack pointer.
fn set<B: DataBus>(r: &mut Registers, bus: &mut B, reg: Reg, value: u32) -> Result<(), FaultKind> {
    if reg == Reg::SP {
        bus.stack_pointer(value)?;
    }
    r[reg] = value;
    Ok(())
}

impl Extra {
    fn boolean(&self, number: u32) -> bool {
        self.booleans >> (number & 15) & 1 == 1
    }

    fn set_boolean(&mut self, number: u32, value: bool) {
        let bit = 1 << (number & 15);
        self.booleans = if value { self.booleans | bit } else { self.booleans & !bit };
    }

    fn read(&self, number: u32) -> u32 {
        let windows = &self.windows;
        match number {
            0 => self.loops.begin,
            1 => self.loops.end,
            2 => self.loops.count,
            4 => self.booleans,
            12 => self.compare,
            16 => self.mac.low(),
            17 => self.mac.high(),
            32..=35 => self.mac.data[number as usize & 3],
            72 => windows.base,
            73 => windows.start,
            99 => self.atomic_control,
            177 => windows.epc,
            209 => windows.save,
            230 => windows.ps,
            231 => windows.vectors,
            _ => windows.cause,
        }
    }

    fn write(&mut self, r: &mut Registers, number: u32, value: u32) {
        /// INTLEVEL, EXCM, UM, OWB, CALLINC, WOE.
        const PS_BITS: u32 = 0x7_0f3f;
        let windows = &mut self.windows;
        match number {
            0 => self.loops.begin = value,
            1 => self.loops.end = value,
            2 => self.loops.count = value,
            4 => self.booleans = value & 0xffff,
            12 => self.compare = value,
            16 => self.mac.set_low(value),
            17 => self.mac.set_high(value),
            32..=35 => self.mac.data[number as usize & 3] = value,
            72 => windows.set_base(r, value),
            73 => windows.set_start(value),
            99 => self.atomic_control = value,
            177 => windows.epc = value,
            209 => windows.save = value,
            230 => windows.ps = value & PS_BITS,
            231 => windows.vectors = value,
            _ => windows.cause = value,
        }
    }
}
