//! The loop that runs a program.

use pennyweight_machine::guard::Watch;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};

use crate::alu;
use crate::bus::{Bus, Map, Memory};
use crate::core::{from, Core};
use crate::decode::decode;
use crate::flags::Flags;
use crate::instruction::{Alu, Instruction, SP};
use crate::multiplier::Multiplier;
use crate::op::{with_pairs, Code, Op};
use crate::program::{words, Program, INSTRUCTION, SPACE};
use crate::timing::cycles;

/// The return address of a function that was called from outside: the reset vector's, where there is
/// never code.
pub const SENTINEL: u16 = 0xfffe;

/// No value of SP: nothing was called, so nothing returns.
pub const NO_CALLER: u32 = u32::MAX;

/// A core between runs.
#[derive(Clone)]
pub struct State {
    /// The address space.
    pub memory: Box<Memory>,
    /// R0 to R15; see [`Core::registers`].
    pub registers: [u16; 16],
    /// Flags.
    pub flags: Flags,
    /// The multiplier's registers.
    pub multiplier: Multiplier,
    /// The stack's high-water mark.
    pub watch: StackWatch,
    /// Word address of the next instruction.
    pub pc: usize,
}

/// What bounds a run.
pub struct Bounds {
    /// Where things lie.
    pub map: Map,
    /// Cycles after which the run stops, at a jump; at most 2^31.
    pub cycles: u32,
    /// SP once the function called from outside has returned; [`NO_CALLER`] if none was.
    pub top: u32,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
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
/// `watch` is asked before each data access; `STEP` stops after one instruction.
pub fn run<W: Watch, const STEP: bool>(
    program: &Program,
    ops: &[Op; SPACE],
    state: &mut State,
    watch: W,
    bounds: &Bounds,
) -> (Stop, u64) {
    let mut core = Core {
        registers: &mut state.registers,
        flags: state.flags,
        bus: Bus {
            memory: &mut state.memory,
            map: bounds.map,
            multiplier: &mut state.multiplier,
            guard: watch,
            watch: state.watch,
        },
    };
    let remaining = &program.remaining;
    let mut pc = state.pc % SPACE;
    let mut account = remaining[pc];
    // The last jump taken: to blame if it leads outside the program.
    let mut jumped = pc;

    let stop = loop {
        let at = pc;
        let op = &ops[at];
        pc = (at + usize::from(op.words)) % SPACE;

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
        // Goes to the op's target; `account` moves by a constant.
        macro_rules! jump {
            () => {{
                account = account.wrapping_add(program.jump[at]);
                pc = usize::from(op.y) % SPACE;
                jumped = at;
                if account as u32 >= bounds.cycles {
                    // `account` is a little more than what was spent: look closely.
                    let spent = account.wrapping_sub(remaining[pc]);
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
        // Goes to an address known only now.
        macro_rules! jump_to {
            ($target:expr) => {{
                let target: u16 = $target;
                if target & !1 == SENTINEL && u32::from(core.register(SP)) == bounds.top {
                    break Stop::Done;
                }
                let target = usize::from(target >> 1);
                account = account.wrapping_add(remaining[target]).wrapping_sub(remaining[pc]);
                pc = target;
                jumped = at;
                if account.wrapping_sub(remaining[pc]) as u32 >= bounds.cycles {
                    break Stop::Cycles;
                }
            }};
        }
        // Executes an instruction in the general way. Its core is a copy, so that the loop's own needs
        // no address and can live in the host's registers.
        macro_rules! general {
            ($instruction:expr) => {{
                let bus = Bus {
                    memory: &mut *core.bus.memory,
                    map: bounds.map,
                    multiplier: &mut *core.bus.multiplier,
                    guard: watch,
                    watch: core.bus.watch,
                };
                let copy = Core { registers: &mut *core.registers, flags: core.flags, bus };
                let (flags, watch, result) = execute_general(copy, $instruction, 2 * at as u16);
                core.flags = flags;
                core.bus.watch = watch;
                ok!(result)
            }};
        }
        macro_rules! pair {
            ($($alu:ident: $rr:ident $ir:ident $xr:ident $pr:ident $rx:ident $ix:ident $xx:ident $px:ident
               $brr:ident $bir:ident $bxr:ident $bpr:ident $brx:ident $bix:ident $bxx:ident $bpx:ident,)+) => {
                match op.code {
                    $(
                        Code::$rr => ok!(core.register_two::<{ from::REGISTER }>(Alu::$alu, false, op)),
                        Code::$ir => ok!(core.register_two::<{ from::VALUE }>(Alu::$alu, false, op)),
                        Code::$xr => ok!(core.register_two::<{ from::MEMORY }>(Alu::$alu, false, op)),
                        Code::$pr => ok!(core.register_two::<{ from::INCREMENT }>(Alu::$alu, false, op)),
                        Code::$rx => ok!(core.memory_two::<{ from::REGISTER }>(Alu::$alu, false, op)),
                        Code::$ix => ok!(core.memory_two::<{ from::VALUE }>(Alu::$alu, false, op)),
                        Code::$xx => ok!(core.memory_two::<{ from::MEMORY }>(Alu::$alu, false, op)),
                        Code::$px => ok!(core.memory_two::<{ from::INCREMENT }>(Alu::$alu, false, op)),
                        Code::$brr => ok!(core.register_two::<{ from::REGISTER }>(Alu::$alu, true, op)),
                        Code::$bir => ok!(core.register_two::<{ from::VALUE }>(Alu::$alu, true, op)),
                        Code::$bxr => ok!(core.register_two::<{ from::MEMORY }>(Alu::$alu, true, op)),
                        Code::$bpr => ok!(core.register_two::<{ from::INCREMENT }>(Alu::$alu, true, op)),
                        Code::$brx => ok!(core.memory_two::<{ from::REGISTER }>(Alu::$alu, true, op)),
                        Code::$bix => ok!(core.memory_two::<{ from::VALUE }>(Alu::$alu, true, op)),
                        Code::$bxx => ok!(core.memory_two::<{ from::MEMORY }>(Alu::$alu, true, op)),
                        Code::$bpx => ok!(core.memory_two::<{ from::INCREMENT }>(Alu::$alu, true, op)),
                    )+
                    Code::AddSp => ok!(core.move_stack(Alu::Add, op)),
                    Code::SubSp => ok!(core.move_stack(Alu::Sub, op)),
                    Code::ClearCarry => core.flags.c = 0,
                    Code::SetCarry => core.flags.c = 1,
                    Code::RrcR => {
                        let value = alu::rrc(&mut core.flags, false, core.registers[usize::from(op.b & 15)]);
                        core.set(op.b, value);
                    }
                    Code::RrcbR => {
                        let value = alu::rrc(&mut core.flags, true, core.registers[usize::from(op.b & 15)]);
                        core.set(op.b, value);
                    }
                    Code::RraR => {
                        let value = alu::rra(&mut core.flags, false, core.registers[usize::from(op.b & 15)]);
                        core.set(op.b, value);
                    }
                    Code::RrabR => {
                        let value = alu::rra(&mut core.flags, true, core.registers[usize::from(op.b & 15)]);
                        core.set(op.b, value);
                    }
                    Code::SwpbR => core.set(op.b, core.register(op.b).swap_bytes()),
                    Code::SxtR => {
                        let value = alu::sxt(&mut core.flags, core.registers[usize::from(op.b & 15)]);
                        core.set(op.b, value);
                    }
                    Code::PushR => ok!(core.push(core.register(op.a))),
                    Code::PushI => ok!(core.push(op.x)),
                    Code::CallI => {
                        ok!(core.push(op.x));
                        jump!();
                    }
                    Code::CallR => {
                        let target = core.register(op.a);
                        ok!(core.push(op.x));
                        jump_to!(target);
                    }
                    Code::Ret => {
                        let target = ok!(core.pop());
                        jump_to!(target);
                    }
                    Code::Jump => jump!(),
                    Code::Jne => branch!(!core.flags.z()),
                    Code::Jeq => branch!(core.flags.z()),
                    Code::Jnc => branch!(core.flags.c == 0),
                    Code::Jc => branch!(core.flags.c != 0),
                    Code::Jn => branch!(core.flags.n()),
                    Code::Jge => branch!(core.flags.n() == core.flags.v()),
                    Code::Jl => branch!(core.flags.n() != core.flags.v()),
                    Code::General => {
                        let next = general!(&program.general[usize::from(op.x)]);
                        if usize::from(next >> 1) != pc {
                            jump_to!(next);
                        }
                    }
                    Code::Undecoded => {
                        let address = 2 * at as u16;
                        if !bounds.map.is_code(address) {
                            let kind = FaultKind::Unmapped {
                                address: u32::from(address),
                                size: 2,
                                access: Access::Execute,
                            };
                            break Stop::Fault(kind, jumped);
                        }
                        let instruction = decode(address, words(core.bus.memory, at));
                        pc = (at + usize::from(instruction.words)) % SPACE;
                        let next = general!(&instruction);
                        let cost = INSTRUCTION + u64::from(cycles(&instruction));
                        account = account.wrapping_add(cost).wrapping_add(remaining[pc]);
                        if usize::from(next >> 1) != pc {
                            jump_to!(next);
                        }
                    }
                    Code::Stop => {
                        pc = at;
                        break Stop::Done;
                    }
                }
            };
        }
        with_pairs!(pair);
        if STEP {
            break Stop::Stepped;
        }
    };
    state.flags = core.flags;
    state.watch = core.bus.watch;
    state.pc = pc;
    (stop, account.wrapping_sub(remaining[pc]))
}

/// See `general!`.
#[inline(never)]
fn execute_general<W: Watch>(
    mut core: Core<'_, W>,
    instruction: &Instruction,
    address: u16,
) -> (Flags, StackWatch, Result<u16, FaultKind>) {
    let result = core.general(instruction, address);
    (core.flags, core.bus.watch, result)
}
