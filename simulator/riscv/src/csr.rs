//! Control and status registers.
//!
//! Those that code under test has a reason to touch: the counters, the identification of the core, and
//! what turns interrupts off and on around a few instructions (which the simulator does not have). All else
//! faults as an undefined instruction, as on a part that has no such register: code that sets up interrupts
//! cannot be measured here.

use pennyweight_machine::FaultKind;

use crate::extensions::Extensions;
use crate::op::Op;

/// Registers that keep what is written, and the counters at the last run's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Csrs {
    misa: u32,
    mscratch: u32,
    mstatus: u32,
    mtvec: u32,
    /// Cycles of all runs before this one.
    pub cycles: u64,
    /// Instructions of all runs before this one.
    pub instructions: u64,
}

const MSTATUS: u32 = 0x300;
/// MIE and MPIE; MPP and all other fields have one value here (Volume II, "Machine Status Registers").
const MSTATUS_KEPT: u32 = 0x88;
/// MPP: machine mode.
const MSTATUS_FIXED: u32 = 0x1800;
const MTVEC: u32 = 0x305;
const MSCRATCH: u32 = 0x340;
/// RV32 (Volume II, "Machine ISA register"); a bit for each letter is added to it.
const MISA_32: u32 = 0x4000_0000;

impl Csrs {
    /// After reset, on a part with these.
    #[must_use]
    pub fn new(extensions: Extensions) -> Self {
        let Extensions { embedded, m, a, c, .. } = extensions;
        let letters = [('I', !embedded), ('E', embedded), ('M', m), ('A', a), ('C', c)];
        let bits =
            letters.iter().filter(|(_, has)| *has).map(|(letter, _)| 1 << (*letter as u32 - 'A' as u32));
        Csrs { misa: bits.fold(MISA_32, |misa, bit: u32| misa | bit), ..Csrs::default() }
    }

    /// Does the access that `op` encodes; `source` is its register operand. Returns the old value.
    ///
    /// # Errors
    /// There is no such register, or it cannot be written. Writing the machine's counters is
    /// possible on parts, but not here.
    pub fn access(&mut self, op: &Op, source: u32, cycles: u64, instructions: u64) -> Result<u32, FaultKind> {
        let word = op.imm;
        let undefined = Err(FaultKind::Undefined { opcode: word });
        let operand = if word >> 14 & 1 == 1 { word >> 15 & 31 } else { source };
        let writes = word >> 12 & 3 == 1 || word >> 15 & 31 != 0;
        let (cycles, instructions) = (self.cycles + cycles, self.instructions + instructions);
        let number = word >> 20;
        let old = match number {
            0xc00 | 0xb00 => cycles as u32,
            0xc80 | 0xb80 => (cycles >> 32) as u32,
            0xc02 | 0xb02 => instructions as u32,
            0xc82 | 0xb82 => (instructions >> 32) as u32,
            0x301 => self.misa,
            // mhartid
            0xf14 => 0,
            MSTATUS => self.mstatus | MSTATUS_FIXED,
            MTVEC => self.mtvec,
            MSCRATCH => self.mscratch,
            _ => return undefined,
        };
        if writes {
            let new = match word >> 12 & 3 {
                1 => operand,
                2 => old | operand,
                _ => old & !operand,
            };
            match number {
                MSTATUS => self.mstatus = new & MSTATUS_KEPT,
                MTVEC => self.mtvec = new,
                MSCRATCH => self.mscratch = new,
                // Writes are ignored (Volume II: WARL, with one legal value).
                0x301 => {}
                _ => return undefined,
            }
        }
        Ok(old)
    }
}
