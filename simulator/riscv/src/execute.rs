//! Semantics, one arm per operation. References as in [`crate::decode`].

use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;

use crate::decode;
use crate::decode::zc::listed;
use crate::extensions::Extensions;
use crate::op::{Code, Divided, Flow, Frame, Op};
use crate::registers::{Reg, Registers};

type Step = Result<Flow, FaultKind>;

/// The word that LR.W has reserved.
pub type Reservation = Option<u32>;

/// Executes `op`. Return addresses and CSRs are the caller's.
#[inline(always)]
pub fn execute<B: DataBus>(
    op: &Op,
    r: &mut Registers,
    reserved: &mut Reservation,
    bus: &mut B,
    fault: &mut FaultKind,
) -> Flow {
    step(op, r, reserved, bus).unwrap_or_else(|kind| {
        *fault = kind;
        Flow::Fault
    })
}

#[inline(always)]
#[allow(clippy::too_many_lines)] // One match is what makes the loop fast; each arm is a line or two.
fn step<B: DataBus>(op: &Op, r: &mut Registers, reserved: &mut Reservation, bus: &mut B) -> Step {
    let (n, m, imm) = (r[op.n], r[op.m], op.imm);
    match op.code {
        Code::Constant => r[op.d] = imm,
        Code::Move => r[op.d] = n,
        Code::Addi => r[op.d] = n.wrapping_add(imm),
        Code::Slti => r[op.d] = u32::from((n as i32) < imm as i32),
        Code::Sltiu => r[op.d] = u32::from(n < imm),
        Code::Xori => r[op.d] = n ^ imm,
        Code::Ori => r[op.d] = n | imm,
        Code::Andi => r[op.d] = n & imm,
        Code::Slli => r[op.d] = n << (imm & 31),
        Code::Srli => r[op.d] = n >> (imm & 31),
        Code::Srai => r[op.d] = (n as i32 >> (imm & 31)) as u32,
        Code::Add => r[op.d] = n.wrapping_add(m),
        Code::Sub => r[op.d] = n.wrapping_sub(m),
        Code::Sll => r[op.d] = n << (m & 31),
        Code::Slt => r[op.d] = u32::from((n as i32) < m as i32),
        Code::Sltu => r[op.d] = u32::from(n < m),
        Code::Xor => r[op.d] = n ^ m,
        Code::Srl => r[op.d] = n >> (m & 31),
        Code::Sra => r[op.d] = (n as i32 >> (m & 31)) as u32,
        Code::Or => r[op.d] = n | m,
        Code::And => r[op.d] = n & m,

        Code::AddiSp => set_sp(r, bus, n.wrapping_add(imm))?,
        Code::AddSp => set_sp(r, bus, n.wrapping_add(m))?,
        Code::OtherSp => return other_sp(op, r, reserved, bus),

        Code::Mul => r[op.d] = n.wrapping_mul(m),
        Code::Mulh => r[op.d] = ((i64::from(n as i32) * i64::from(m as i32)) >> 32) as u32,
        Code::Mulhsu => r[op.d] = ((i64::from(n as i32) * i64::from(m)) >> 32) as u32,
        Code::Mulhu => r[op.d] = ((u64::from(n) * u64::from(m)) >> 32) as u32,
        Code::Div => return Ok(divide(r, op.d, signed_quotient(n, m), divided_signed(n, m))),
        Code::Divu => {
            return Ok(divide(r, op.d, n.checked_div(m).unwrap_or(u32::MAX), divided(n, m)));
        }
        Code::Rem => return Ok(divide(r, op.d, signed_remainder(n, m), divided_signed(n, m))),
        Code::Remu => return Ok(divide(r, op.d, n.checked_rem(m).unwrap_or(n), divided(n, m))),

        Code::Lb => r[op.d] = i32::from(bus.load_byte(n.wrapping_add(imm))? as i8) as u32,
        Code::Lh => r[op.d] = i32::from(bus.load_half(n.wrapping_add(imm))? as i16) as u32,
        Code::Lw => r[op.d] = bus.load_word(n.wrapping_add(imm))?,
        Code::Lbu => r[op.d] = u32::from(bus.load_byte(n.wrapping_add(imm))?),
        Code::Lhu => r[op.d] = u32::from(bus.load_half(n.wrapping_add(imm))?),
        Code::Sb => bus.store_byte(n.wrapping_add(imm), m as u8)?,
        Code::Sh => bus.store_half(n.wrapping_add(imm), m as u16)?,
        Code::Sw => bus.store_word(n.wrapping_add(imm), m)?,

        Code::Beq => return branch(n == m),
        Code::Bne => return branch(n != m),
        Code::Blt => return branch((n as i32) < m as i32),
        Code::Bge => return branch(n as i32 >= m as i32),
        Code::Bltu => return branch(n < m),
        Code::Bgeu => return branch(n >= m),
        Code::Jump | Code::Call => return Ok(Flow::Jump),
        Code::JumpReg | Code::CallReg | Code::Return => return Ok(Flow::JumpTo(n.wrapping_add(imm) & !1)),

        Code::LoadReserved => {
            r[op.d] = bus.load_word(n)?;
            *reserved = Some(n);
        }
        // Whether it succeeds or not, the reservation is gone.
        Code::StoreConditional => {
            if reserved.take() == Some(n) {
                bus.store_word(n, m)?;
                r[op.d] = 0;
            } else {
                refuse_misaligned(bus, n)?;
                r[op.d] = 1;
            }
        }
        Code::AmoSwap => modify(op, r, bus, |_, m| m)?,
        Code::AmoAdd => modify(op, r, bus, u32::wrapping_add)?,
        Code::AmoXor => modify(op, r, bus, |a, b| a ^ b)?,
        Code::AmoAnd => modify(op, r, bus, |a, b| a & b)?,
        Code::AmoOr => modify(op, r, bus, |a, b| a | b)?,
        Code::AmoMin => modify(op, r, bus, |a, b| (a as i32).min(b as i32) as u32)?,
        Code::AmoMax => modify(op, r, bus, |a, b| (a as i32).max(b as i32) as u32)?,
        Code::AmoMinu => modify(op, r, bus, Ord::min)?,
        Code::AmoMaxu => modify(op, r, bus, Ord::max)?,

        Code::Nop => {}
        Code::FenceI => return Ok(Flow::FenceI),
        Code::Csr => return Ok(Flow::Csr),
        Code::Trap => return Err(FaultKind::Trap { opcode: imm }),
        Code::Wfi => return Err(FaultKind::Asleep),
        Code::Undefined => return Err(FaultKind::Undefined { opcode: imm }),

        Code::Sh1add => r[op.d] = (n << 1).wrapping_add(m),
        Code::Sh2add => r[op.d] = (n << 2).wrapping_add(m),
        Code::Sh3add => r[op.d] = (n << 3).wrapping_add(m),
        Code::Andn => r[op.d] = n & !m,
        Code::Orn => r[op.d] = n | !m,
        Code::Xnor => r[op.d] = !(n ^ m),
        Code::Rol => r[op.d] = n.rotate_left(m & 31),
        Code::Ror => r[op.d] = n.rotate_right(m & 31),
        Code::Rori => r[op.d] = n.rotate_right(imm & 31),
        Code::Rev8 => r[op.d] = n.swap_bytes(),
        Code::Clz => r[op.d] = n.leading_zeros(),
        Code::Ctz => r[op.d] = n.trailing_zeros(),
        Code::Cpop => r[op.d] = n.count_ones(),
        Code::Max => r[op.d] = (n as i32).max(m as i32) as u32,
        Code::Maxu => r[op.d] = n.max(m),
        Code::Min => r[op.d] = (n as i32).min(m as i32) as u32,
        Code::Minu => r[op.d] = n.min(m),
        Code::SextB => r[op.d] = i32::from(n as i8) as u32,
        Code::SextH => r[op.d] = i32::from(n as i16) as u32,
        Code::ZextH => r[op.d] = n & 0xffff,
        Code::OrcB => {
            r[op.d] = u32::from_le_bytes(n.to_le_bytes().map(|byte| if byte == 0 { 0 } else { 0xff }));
        }
        Code::Brev8 => r[op.d] = n.reverse_bits().swap_bytes(),
        Code::Pack => r[op.d] = n & 0xffff | m << 16,
        Code::Packh => r[op.d] = n & 0xff | (m & 0xff) << 8,
        Code::Zip => r[op.d] = spread(n) | spread(n >> 16) << 1,
        Code::Unzip => r[op.d] = gather(n) | gather(n >> 1) << 16,

        Code::Bclr => r[op.d] = n & !bit(m),
        Code::Bclri => r[op.d] = n & !bit(imm),
        Code::Bext => r[op.d] = n >> (m & 31) & 1,
        Code::Bexti => r[op.d] = n >> (imm & 31) & 1,
        Code::Binv => r[op.d] = n ^ bit(m),
        Code::Binvi => r[op.d] = n ^ bit(imm),
        Code::Bset => r[op.d] = n | bit(m),
        Code::Bseti => r[op.d] = n | bit(imm),

        Code::Push => push(r, bus, Frame::of(imm))?,
        Code::Pop => pop(r, bus, Frame::of(imm))?,
        Code::PopReturn => {
            pop(r, bus, Frame::of(imm))?;
            return Ok(Flow::JumpTo(r[Reg::RA] & !1));
        }
        Code::PopReturnZero => {
            pop(r, bus, Frame::of(imm))?;
            r[Reg::A0] = 0;
            return Ok(Flow::JumpTo(r[Reg::RA] & !1));
        }
        Code::MoveToArguments => (r[Reg::A0], r[Reg::X11]) = (n, m),
        Code::MoveFromArguments => (r[op.d], r[op.m]) = (n, r[Reg::X11]),

        Code::GoOn => return Ok(Flow::GoOn),
        Code::Line => return Ok(Flow::Line),
        Code::Leave => return Ok(Flow::Leave),
    }
    Ok(Flow::Next)
}

