//! The loop that runs a program.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, FaultKind};

use crate::cpu::{Cpu, Map, Stack, DATA};
use crate::decode::SPACE;
use crate::flags::Flags;
use crate::op::{Code, Op};
use crate::program::Program;
use crate::sequences::instructions;

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
pub(crate) struct Bounds {
    /// The layout of data space.
    pub map: Map,
    /// Cycles after which the run stops, at a jump; at most 2^31.
    pub cycles: u32,
    /// SP once the function called from outside has returned; [`NO_CALLER`] if none was.
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
/// `watch` is asked before each data access; `XT`: see [`Cpu`]; `STEP` stops after one instruction.
pub(crate) fn run<W: Watch, const XT: bool, const STEP: bool>(
    program: &Program,
    ops: &[Op; SPACE],
    state: &mut State,
    watch: W,
    bounds: &Bounds,
) -> (Stop, u64) {
    let remaining = &program.remaining;
    let mut pc = state.pc % SPACE;
    let mut cpu = Cpu::<W, XT> {
        data: &mut state.data,
        flags: state.flags,
        stack: state.stack,
        map: bounds.map,
        watch,
        flash: &program.flash,
        account: remaining[pc],
    };
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
            () => {
                jump!(at, op)
            };
            ($at:expr, $op:expr) => {{
                cpu.account = cpu.account.wrapping_add(program.jump[$at % SPACE]);
                pc = $op.imm as usize;
                jumped = $at;
                if cpu.account as u32 >= bounds.cycles {
                    // `account` is a little more than what was spent: look closely.
                    let spent = cpu.account.wrapping_sub(remaining[pc % SPACE]);
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
        // Defines `method`: an instruction's method, applied to an op.
        macro_rules! methods {
            ($dollar:tt $($($code:ident)|+ $method:ident,)*) => {
                macro_rules! method {
                    $($(($code, $dollar op:expr) => { cpu.$method($dollar op) };)+)*
                }
            };
        }
        // Executes the instruction after the first ones of a sequence.
        macro_rules! next {
            (Brne) => {{
                let here = pc;
                pc = here + 1;
                if cpu.flags.z != 0 {
                    jump!(here, &ops[here % SPACE]);
                }
            }};
            ($code:ident) => {{
                let here = pc;
                pc = here + 1;
                if let Err(kind) = method!($code, &ops[here % SPACE]) {
                    pc = here;
                    break Stop::Fault(kind, here);
                }
            }};
        }
        // A skip needs no check of the cycles: it leads forward.
        macro_rules! skip {
            ($condition:expr) => {
                if $condition {
                    cpu.account = cpu.account.wrapping_add(program.jump[at % SPACE]);
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
                cpu.account =
                    cpu.account.wrapping_add(remaining[target % SPACE]).wrapping_sub(remaining[pc % SPACE]);
                pc = target;
                jumped = at;
                if cpu.account.wrapping_sub(remaining[target % SPACE]) as u32 >= bounds.cycles {
                    break Stop::Cycles;
                }
            }};
        }
        // The whole match: the given arms, an arm for each method and one for each sequence. The argument
        // begins with a dollar sign, for the parameter of `method`.
        macro_rules! choose {
            (
                { $dollar:tt $($arms:tt)* }
                methods { $($($code:ident)|+ $method:ident,)* }
                sequences { $($name:ident = $first:ident $($next:ident)+;)* }
            ) => {
                methods!($dollar $($($code)|+ $method,)*);
                match op.code {
                    $($(Code::$code)|+ => ok!(cpu.$method(op)),)*
                    $($arms)*
                    $(Code::$name => {
                        ok!(method!($first, op));
                        $(next!($next);)+
                    })*
                }
            };
        }
        instructions!(choose { $
            Code::Nop | Code::Wdr => {}
            Code::Lds => {
                ok!(cpu.lds(op));
                pc = at + 2;
            }
            Code::Sts => {
                ok!(cpu.sts(op));
                pc = at + 2;
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
                // AVRxt marks a handler's end in CPUINT.STATUS and leaves I alone (DS40002198, RETI).
                if op.code == Code::Reti && !XT {
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
        });
        if STEP {
            break Stop::Stepped;
        }
    };
    state.flags = cpu.flags;
    state.stack = cpu.stack;
    state.pc = pc;
    (stop, cpu.account.wrapping_sub(remaining[pc % SPACE]))
}

/// Has the function that was called from outside returned to `target`?
#[inline(always)]
fn returned(target: usize, stack: &Stack, bounds: &Bounds) -> bool {
    target == usize::from(SENTINEL) && u32::from(stack.pointer) == bounds.top
}

#[cold]
fn outside(pc: usize) -> FaultKind {
    FaultKind::Unmapped { address: 2 * pc as u32, size: 2, access: Access::Execute }
}

/// The instruction that led to `outside`: the last jump taken if it goes there (an indirect one is
/// checked before it is taken), else the instruction before it.
#[cold]
pub(crate) fn culprit(program: &Program, jumped: usize, outside: usize) -> usize {
    if program.ops[jumped % SPACE].imm as usize == outside {
        return jumped;
    }
    let reaches = |back: usize| {
        let before = &program.ops[outside.wrapping_sub(back) % SPACE];
        before.code != Code::Outside && before.words() as usize == back
    };
    [2, 1].into_iter().find(|&back| reaches(back)).map_or(outside, |back| outside - back)
}
