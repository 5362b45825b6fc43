//! Windowed registers (ISA reference manual, 4.7.1): of 32 or 64 physical registers, sixteen can be
//! seen; calls and returns move the window by 4, 8 or 12.
//!
//! Overflow and underflow are the exceptions of the manual: the core goes to a vector, and the
//! program's own handler saves or restores registers there. Nothing is done on its behalf.

use pennyweight_machine::FaultKind;

use crate::op::{Reg, Registers};

/// PS.EXCM: an exception is being handled; no loops, no window checks.
pub const PS_EXCM: u32 = 1 << 4;
/// PS.UM: exceptions go to the user vector.
pub const PS_UM: u32 = 1 << 5;
/// PS.WOE: windows are on.
pub const PS_WOE: u32 = 1 << 18;
const OWB_SHIFT: u32 = 8;
const CALLINC_SHIFT: u32 = 16;

/// Offsets of the vectors from VECBASE: ESP32 Technical Reference and `core-isa.h` of LX6 cores.
const OVERFLOW: [u32; 4] = [0, 0x00, 0x80, 0x100];
const UNDERFLOW: [u32; 4] = [0, 0x40, 0xc0, 0x140];
const KERNEL: u32 = 0x300;
const USER: u32 = 0x340;

/// EXCCAUSE of MOVSP when the caller's registers are not there.
pub const ALLOCA_CAUSE: u32 = 5;

/// The register file behind the window, and what exceptions use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// Physical registers in fours; those that are visible may be out of date.
    file: [[u32; 4]; 16],
    /// Fours of physical registers less one: 7 or 15.
    mask: u32,
    /// WINDOWBASE.
    pub base: u32,
    /// WINDOWSTART.
    pub start: u32,
    /// PS.
    pub ps: u32,
    /// EPC1.
    pub epc: u32,
    /// EXCSAVE1.
    pub save: u32,
    /// EXCCAUSE.
    pub cause: u32,
    /// VECBASE.
    pub vectors: u32,
}

impl Windows {
    /// After reset, with so many physical registers (32 or 64).
    #[must_use]
    pub fn new(registers: u32) -> Self {
        Windows { mask: (registers / 4).clamp(8, 16) - 1, ps: 0xf | PS_EXCM, ..Windows::default() }
    }

    /// PS.EXCM
    #[inline(always)]
    #[must_use]
    pub fn in_exception(&self) -> bool {
        self.ps & PS_EXCM != 0
    }

    /// Are windows on, and no exception handled (CWOE)?
    #[inline(always)]
    #[must_use]
    pub fn checked(&self) -> bool {
        self.ps & (PS_WOE | PS_EXCM) == PS_WOE
    }

    /// PS.CALLINC
    #[must_use]
    pub fn callinc(&self) -> u32 {
        self.ps >> CALLINC_SHIFT & 3
    }

    /// Sets PS.CALLINC.
    pub fn set_callinc(&mut self, by: u32) {
        self.ps = self.ps & !(3 << CALLINC_SHIFT) | by << CALLINC_SHIFT;
    }

    fn set_owb(&mut self, base: u32) {
        self.ps = self.ps & !(15 << OWB_SHIFT) | base << OWB_SHIFT;
    }

    /// WINDOWSTART's bit so many fours above the window's base.
    fn live(&self, above: u32) -> bool {
        self.start >> (self.base.wrapping_add(above) & self.mask) & 1 == 1
    }

    /// How many fours of the window can be used before one belongs to another call: 1 to 4.
    #[inline]
    #[must_use]
    pub fn usable(&self) -> u32 {
        if !self.checked() {
            return 4;
        }
        (1..4).find(|&above| self.live(above)).unwrap_or(4)
    }

    /// How many physical registers there are.
    #[must_use]
    pub fn registers(&self) -> u32 {
        4 * (self.mask + 1)
    }

    /// Physical registers in fours; those that are visible may be out of date.
    #[cfg(feature = "translator")]
    #[must_use]
    pub fn file(&self) -> &[[u32; 4]; 16] {
        &self.file
    }

    /// The same.
    #[cfg(feature = "translator")]
    pub fn file_mut(&mut self) -> &mut [[u32; 4]; 16] {
        &mut self.file
    }

