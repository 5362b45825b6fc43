//! The loop that runs a program.

use pennyweight_machine::guard::Guard;
use pennyweight_machine::{Access, FaultKind};

use crate::cpu::{io, Cpu, Sram, Stack, DATA};
use crate::decode::SPACE;
use crate::flags::Flags;
use crate::op::{Code, Op};
use crate::program::Program;

/// The return address of a function that was called from outside.
pub(crate) const SENTINEL: u16 = 0xffff;

/// No value of SP: nothing was called, so nothing returns.
pub(crate) const NO_CALLER: u32 = u32::MAX;

/// A core between runs.
#[derive(Clone)]
pub(crate) struct State {
    /// Registers, I/O and SRAM.
    pub data: Box<[u8; DATA]>,
    /// Flags.
    pub flags: Flags,
    /// Stack pointer and watch.
    pub stack: Stack,
    /// Word address of the next instruction.
    pub pc: usize,
}

/// What bounds a run.
pub(crate) struct Bounds<'a> {
    /// Where SRAM lies.
    pub sram: Sram,
    /// Permissions, when the loop runs guarded.
    pub guard: &'a Guard,
    /// Cycles after which the run stops, at a jump; at most 2^31.
    pub cycles: u32,
    /// SP as it is once the function called from outside has returned; [`NO_CALLER`] if none was.
    pub top: u32,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The function returned, or the stop mark was reached.
    Done,
    /// The cycles were used up.
    Cycles,
    /// One instruction was executed, as asked.
    Stepped,
    /// A fault of the instruction at this word address.
    Fault(FaultKind, usize),
}