#[inline(always)]
fn branch(condition: bool) -> Step {
    Ok(if condition { Flow::Taken } else { Flow::NotTaken })
}

#[inline(always)]
fn set_sp<B: DataBus>(r: &mut Registers, bus: &mut B, value: u32) -> Result<(), FaultKind> {
    bus.stack_pointer(value)?;
    r[Reg::SP] = value;
    Ok(())
}

/// An instruction that seldom writes the stack pointer: decoded again, so that no other
/// instruction pays for the watch.
#[inline(never)]
fn other_sp<B: DataBus>(op: &Op, r: &mut Registers, reserved: &mut Reservation, bus: &mut B) -> Step {
    // The address does not matter: AUIPC into sp is an operation of its own.
    let plain = decode::plain(op.imm, 0, Extensions::EVERY);
    let mut copy = *r;
    let flow = plain_step(&plain, &mut copy, reserved, bus)?;
    set_sp(r, bus, copy[Reg::SP])?;
    Ok(flow)
}

/// `step` as a function of its own; what it is called with is never `OtherSp`.
fn plain_step<B: DataBus>(op: &Op, r: &mut Registers, reserved: &mut Reservation, bus: &mut B) -> Step {
    if op.code == Code::OtherSp {
        return Err(FaultKind::Undefined { opcode: op.imm });
    }
    step(op, r, reserved, bus)
}

