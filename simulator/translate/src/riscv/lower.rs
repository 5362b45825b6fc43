//! RISC-V's operations in the intermediate form.

use pennyweight_riscv::op::{Code, Op};
use pennyweight_riscv::registers::Reg;

use crate::ir::{Alignment, Binary, Expr, Memory, Step, Unary, Width};

/// The value of a register.
#[must_use]
pub fn value(reg: Reg) -> Expr {
    match reg {
        Reg::X0 | Reg::Sink => Expr::Constant(0),
        other => Expr::Register(other as u8),
    }
}

/// The condition of a branch.
#[must_use]
pub fn condition(op: &Op) -> Option<Expr> {
    let operation = match op.code {
        Code::Beq => Binary::Equal,
        Code::Bne => Binary::NotEqual,
        Code::Blt => Binary::LessSigned,
        Code::Bge => Binary::NotLessSigned,
        Code::Bltu => Binary::Less,
        Code::Bgeu => Binary::NotLess,
        _ => return None,
    };
    Some(Expr::binary(operation, value(op.n), value(op.m)))
}

/// The address that a load reads, unless it is on the stack.
#[must_use]
pub fn address_read(op: &Op) -> Option<Expr> {
    let loads = matches!(op.code, Code::Lb | Code::Lbu | Code::Lh | Code::Lhu | Code::Lw);
    (loads && op.n != Reg::SP).then(|| value(op.n).plus(op.imm))
}

/// Adds the effects of `op`, which does not jump, to `steps`. False: it is not translated.
#[must_use]
pub fn lower(op: &Op, steps: &mut Vec<Step>) -> bool {
    let (n, m) = (value(op.n), value(op.m));
    let step = match op.code {
        Code::Nop => return true,
        Code::AddiSp => Step::SetStack(n.plus(op.imm)),
        Code::AddSp => Step::SetStack(Expr::binary(Binary::Add, n, m)),
        Code::Lb => load(op, Width::Byte, true),
        Code::Lbu => load(op, Width::Byte, false),
        Code::Lh => load(op, Width::Half, true),
        Code::Lhu => load(op, Width::Half, false),
        Code::Lw => load(op, Width::Word, false),
        Code::Sb => store(op, Width::Byte),
        Code::Sh => store(op, Width::Half),
        Code::Sw => store(op, Width::Word),
        _ => {
            if let Code::Div | Code::Divu | Code::Rem | Code::Remu = op.code {
                let signed = matches!(op.code, Code::Div | Code::Rem);
                steps.push(Step::Division { dividend: n, divisor: m, signed });
            }
            let Some(result) = result(op) else { return false };
            if op.d == Reg::Sink {
                return true;
            }
            Step::Set(op.d as u8, result)
        }
    };
    steps.push(step);
    true
}

fn load(op: &Op, width: Width, signed: bool) -> Step {
    let to = (op.d != Reg::Sink).then_some(op.d as u8);
    let (memory, alignment, address) = (Memory::Any, Alignment::Strict, value(op.n).plus(op.imm));
    Step::Load { memory, alignment, to, address, width, signed }
}

fn store(op: &Op, width: Width) -> Step {
    let (alignment, address) = (Alignment::Strict, value(op.n).plus(op.imm));
    Step::Store { alignment, address, value: value(op.m), width }
}

