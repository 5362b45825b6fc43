//! Instructions as text, for messages.

use crate::decode::Variant;
use crate::op::{Code, Op};

/// The instruction `op` at word address `pc` as the manual writes it. Jumps and branches show their
/// target as a byte address, as objdump does.
#[must_use]
pub fn disassemble(op: &Op, pc: u32, variant: Variant) -> String {
    let io = |address: u32| address.wrapping_sub(variant.io.into());
    let name = format!("{:?}", op.code).to_lowercase();
    let Op { a, b, c, imm, .. } = *op;
    let bit = b.trailing_zeros();
    let target = 2 * imm;
    let pointer = match b {
        26 => 'X',
        28 => 'Y',
        _ => 'Z',
    };
    match op.code {
        Code::Outside | Code::Stop => format!("; {name} at {:#x}", 2 * pc),
        Code::Undefined => format!(".word {imm:#06x}"),
        Code::Nop | Code::Wdr | Code::Sleep | Code::Break | Code::Spm => name,
        Code::Ijmp | Code::Icall | Code::Ret | Code::Reti => name,
        Code::Add | Code::Adc | Code::Sub | Code::Sbc | Code::And | Code::Or | Code::Eor => two(&name, a, b),
        Code::Cp | Code::Cpc | Code::Cpse | Code::Mov | Code::Movw | Code::Mul | Code::Muls => {
            two(&name, a, b)
        }
        Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => two(&name, a, b),
        Code::Cpi
        | Code::Subi
        | Code::Sbci
        | Code::Ori
        | Code::Andi
        | Code::Ldi
        | Code::Adiw
        | Code::Sbiw => {
            format!("{name} r{a}, {b:#04x}")
        }
        Code::Com | Code::Neg | Code::Swap | Code::Inc | Code::Dec | Code::Asr | Code::Lsr | Code::Ror => {
            format!("{name} r{a}")
        }
        Code::Push | Code::Pop => format!("{name} r{a}"),
        Code::Ld if b == 26 => format!("ld r{a}, X"),
        Code::St if b == 26 => format!("st X, r{a}"),
        Code::Ld => format!("ldd r{a}, {pointer}+{c}"),
        Code::St => format!("std {pointer}+{c}, r{a}"),
        Code::LdInc => format!("ld r{a}, {pointer}+"),
        Code::LdDec => format!("ld r{a}, -{pointer}"),
        Code::StInc => format!("st {pointer}+, r{a}"),
        Code::StDec => format!("st -{pointer}, r{a}"),
        Code::Lds => format!("lds r{a}, {imm:#06x}"),
        Code::Sts => format!("sts {imm:#06x}, r{a}"),
        Code::In => format!("in r{a}, {:#04x}", io(imm)),
        Code::Out => format!("out {:#04x}, r{a}", io(imm)),
        Code::Sbi | Code::Cbi => format!("{name} {:#04x}, {bit}", io(imm)),
        Code::Sbic | Code::Sbis => format!("{name} {:#04x}, {bit}", io(a.into())),
        Code::Lpm | Code::Elpm => format!("{name} r{a}, Z"),
        Code::LpmInc => format!("lpm r{a}, Z+"),
        Code::ElpmInc => format!("elpm r{a}, Z+"),
        Code::Rjmp | Code::Jmp | Code::Rcall | Code::Call => format!("{name} {target:#06x}"),
        Code::Bset | Code::Bclr => format!("{name} {bit}"),
        Code::Bst | Code::Bld | Code::Sbrc | Code::Sbrs => format!("{name} r{a}, {bit}"),
        _ => format!("{name} {target:#06x}"),
    }
}

fn two(name: &str, a: u8, b: u8) -> String {
    format!("{name} r{a}, r{b}")
}