#[inline(always)]
fn divide(r: &mut Registers, d: Reg, result: u32, divided: Divided) -> Flow {
    r[d] = result;
    Flow::Divided(divided)
}

/// Division by zero gives -1; the one overflow gives the dividend (chapter "M").
fn signed_quotient(n: u32, m: u32) -> u32 {
    if m == 0 {
        u32::MAX
    } else {
        (n as i32).wrapping_div(m as i32) as u32
    }
}

fn signed_remainder(n: u32, m: u32) -> u32 {
    if m == 0 {
        n
    } else {
        (n as i32).wrapping_rem(m as i32) as u32
    }
}

/// Bits that the quotient can have, by the places of the highest ones; division by zero has all.
fn quotient_bits(n: u32, m: u32) -> u32 {
    if m == 0 {
        32
    } else {
        (m.leading_zeros() + 1).saturating_sub(n.leading_zeros())
    }
}

fn divided(n: u32, m: u32) -> Divided {
    Divided { bits: quotient_bits(n, m) as u8, negative: false, leading: m.leading_zeros() as u8 }
}

fn divided_signed(n: u32, m: u32) -> Divided {
    let bits = quotient_bits((n as i32).unsigned_abs(), (m as i32).unsigned_abs());
    let leading = if (m as i32) < 0 { m.leading_ones() - 1 } else { m.leading_zeros() };
    Divided { bits: bits as u8, negative: (n as i32) < 0, leading: leading as u8 }
}

/// The bit whose number is in the low five bits.
#[inline(always)]
fn bit(number: u32) -> u32 {
    1 << (number & 31)
}

/// CM.PUSH. The stack pointer is watched first: what is stored is above it at the end.
#[inline(never)]
fn push<B: DataBus>(r: &mut Registers, bus: &mut B, frame: Frame) -> Result<(), FaultKind> {
    let top = r[Reg::SP];
    bus.stack_pointer(top.wrapping_sub(frame.bytes))?;
    for number in 0..frame.registers {
        let address = top.wrapping_sub(4 * (frame.registers - number));
        bus.store_word(address, r[listed(number)])?;
    }
    r[Reg::SP] = top.wrapping_sub(frame.bytes);
    Ok(())
}

/// CM.POP.
#[inline(never)]
fn pop<B: DataBus>(r: &mut Registers, bus: &mut B, frame: Frame) -> Result<(), FaultKind> {
    let top = r[Reg::SP].wrapping_add(frame.bytes);
    let mut copy = *r;
    for number in 0..frame.registers {
        let address = top.wrapping_sub(4 * (frame.registers - number));
        copy[listed(number)] = bus.load_word(address)?;
    }
    *r = copy;
    set_sp(r, bus, top)
}

/// AMO: loads, stores what `combine` makes of it, returns the old value.
#[inline(always)]
fn modify<B: DataBus>(
    op: &Op,
    r: &mut Registers,
    bus: &mut B,
    combine: impl Fn(u32, u32) -> u32,
) -> Result<(), FaultKind> {
    let (address, operand) = (r[op.n], r[op.m]);
    let old = bus.load_word(address)?;
    bus.store_word(address, combine(old, operand))?;
    r[op.d] = old;
    Ok(())
}

/// SC.W to a misaligned address faults whether or not it would store.
fn refuse_misaligned<B: DataBus>(bus: &mut B, address: u32) -> Result<(), FaultKind> {
    if address & 3 != 0 {
        bus.store_word(address, 0)?;
    }
    Ok(())
}

/// Bits 0 to 15 to the even places.
fn spread(value: u32) -> u32 {
    let mut x = value & 0xffff;
    x = (x | x << 8) & 0x00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

/// The bits at even places to bits 0 to 15.
fn gather(value: u32) -> u32 {
    let mut x = value & 0x5555_5555;
    x = (x | x >> 1) & 0x3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff;
    (x | x >> 8) & 0xffff
}