    /// Moves the window by fours, either way.
    pub fn rotate(&mut self, r: &mut Registers, by: u32) {
        self.put_back(r);
        self.base = self.base.wrapping_add(by) & self.mask;
        for (i, four) in (self.base..).zip(r.fours_mut()) {
            *four = self.file[(i & self.mask) as usize & 15];
        }
    }

    fn put_back(&mut self, r: &mut Registers) {
        for (i, four) in (self.base..).zip(r.fours_mut()) {
            self.file[(i & self.mask) as usize & 15] = *four;
        }
    }

    /// All physical registers, in fours, when `r` is visible.
    #[must_use]
    pub fn physical(mut self, mut r: Registers) -> Vec<[u32; 4]> {
        self.put_back(&mut r);
        self.file[..=self.mask as usize & 15].to_vec()
    }

    /// An instruction at `pc` uses the fours up to `highest`, and another call's are among them:
    /// the address of the handler that saves them.
    pub fn overflow(&mut self, r: &mut Registers, pc: u32, highest: u32) -> u32 {
        let above = (1..=highest).find(|&above| self.live(above)).unwrap_or(highest);
        self.set_owb(self.base);
        self.rotate(r, above);
        self.ps |= PS_EXCM;
        self.epc = pc;
        let size = (1..3).find(|&above| self.live(above)).unwrap_or(3);
        self.vectors.wrapping_add(OVERFLOW[size as usize & 3])
    }

    /// RETW at `pc`: the return address and `true`, or a handler's and `false`.
    ///
    /// # Errors
    /// What the manual leaves undefined: windows are off, or the registers are not as a windowed
    /// call leaves them.
    pub fn return_windowed(
        &mut self,
        r: &mut Registers,
        pc: u32,
        opcode: u32,
    ) -> Result<(u32, bool), FaultKind> {
        let back = r[Reg::A0];
        let by = back >> 30;
        let below = (1..4).find(|&below| self.live(0u32.wrapping_sub(below))).unwrap_or(0);
        if by == 0 || (below != 0 && below != by) || !self.checked() {
            return Err(FaultKind::Undefined { opcode });
        }
        let old = self.base;
        self.rotate(r, 0u32.wrapping_sub(by));
        if self.live(0) {
            self.start &= !(1 << old);
            return Ok((pc & 0xc000_0000 | back & 0x3fff_ffff, true));
        }
        self.ps |= PS_EXCM;
        self.epc = pc;
        self.set_owb(old);
        Ok((self.vectors.wrapping_add(UNDERFLOW[by as usize & 3]), false))
    }

    /// ENTRY, when nothing is in the way: the new window belongs to a call.
    pub fn enter(&mut self, r: &mut Registers, stack: u32) {
        let by = self.callinc();
        self.rotate(r, by);
        r[Reg::SP] = stack;
        self.start |= 1 << self.base;
    }

    /// Are the registers of the caller's call there (what MOVSP asks)?
    #[must_use]
    pub fn caller_is_there(&self) -> bool {
        (1..4).any(|below| self.live(0u32.wrapping_sub(below)))
    }

    /// An exception by MOVSP at `pc`: the address of its handler.
    pub fn alloca(&mut self, pc: u32) -> u32 {
        let vector = if self.ps & PS_UM == 0 { KERNEL } else { USER };
        self.epc = pc;
        self.cause = ALLOCA_CAUSE;
        self.ps |= PS_EXCM;
        self.vectors.wrapping_add(vector)
    }

    /// RFWO and RFWU: back from the handler of an overflow or (`restored`) underflow.
    pub fn leave_handler(&mut self, r: &mut Registers, restored: bool) -> u32 {
        self.ps &= !PS_EXCM;
        let bit = 1 << self.base;
        self.start = if restored { self.start | bit } else { self.start & !bit };
        let owb = self.ps >> OWB_SHIFT & 15;
        self.rotate(r, owb.wrapping_sub(self.base));
        self.epc
    }

    /// WSR.WINDOWBASE
    pub fn set_base(&mut self, r: &mut Registers, value: u32) {
        self.rotate(r, value.wrapping_sub(self.base));
    }

    /// WSR.WINDOWSTART
    pub fn set_start(&mut self, value: u32) {
        self.start = value & ((2 << self.mask) - 1);
    }
}