/// Runs until something stops it. Returns why, and the cycles and instructions spent (packed as in
/// [`Program`]).
///
/// `GUARD` compiles the checks of guard zones in; `STEP` stops after one instruction.
pub(crate) fn run<const GUARD: bool, const STEP: bool>(
    program: &Program,
    ops: &[Op; SPACE],
    state: &mut State,
    bounds: &Bounds<'_>,
) -> (Stop, u64) {
    let mut cpu = Cpu::<GUARD> {
        data: &mut state.data,
        flags: state.flags,
        stack: state.stack,
        sram: bounds.sram,
        guard: bounds.guard,
    };
    let remaining = &program.remaining;
    let mut pc = state.pc % SPACE;
    let mut account = remaining[pc];
    // The last jump taken: to blame if it leads outside the program.
    let mut jumped = pc;

    let stop = loop {
        let at = pc;
        let op = &ops[at % SPACE];
        pc = at + 1;

        // Ends the run with the fault of the instruction at `at`, which does not count.
        macro_rules! fault {
            ($kind:expr) => {{
                pc = at;
                break Stop::Fault($kind, at);
            }};
        }
        macro_rules! ok {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(kind) => fault!(kind),
                }
            };
        }
        // Goes to the direct target; `account` moves by a constant.
        macro_rules! jump {
            () => {{
                account = account.wrapping_add(program.jump[at % SPACE]);
                pc = op.imm as usize;
                jumped = at;
                if account as u32 >= bounds.cycles {
                    // `account` is a little more than what was spent: look closely.
                    let spent = account.wrapping_sub(remaining[pc % SPACE]);
                    if spent as u32 >= bounds.cycles {
                        break Stop::Cycles;
                    }
                }
            }};
        }
        macro_rules! branch {
            ($condition:expr) => {
                if $condition {
                    jump!();
                }
            };
        }
        // A skip needs no look at the cycles: it leads forward.
        macro_rules! skip {
            ($condition:expr) => {
                if $condition {
                    account = account.wrapping_add(program.jump[at % SPACE]);
                    pc = op.imm as usize;
                }
            };
        }
        // Goes to a target known only now.
        macro_rules! jump_to {
            ($target:expr) => {{
                let target: usize = $target;
                if target >= program.words() && !returned(target, &cpu.stack, bounds) {
                    fault!(outside(target));
                }
                account = account.wrapping_add(remaining[target % SPACE]).wrapping_sub(remaining[pc % SPACE]);
                pc = target;
                jumped = at;
                if account.wrapping_sub(remaining[target % SPACE]) as u32 >= bounds.cycles {
                    break Stop::Cycles;
                }
            }};
        }
        macro_rules! binary {
            ($method:ident) => {{
                let result = cpu.flags.$method(cpu.reg(op.a), cpu.reg(op.b));
                cpu.set(op.a, result);
            }};
        }
        macro_rules! immediate {
            ($method:ident) => {{
                let result = cpu.flags.$method(cpu.reg(op.a), op.b);
                cpu.set(op.a, result);
            }};
        }
        macro_rules! unary {
            ($method:ident) => {{
                let result = cpu.flags.$method(cpu.reg(op.a));
                cpu.set(op.a, result);
            }};
        }
        macro_rules! logic {
            ($result:expr) => {{
                let result = cpu.flags.logic($result);
                cpu.set(op.a, result);
            }};
        }

        match op.code {
            Code::Nop | Code::Wdr => {}
            Code::Add => binary!(add),
            Code::Adc => binary!(adc),
            Code::Sub => binary!(sub),
            Code::Sbc => binary!(sbc),
            Code::And => logic!(cpu.reg(op.a) & cpu.reg(op.b)),
            Code::Or => logic!(cpu.reg(op.a) | cpu.reg(op.b)),
            Code::Eor => logic!(cpu.reg(op.a) ^ cpu.reg(op.b)),
            Code::Cp => {
                cpu.flags.sub(cpu.reg(op.a), cpu.reg(op.b));
            }
            Code::Cpc => {
                cpu.flags.sbc(cpu.reg(op.a), cpu.reg(op.b));
            }
            Code::Mov => cpu.set(op.a, cpu.reg(op.b)),
            Code::Movw => {
                let (low, high) = (cpu.reg(op.b), cpu.reg(op.b | 1));
                cpu.set(op.a, low);
                cpu.set(op.a | 1, high);
            }
            Code::Mul => {
                let product = u16::from(cpu.reg(op.a)) * u16::from(cpu.reg(op.b));
                let result = cpu.flags.mul(product);
                cpu.set_pair(0, result);
            }
            Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => {
                let (a, b) = (cpu.reg(op.a), cpu.reg(op.b));
                let (signed_a, signed_b) = (i16::from(a as i8), i16::from(b as i8));
                let product = match op.code {
                    Code::Muls | Code::Fmuls => signed_a.wrapping_mul(signed_b) as u16,
                    Code::Mulsu | Code::Fmulsu => signed_a.wrapping_mul(i16::from(b)) as u16,
                    _ => u16::from(a) * u16::from(b),
                };
                let result = match op.code {
                    Code::Muls | Code::Mulsu => cpu.flags.mul(product),
                    _ => cpu.flags.fmul(product),
                };
                cpu.set_pair(0, result);
            }
            Code::Cpi => {
                cpu.flags.sub(cpu.reg(op.a), op.b);
            }
            Code::Subi => immediate!(sub),
            Code::Sbci => immediate!(sbc),
            Code::Ori => logic!(cpu.reg(op.a) | op.b),
            Code::Andi => logic!(cpu.reg(op.a) & op.b),
            Code::Ldi => cpu.set(op.a, op.b),
            Code::Adiw => {
                let result = cpu.flags.adiw(cpu.pair(op.a), op.b);
                cpu.set_pair(op.a, result);
            }
            Code::Sbiw => {
                let result = cpu.flags.sbiw(cpu.pair(op.a), op.b);
                cpu.set_pair(op.a, result);
            }
            Code::Com => unary!(com),
            Code::Neg => {
                let result = cpu.flags.sub(0, cpu.reg(op.a));
                cpu.set(op.a, result);
            }
            Code::Swap => cpu.set(op.a, cpu.reg(op.a).rotate_left(4)),
            Code::Inc => unary!(inc),
            Code::Dec => unary!(dec),
            Code::Asr => unary!(asr),
            Code::Lsr => unary!(lsr),
            Code::Ror => unary!(ror),

            Code::Ld => {
                let address = cpu.pair(op.b).wrapping_add(u16::from(op.c));
                let value = ok!(cpu.load(address));
                cpu.set(op.a, value);
            }
            Code::LdInc => {
                let address = cpu.pair(op.b);
                let value = ok!(cpu.load(address));
                cpu.set_pair(op.b, address.wrapping_add(1));
                cpu.set(op.a, value);
            }
            Code::LdDec => {
                let address = cpu.pair(op.b).wrapping_sub(1);
                let value = ok!(cpu.load(address));
                cpu.set_pair(op.b, address);
                cpu.set(op.a, value);
            }
            Code::St => {
                let address = cpu.pair(op.b).wrapping_add(u16::from(op.c));
                ok!(cpu.store(address, cpu.reg(op.a)));
            }
            Code::StInc => {
                let address = cpu.pair(op.b);
                ok!(cpu.store(address, cpu.reg(op.a)));
                cpu.set_pair(op.b, address.wrapping_add(1));
            }
            Code::StDec => {
                let address = cpu.pair(op.b).wrapping_sub(1);
                ok!(cpu.store(address, cpu.reg(op.a)));
                cpu.set_pair(op.b, address);
            }
            Code::Lds => {
                let value = ok!(cpu.load(op.imm as u16));
                cpu.set(op.a, value);
                pc = at + 2;
            }
            Code::Sts => {
                ok!(cpu.store(op.imm as u16, cpu.reg(op.a)));
                pc = at + 2;
            }
            Code::In => {
                let value = ok!(cpu.load(op.imm as u16));
                cpu.set(op.a, value);
            }
            Code::Out => ok!(cpu.store(op.imm as u16, cpu.reg(op.a))),
            Code::Sbi => ok!(cpu.store(op.imm as u16, ok!(cpu.load(op.imm as u16)) | op.b)),
            Code::Cbi => ok!(cpu.store(op.imm as u16, ok!(cpu.load(op.imm as u16)) & !op.b)),
            Code::Lpm => {
                let value = ok!(flash(program, cpu.pair(30).into()));
                cpu.set(op.a, value);
            }
            Code::LpmInc => {
                let address = cpu.pair(30);
                let value = ok!(flash(program, address.into()));
                cpu.set_pair(30, address.wrapping_add(1));
                cpu.set(op.a, value);
            }
            Code::Elpm | Code::ElpmInc => {
                let page = cpu.data[usize::from(io::RAMPZ)];
                let address = u32::from(page) << 16 | u32::from(cpu.pair(30));
                let value = ok!(flash(program, address));
                if op.code == Code::ElpmInc {
                    let next = address + 1;
                    cpu.set_pair(30, next as u16);
                    cpu.data[usize::from(io::RAMPZ)] = (next >> 16) as u8;
                }
                cpu.set(op.a, value);
            }
            Code::Spm => {
                let page = if program.words() > 0x8000 { cpu.data[usize::from(io::RAMPZ)] } else { 0 };
                let address = u32::from(page) << 16 | u32::from(cpu.pair(30));
                fault!(FaultKind::FlashWrite { address });
            }
            Code::Push => ok!(cpu.push(cpu.reg(op.a))),
            Code::Pop => {
                let value = ok!(cpu.pop());
                cpu.set(op.a, value);
            }

            Code::Rjmp | Code::Jmp => jump!(),
            Code::Rcall => {
                ok!(cpu.push_address(at + 1));
                jump!();
            }
            Code::Call => {
                ok!(cpu.push_address(at + 2));
                jump!();
            }
            Code::Ijmp => jump_to!(usize::from(cpu.pair(30))),
            Code::Icall => {
                ok!(cpu.push_address(at + 1));
                jump_to!(usize::from(cpu.pair(30)));
            }
            Code::Ret | Code::Reti => {
                let target = ok!(cpu.pop_address());
                if op.code == Code::Reti {
                    cpu.flags.it |= 0x80;
                }
                if returned(target, &cpu.stack, bounds) {
                    break Stop::Done;
                }
                jump_to!(target);
            }
            Code::Brcs => branch!(cpu.flags.c != 0),
            Code::Brcc => branch!(cpu.flags.c == 0),
            Code::Breq => branch!(cpu.flags.z == 0),
            Code::Brne => branch!(cpu.flags.z != 0),
            Code::Brmi => branch!(cpu.flags.n & 0x80 != 0),
            Code::Brpl => branch!(cpu.flags.n & 0x80 == 0),
            Code::Brvs => branch!(cpu.flags.v()),
            Code::Brvc => branch!(!cpu.flags.v()),
            Code::Brlt => branch!(cpu.flags.s()),
            Code::Brge => branch!(!cpu.flags.s()),
            Code::Brhs => branch!(cpu.flags.h & 0x10 != 0),
            Code::Brhc => branch!(cpu.flags.h & 0x10 == 0),
            Code::Brts => branch!(cpu.flags.it & 0x40 != 0),
            Code::Brtc => branch!(cpu.flags.it & 0x40 == 0),
            Code::Brie => branch!(cpu.flags.it & 0x80 != 0),
            Code::Brid => branch!(cpu.flags.it & 0x80 == 0),
            Code::Cpse => skip!(cpu.reg(op.a) == cpu.reg(op.b)),
            Code::Sbrc => skip!(cpu.reg(op.a) & op.b == 0),
            Code::Sbrs => skip!(cpu.reg(op.a) & op.b != 0),
            Code::Sbic => skip!(ok!(cpu.load(op.a.into())) & op.b == 0),
            Code::Sbis => skip!(ok!(cpu.load(op.a.into())) & op.b != 0),

            Code::Bset => cpu.flags = Flags::from_sreg(cpu.flags.sreg() | op.b),
            Code::Bclr => cpu.flags = Flags::from_sreg(cpu.flags.sreg() & !op.b),
            Code::Bst => {
                let t = if cpu.reg(op.a) & op.b == 0 { 0 } else { 0x40 };
                cpu.flags.it = cpu.flags.it & 0x80 | t;
            }
            Code::Bld => {
                let t = if cpu.flags.it & 0x40 == 0 { 0 } else { op.b };
                cpu.set(op.a, cpu.reg(op.a) & !op.b | t);
            }
            Code::Sleep => fault!(FaultKind::Asleep),
            Code::Break => fault!(FaultKind::Trap { opcode: 0x9598 }),
            Code::Undefined => fault!(FaultKind::Undefined { opcode: op.imm }),
            Code::Stop => {
                pc = at;
                break Stop::Done;
            }
            Code::Outside => {
                pc = at;
                if returned(at, &cpu.stack, bounds) {
                    break Stop::Done; // by IJMP
                }
                break Stop::Fault(outside(at), culprit(program, jumped, at));
            }
        }
        if STEP {
            break Stop::Stepped;
        }
    };
    state.flags = cpu.flags;
    state.stack = cpu.stack;
    state.pc = pc;
    (stop, account.wrapping_sub(remaining[pc % SPACE]))
}

