//! Core timing: how many cycles each instruction takes, apart from what it does.
//!
//! A core's table is asked once, when flash is decoded; the costs are then summed along each stretch
//! of straight-line code (see `program`), so that timing costs nothing per executed instruction.

use pennyweight_machine::{BoardError, CoreFile};

use crate::decode::{decode, Variant, SPACE};
use crate::op::Code;

/// Bytes of flash that Z alone reaches; a part with more has RAMPZ.
pub const LOW_FLASH: usize = 1 << 16;

/// Bytes of flash that RJMP and RCALL reach as a whole from every address, by wrapping around (DS40002198,
/// at both).
const WRAPPING_FLASH: usize = 8 << 10;

/// A core: one column of the cycle tables in the instruction set manual, and what differs when words
/// become instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    table: Table,
    /// Do data-space addresses 0 to 0x1f reach the registers? On AVRxt they are I/O (DS40002198,
    /// section 2; ATmega4809's datasheet, DS40002173, section 6.4).
    pub maps_registers: bool,
    mul: bool,
    jmp: bool,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Avre,
    AvrXt,
}

/// The instruction sets' names in core files: how data space is laid out.
pub const SETS: [&str; 2] = ["avre", "avrxt"];
/// The timing models' names.
const MODELS: [&str; 2] = ["avre", "avrxt"];
/// The extensions' names.
pub const EXTENSIONS: [&str; 2] = ["mul", "jmp"];
/// The calling convention's name.
pub const ABI: &str = "avr-gcc";

impl Core {
    /// AVRe+ with a 16-bit program counter: ATmega328P, ATmega128.
    #[cfg(test)]
    pub const AVRE_PLUS: Core = Core { table: Table::Avre, maps_registers: true, mul: true, jmp: true };

    /// The core of a file, on a part with these extensions.
    ///
    /// # Errors
    /// The file describes no AVR.
    pub fn of_file(file: &CoreFile, extensions: &[String]) -> Result<Core, BoardError> {
        let set = file.one_of("instruction_set", &file.instruction_set, &SETS)?;
        file.check_bits(8)?;
        file.check_extensions(&EXTENSIONS)?;
        file.one_of("abi", &file.abi, &[ABI])?;
        let model = file.one_of("[timing]: model", &file.timing, &MODELS)?;
        file.parameters().finish()?;
        let has = |name: &str| extensions.iter().any(|each| each == name);
        Ok(Core {
            table: if model == "avre" { Table::Avre } else { Table::AvrXt },
            maps_registers: set == "avre",
            mul: has("mul"),
            jmp: has("jmp"),
        })
    }

    /// Cycles of an instruction if it neither branches nor skips.
    ///
    /// A taken branch takes [`TAKEN`] more, a skip one more for each word skipped.
    #[must_use]
    pub fn cycles(self, code: Code) -> u32 {
        match self.table {
            Table::Avre => avre(code),
            Table::AvrXt => avr_xt(code),
        }
    }

    /// How words become instructions on a part with that many bytes of flash.
    #[must_use]
    pub fn variant(self, flash: usize) -> Variant {
        let io = if self.maps_registers { 0x20 } else { 0 };
        // The program counter of such a part has as many bits as its flash needs (Atmel-2586, 5.2).
        let wraps = flash <= WRAPPING_FLASH && flash.is_power_of_two();
        let reach = if wraps { (flash / 2).max(1) as u32 } else { SPACE as u32 };
        Variant { extended: flash > LOW_FLASH, io, mul: self.mul, jmp: self.jmp, reach }
    }

    /// The extension that the undefined instruction `opcode` belongs to, if any.
    #[must_use]
    pub fn missing_extension(self, opcode: u16) -> Option<&'static str> {
        if decode(opcode, 0, 0, 1, self.variant(LOW_FLASH + 1)).code != Code::Undefined {
            return None;
        }
        let with = |mul: bool, jmp: bool| {
            let variant = Variant { mul: self.mul || mul, jmp: self.jmp || jmp, ..self.variant(0) };
            decode(opcode, 0, 0, 1, variant).code != Code::Undefined
        };
        [("mul", with(true, false)), ("jmp", with(false, true))]
            .into_iter()
            .find(|each| each.1)
            .map(|each| each.0)
    }
}

/// What a conditional branch takes more when it branches, on every core.
pub const TAKEN: u32 = 1;

/// What a load from flash through data space takes more than one from SRAM (AVRxt only). DS40002198,
/// at LD, LDD, LDS and POP: their cycles hold for internal RAM, and an access to non-volatile memory
/// takes at least one more.
pub const FROM_FLASH: u64 = 1;

/// DS40002198, chapter 6 "Appendix A", column AVRe; the same figures are in the instruction set
/// summaries of the ATmega328P (DS40002061) and of the ATmega128 (doc2467).
fn avre(code: Code) -> u32 {
    match code {
        Code::Outside | Code::Undefined | Code::Stop => 0,
        Code::Adiw | Code::Sbiw => 2,
        Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => 2,
        Code::Ld | Code::LdInc | Code::LdDec | Code::Lds => 2,
        Code::St | Code::StInc | Code::StDec | Code::Sts => 2,
        Code::Push | Code::Pop | Code::Sbi | Code::Cbi => 2,
        Code::Lpm | Code::LpmInc | Code::Elpm | Code::ElpmInc => 3,
        Code::Rjmp | Code::Ijmp => 2,
        Code::Jmp | Code::Rcall | Code::Icall => 3,
        Code::Call | Code::Ret | Code::Reti => 4,
        _ => 1,
    }
}

/// The same appendix, column AVRxt, for a 16-bit program counter: where it differs from AVRe.
fn avr_xt(code: Code) -> u32 {
    match code {
        Code::St | Code::StInc | Code::StDec | Code::Push | Code::Sbi | Code::Cbi => 1,
        Code::Lds => 3,
        Code::Rcall | Code::Icall => 2,
        Code::Call => 3,
        _ => avre(code),
    }
}
