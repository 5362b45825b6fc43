//! Semantics (ISA reference manual, chapter 6), one arm per operation.

use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::bus::DataBus;

use crate::core::Options;
use crate::decode::{plain, B4CONST, B4CONSTU};
use crate::op::{Code, Flow, Op, Reg, Registers};

type Step = Result<Flow, FaultKind>;

/// Executes `op`; `sar` is the shift amount register, `fault` is set if it faults. Return addresses are
/// the caller's.
#[inline(always)]
pub fn execute<B: DataBus>(
    op: &Op,
    r: &mut Registers,
    sar: &mut u32,
    bus: &mut B,
    fault: &mut FaultKind,
) -> Flow {
    step(op, r, sar, bus).unwrap_or_else(|kind| {
        *fault = kind;
        Flow::Fault
    })
}

#[inline(always)]
#[allow(clippy::too_many_lines)] // One match is what makes the loop fast; each arm is a line or two.
fn step<B: DataBus>(op: &Op, r: &mut Registers, sar: &mut u32, bus: &mut B) -> Step {
    let (s, t, imm) = (r[op.s], r[op.t], op.imm);
    let signed = |x: u32| x as i32;
    match op.code {
        Code::Constant => r[op.d] = imm,
        Code::Move => r[op.d] = s,
        Code::Addi => r[op.d] = s.wrapping_add(imm),
        Code::Add => r[op.d] = s.wrapping_add(t),
        Code::Addx2 => r[op.d] = (s << 1).wrapping_add(t),
        Code::Addx4 => r[op.d] = (s << 2).wrapping_add(t),
        Code::Addx8 => r[op.d] = (s << 3).wrapping_add(t),
        Code::Sub => r[op.d] = s.wrapping_sub(t),
        Code::Subx2 => r[op.d] = (s << 1).wrapping_sub(t),
        Code::Subx4 => r[op.d] = (s << 2).wrapping_sub(t),
        Code::Subx8 => r[op.d] = (s << 3).wrapping_sub(t),
        Code::And => r[op.d] = s & t,
        Code::Or => r[op.d] = s | t,
        Code::Xor => r[op.d] = s ^ t,
        Code::Neg => r[op.d] = t.wrapping_neg(),
        Code::Abs => r[op.d] = signed(t).wrapping_abs() as u32,
        Code::Slli => r[op.d] = s << (imm & 31),
        Code::Srli => r[op.d] = t >> (imm & 31),
        Code::Srai => r[op.d] = (signed(t) >> (imm & 31)) as u32,
        Code::Extui => r[op.d] = t >> (imm & 31) & ((1 << (imm >> 5 & 31)) - 1),
        Code::Sll => r[op.d] = (u64::from(s) << 32 >> (*sar & 63)) as u32,
        Code::Srl => r[op.d] = (u64::from(t) >> (*sar & 63)) as u32,
        Code::Sra => r[op.d] = (i64::from(signed(t)) >> (*sar & 63)) as u32,
        Code::Src => r[op.d] = ((u64::from(s) << 32 | u64::from(t)) >> (*sar & 63)) as u32,
        Code::Ssr => *sar = s & 31,
        Code::Ssl => *sar = 32 - (s & 31),
        Code::Ssa8l => *sar = (s & 3) * 8,
        Code::Ssa8b => *sar = 32 - (s & 3) * 8,
        Code::Ssai => *sar = imm,
        Code::Nsa => r[op.d] = (if signed(s) < 0 { !s } else { s }).leading_zeros() - 1,
        Code::Nsau => r[op.d] = s.leading_zeros(),
        Code::Mul16u => r[op.d] = (s & 0xffff).wrapping_mul(t & 0xffff),
        Code::Mul16s => r[op.d] = i32::from(s as i16).wrapping_mul(i32::from(t as i16)) as u32,
        Code::Mull => r[op.d] = s.wrapping_mul(t),
        Code::Muluh => r[op.d] = ((u64::from(s) * u64::from(t)) >> 32) as u32,
        Code::Mulsh => r[op.d] = ((i64::from(signed(s)) * i64::from(signed(t))) >> 32) as u32,
        // Division by zero is an exception.
        Code::Quou => r[op.d] = s.checked_div(t).ok_or(FaultKind::Trap { opcode: 0 })?,
        Code::Remu => r[op.d] = s.checked_rem(t).ok_or(FaultKind::Trap { opcode: 0 })?,
        Code::Quos if t == 0 => return Err(FaultKind::Trap { opcode: 0 }),
        Code::Rems if t == 0 => return Err(FaultKind::Trap { opcode: 0 }),
        Code::Quos => r[op.d] = signed(s).wrapping_div(signed(t)) as u32,
        Code::Rems => r[op.d] = signed(s).wrapping_rem(signed(t)) as u32,
        Code::Min => r[op.d] = signed(s).min(signed(t)) as u32,
        Code::Max => r[op.d] = signed(s).max(signed(t)) as u32,
        Code::Minu => r[op.d] = s.min(t),
        Code::Maxu => r[op.d] = s.max(t),
        Code::Sext => r[op.d] = (signed(s << (31 - (imm & 31))) >> (31 - (imm & 31))) as u32,
        Code::Clamps => r[op.d] = signed(s).clamp(-(1 << (imm & 31)), (1 << (imm & 31)) - 1) as u32,
        Code::Moveqz => r[op.d] = if t == 0 { s } else { r[op.d] },
        Code::Movnez => r[op.d] = if t == 0 { r[op.d] } else { s },
        Code::Movltz => r[op.d] = if signed(t) < 0 { s } else { r[op.d] },
        Code::Movgez => r[op.d] = if signed(t) < 0 { r[op.d] } else { s },

        Code::L8ui => r[op.d] = u32::from(bus.load_byte(s.wrapping_add(imm))?),
        Code::L16ui => r[op.d] = u32::from(bus.load_half(s.wrapping_add(imm))?),
        Code::L16si => r[op.d] = i32::from(bus.load_half(s.wrapping_add(imm))? as i16) as u32,
        Code::L32i => r[op.d] = bus.load_word(s.wrapping_add(imm))?,
        Code::L32r => r[op.d] = bus.load_word(imm)?,
        Code::S8i => bus.store_byte(s.wrapping_add(imm), t as u8)?,
        Code::S16i => bus.store_half(s.wrapping_add(imm), t as u16)?,
        Code::S32i => bus.store_word(s.wrapping_add(imm), t)?,

        Code::L32rSp => {
            let value = bus.load_word(imm)?;
            set_sp(r, bus, value)?;
        }
        Code::AddiSp => set_sp(r, bus, s.wrapping_add(imm))?,
        Code::OtherSp => return other_sp(op, r, sar, bus),

        Code::Beqz => return branch(s == 0),
        Code::Bnez => return branch(s != 0),
        Code::Bltz => return branch(signed(s) < 0),
        Code::Bgez => return branch(signed(s) >= 0),
        Code::Beqi => return branch(s == constant(op)),
        Code::Bnei => return branch(s != constant(op)),
        Code::Blti => return branch(signed(s) < signed(constant(op))),
        Code::Bgei => return branch(signed(s) >= signed(constant(op))),
        Code::Bltui => return branch(s < B4CONSTU[usize::from(op.d.0 & 15)]),
        Code::Bgeui => return branch(s >= B4CONSTU[usize::from(op.d.0 & 15)]),
        Code::Beq => return branch(s == t),
        Code::Bne => return branch(s != t),
        Code::Blt => return branch(signed(s) < signed(t)),
        Code::Bge => return branch(signed(s) >= signed(t)),
        Code::Bltu => return branch(s < t),
        Code::Bgeu => return branch(s >= t),
        Code::Bany => return branch(s & t != 0),
        Code::Bnone => return branch(s & t == 0),
        Code::Ball => return branch(!s & t == 0),
        Code::Bnall => return branch(!s & t != 0),
        Code::Bbc => return branch(s >> (t & 31) & 1 == 0),
        Code::Bbs => return branch(s >> (t & 31) & 1 == 1),
        Code::Bbci => return branch(s >> (op.d.0 & 31) & 1 == 0),
        Code::Bbsi => return branch(s >> (op.d.0 & 31) & 1 == 1),
        Code::J => return Ok(Flow::Taken),
        Code::Jx => return Ok(Flow::To(s)),
        Code::Call0 => return Ok(Flow::Call(imm)),
        Code::Callx0 => return Ok(Flow::Call(s)),

        Code::RsrSar => r[op.d] = *sar,
        // The field has six bits.
        Code::WsrSar => *sar = t & 63,
        Code::XsrSar => r[op.d] = std::mem::replace(sar, t & 63),
        Code::RsrCcount => return Ok(Flow::Ccount),
        Code::Loop | Code::Loopnez | Code::Loopgtz => return Ok(Flow::Loop),
        Code::Special => return Ok(Flow::Special),
        Code::Nop => {}
        Code::Trap => return Err(FaultKind::Trap { opcode: imm }),
        Code::Waiti => return Err(FaultKind::Asleep),
        Code::Undefined => return Err(FaultKind::Undefined { opcode: imm }),
        Code::LoopEnd => return Ok(Flow::LoopEnd),
        Code::GoOn => return Ok(Flow::GoOn),
        Code::Leave => return Ok(Flow::Leave),
    }
    Ok(Flow::Next)
}

#[inline(always)]
fn constant(op: &Op) -> u32 {
    B4CONST[usize::from(op.d.0 & 15)]
}

#[inline(always)]
fn branch(condition: bool) -> Step {
    Ok(if condition { Flow::Taken } else { Flow::Next })
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
fn other_sp<B: DataBus>(op: &Op, r: &mut Registers, sar: &mut u32, bus: &mut B) -> Step {
    let again = plain(op.imm, 0, Options::ALL);
    let mut copy = *r;
    let flow = plain_step(&again, &mut copy, sar, bus)?;
    set_sp(r, bus, copy[Reg::SP])?;
    Ok(flow)
}

/// `step` as a separate function; what it is called with is never `OtherSp`.
fn plain_step<B: DataBus>(op: &Op, r: &mut Registers, sar: &mut u32, bus: &mut B) -> Step {
    if op.code == Code::OtherSp {
        return Err(FaultKind::Undefined { opcode: op.imm });
    }
    step(op, r, sar, bus)
}

/// The fault of a jump to `address`, which is in no memory.
#[must_use]
pub fn unmapped_jump(address: u32) -> FaultKind {
    FaultKind::Unmapped { address, size: 2, access: Access::Execute }
}