/// A byte of flash.
#[inline(always)]
fn flash(program: &Program, address: u32) -> Result<u8, FaultKind> {
    match program.flash.get(address as usize) {
        Some(&byte) => Ok(byte),
        None => Err(FaultKind::Unmapped { address, size: 1, access: Access::Read }),
    }
}

/// Has the function that was called from outside returned to `target`?
#[inline(always)]
fn returned(target: usize, stack: &Stack, bounds: &Bounds<'_>) -> bool {
    target == usize::from(SENTINEL) && u32::from(stack.pointer) == bounds.top
}

#[cold]
fn outside(pc: usize) -> FaultKind {
    FaultKind::Unmapped { address: 2 * pc as u32, size: 2, access: Access::Execute }
}

/// The instruction that led to `outside`: the last jump taken if it goes there (an indirect one is
/// checked before it is taken), else the instruction before it.
#[cold]
fn culprit(program: &Program, jumped: usize, outside: usize) -> usize {
    if program.ops[jumped % SPACE].imm as usize == outside {
        return jumped;
    }
    let reaches = |back: usize| {
        let before = &program.ops[outside.wrapping_sub(back) % SPACE];
        before.code != Code::Outside && before.words() as usize == back
    };
    [2, 1].into_iter().find(|&back| reaches(back)).map_or(outside, |back| outside - back)
}