/// The result of an operation on registers.
fn result(op: &Op) -> Option<Expr> {
    use Binary::{
        Add, And, Less, LessSigned, Multiply, MultiplyHigh, MultiplyHighMixed, MultiplyHighSigned, Or,
        Quotient, QuotientSigned, Remainder, RemainderSigned, RotateLeft, RotateRight, ShiftLeft, ShiftRight,
        ShiftRightSigned, Subtract, Xor,
    };
    let (n, m) = (value(op.n), value(op.m));
    let immediate = |operation, n| Expr::binary(operation, n, Expr::Constant(op.imm));
    let both = |operation, n, m| Expr::binary(operation, n, m);
    let not = |value| Expr::binary(Xor, value, Expr::Constant(u32::MAX));
    let left = |value, amount| Expr::binary(ShiftLeft, value, Expr::Constant(amount));
    let right = |value, amount| Expr::binary(ShiftRight, value, Expr::Constant(amount));
    let bit = |number| both(ShiftLeft, Expr::Constant(1), number);
    let masked = |value, mask| Expr::binary(And, value, Expr::Constant(mask));
    Some(match op.code {
        Code::Constant => Expr::Constant(op.imm),
        Code::Move => n,
        Code::Addi => n.plus(op.imm),
        Code::Slti => immediate(LessSigned, n),
        Code::Sltiu => immediate(Less, n),
        Code::Xori => immediate(Xor, n),
        Code::Ori => immediate(Or, n),
        Code::Andi => immediate(And, n),
        Code::Slli => immediate(ShiftLeft, n),
        Code::Srli => immediate(ShiftRight, n),
        Code::Srai => immediate(ShiftRightSigned, n),
        Code::Add => both(Add, n, m),
        Code::Sub => both(Subtract, n, m),
        Code::Sll => both(ShiftLeft, n, m),
        Code::Slt => both(LessSigned, n, m),
        Code::Sltu => both(Less, n, m),
        Code::Xor => both(Xor, n, m),
        Code::Srl => both(ShiftRight, n, m),
        Code::Sra => both(ShiftRightSigned, n, m),
        Code::Or => both(Or, n, m),
        Code::And => both(And, n, m),
        Code::Mul => both(Multiply, n, m),
        Code::Mulh => both(MultiplyHighSigned, n, m),
        Code::Mulhsu => both(MultiplyHighMixed, n, m),
        Code::Mulhu => both(MultiplyHigh, n, m),
        Code::Div => both(QuotientSigned, n, m),
        Code::Divu => both(Quotient, n, m),
        Code::Rem => both(RemainderSigned, n, m),
        Code::Remu => both(Remainder, n, m),
        Code::Sh1add => both(Add, left(n, 1), m),
        Code::Sh2add => both(Add, left(n, 2), m),
        Code::Sh3add => both(Add, left(n, 3), m),
        Code::Andn => both(And, n, not(m)),
        Code::Orn => both(Or, n, not(m)),
        Code::Xnor => not(both(Xor, n, m)),
        Code::Rol => both(RotateLeft, n, m),
        Code::Ror => both(RotateRight, n, m),
        Code::Rori => immediate(RotateRight, n),
        Code::Rev8 => {
            let ends = |value: Expr, by| masked(Expr::binary(RotateRight, value, Expr::Constant(by)), 0xff);
            let high = left(ends(n.clone(), 0), 24);
            let inner = both(Or, left(ends(n.clone(), 8), 16), left(ends(n.clone(), 16), 8));
            both(Or, both(Or, high, inner), ends(n, 24))
        }
        Code::Clz => Expr::unary(Unary::LeadingZeros, n),
        Code::Ctz => Expr::unary(Unary::TrailingZeros, n),
        Code::Cpop => Expr::unary(Unary::Ones, n),
        Code::SextB => Expr::unary(Unary::SignedByte, n),
        Code::SextH => Expr::unary(Unary::SignedHalf, n),
        Code::ZextH => masked(n, 0xffff),
        Code::Pack => both(Or, masked(n, 0xffff), left(m, 16)),
        Code::Packh => both(Or, masked(n, 0xff), left(masked(m, 0xff), 8)),
        Code::Max => Expr::choice(both(LessSigned, n.clone(), m.clone()), m, n),
        Code::Maxu => Expr::choice(both(Less, n.clone(), m.clone()), m, n),
        Code::Min => Expr::choice(both(LessSigned, n.clone(), m.clone()), n, m),
        Code::Minu => Expr::choice(both(Less, n.clone(), m.clone()), n, m),
        Code::OrcB => {
            // The top bit of each byte that is not zero; then that bit in all places of the byte.
            let low = both(Add, masked(n.clone(), 0x7f7f_7f7f), Expr::Constant(0x7f7f_7f7f));
            let top = right(masked(both(Or, low, n), 0x8080_8080), 7);
            Expr::binary(Multiply, top, Expr::Constant(0xff))
        }
        Code::Brev8 => [(0x5555_5555, 1), (0x3333_3333, 2), (0x0f0f_0f0f, 4)]
            .into_iter()
            .fold(n, |x, (mask, by)| both(Or, left(masked(x.clone(), mask), by), masked(right(x, by), mask))),
        Code::Bclr => both(And, n, not(bit(m))),
        Code::Bclri => both(And, n, not(bit(Expr::Constant(op.imm)))),
        Code::Bext => masked(both(ShiftRight, n, m), 1),
        Code::Bexti => masked(immediate(ShiftRight, n), 1),
        Code::Binv => both(Xor, n, bit(m)),
        Code::Binvi => both(Xor, n, bit(Expr::Constant(op.imm))),
        Code::Bset => both(Or, n, bit(m)),
        Code::Bseti => both(Or, n, bit(Expr::Constant(op.imm))),
        // Rare, and long in WebAssembly.
        Code::Zip | Code::Unzip => return None,
        _ => return None,
    })
}
