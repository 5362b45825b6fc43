//! The loop that runs a program.

use std::marker::PhantomData;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{Access, FaultKind};
use pennyweight_memory::timing::{Fetch, FlashModel, FlashTiming, Models, Visit};

use crate::alu;
use crate::bus::{reach, unmapped, Bus, Map, Memory};
use crate::core::{from, Core};
use crate::cpu::{Cpu, Register as _};
use crate::flags::{Flags, GIE};
use crate::instruction::{Alu, Instruction, SP};
use crate::op::{with_pairs, Code, Op};
use crate::program::{words, Program, INSTRUCTION, SPACE};

/// The return address of a function that was called from outside: the reset vector's, where there is
/// never code.
pub const SENTINEL: u16 = 0xfffe;

/// No value of SP: nothing was called, so nothing returns.
pub const NO_CALLER: u32 = u32::MAX;

/// A core between runs.
#[derive(Clone)]
pub struct State<X: Cpu> {
    /// The address space.
    pub memory: Box<Memory>,
    /// R0 to R15; see [`Core::registers`].
    pub registers: [X::Register; 16],
    /// Flags.
    pub flags: Flags,
    /// The multiplier's registers.
    pub multiplier: X::Multiplier,
    /// The stack's high-water mark.
    pub watch: StackWatch,
    /// Word address of the next instruction.
    pub pc: usize,
    /// What one run of the loop passes on to the next one.
    #[cfg(feature = "translator")]
    pub flow: crate::translator::Flow,
}

impl<X: Cpu> State<X> {
    /// A register, of those that are kept here.
    pub fn register(&self, number: u8) -> u16 {
        self.registers[usize::from(number & 15)].word()
    }
}

/// Notes that a call begins at an address, for the timing of flash.
pub fn start<X: Cpu>(flash: &mut FlashModel, address: u32) {
    flash.visit(Start::<X>(address, PhantomData));
}

/// See [`start`].
struct Start<X>(u32, PhantomData<X>);

impl<X: Cpu> Visit for Start<X> {
    type Output = ();
    const MODELS: Models = X::MODELS;

    fn visit<T: FlashTiming, F: Fetch>(self, mut timing: T, _: &mut F) -> (T, ()) {
        timing.start(self.0);
        (timing, ())
    }
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
pub fn run<W: Watch, X: Cpu, const STEP: bool>(
    program: &Program,
    ops: &[Op; SPACE],
    state: &mut State<X>,
    flash: &mut FlashModel,
    watch: W,
    bounds: &Bounds,
) -> (Stop, u64) {
    flash.visit(Loop::<'_, W, X, STEP> { program, ops, state, watch, bounds })
}

/// See [`run`]: its arguments but the timing of flash.
struct Loop<'a, W, X: Cpu, const STEP: bool> {
    program: &'a Program,
    ops: &'a [Op; SPACE],
    state: &'a mut State<X>,
    watch: W,
    bounds: &'a Bounds,
}

impl<W: Watch, X: Cpu, const STEP: bool> Visit for Loop<'_, W, X, STEP> {
    type Output = (Stop, u64);
    const MODELS: Models = X::MODELS;

    fn visit<T: FlashTiming, F: Fetch>(self, mut timing: T, _: &mut F) -> (T, (Stop, u64)) {
        let Loop { program, ops, state, watch, bounds } = self;
        let ended = run_with::<W, T, X, STEP>(program, ops, state, &mut timing, watch, bounds);
        (timing, ended)
    }
}

/// See [`run`]: with a timing of flash of one type.
pub fn run_with<W: Watch, T: FlashTiming, X: Cpu, const STEP: bool>(
    program: &Program,
    ops: &[Op; SPACE],
    state: &mut State<X>,
    timing: &mut T,
    watch: W,
    bounds: &Bounds,
) -> (Stop, u64) {
    let waited = timing.stalls();
    let mut core = Core::<W, T, X> {
        registers: &mut state.registers,
        flags: state.flags,
        bus: Bus {
            memory: &mut state.memory,
            map: bounds.map,
            multiplier: &mut state.multiplier,
            timing,
            guard: watch,
            watch: state.watch,
        },
    };
    let remaining = &program.remaining;
    let mut pc = state.pc % SPACE;
    let mut account = remaining[pc];
    // The last jump taken: to blame if it leads outside the program.
    let mut jumped = pc;
    #[cfg(feature = "translator")]
    {
        jumped = state.flow.jumped.take().unwrap_or(jumped);
        state.flow.returned = false;
    }
    // Cycles that flash has added before the instruction in progress.
    let mut settled = 0;

    let stop = loop {
        let at = pc;
        let op = &ops[at];
        pc = (at + usize::from(op.words)) % SPACE;
        if T::ACTIVE {
            settled = core.bus.timing.stalls() - waited;
            if op.words != 0 {
                core.bus.timing.instruction(2 * at as u32, op.words.into());
            }
        }

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
        // Are the cycles of an account, with those that flash adds, used up?
        macro_rules! is_over {
            ($account:expr) => {
                if T::ACTIVE {
                    let stalls = core.bus.timing.stalls() - waited;
                    u64::from($account as u32) + stalls >= u64::from(bounds.cycles)
                } else {
                    $account as u32 >= bounds.cycles
                }
            };
        }
        // Goes to the op's target; `account` moves by a constant.
        macro_rules! jump {
            () => {{
                account = account.wrapping_add(program.jump[at]);
                pc = usize::from(op.y) % SPACE;
                jumped = at;
                // `account` is a little more than what was spent: look closely.
                if is_over!(account) && is_over!(account.wrapping_sub(remaining[pc])) {
                    break Stop::Cycles;
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
                if target & !1 == SENTINEL && core.whole(SP).bits() == bounds.top {
                    #[cfg(feature = "translator")]
                    {
                        state.flow.returned = true;
                    }
                    break Stop::Done;
                }
                let target = usize::from(target >> 1) % SPACE;
                account = account.wrapping_add(remaining[target]).wrapping_sub(remaining[pc]);
                pc = target;
                jumped = at;
                if is_over!(account.wrapping_sub(remaining[pc])) {
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
                    timing: &mut *core.bus.timing,
                    guard: watch,
                    watch: core.bus.watch,
                };
                let repeated = X::repeated($instruction, core.registers, core.flags);
                let copy = Core { registers: &mut *core.registers, flags: core.flags, bus };
                let (flags, watch, result) = execute_general::<W, T, X>(copy, $instruction, 2 * at as u16);
                core.flags = flags;
                core.bus.watch = watch;
                let next = ok!(result);
                account = account.wrapping_add(repeated.into());
                next
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
                    Code::ClearInterrupts => core.flags.control &= !GIE,
                    Code::Nop => {}
                    Code::RrcR => {
                        let value = core.rrc(false, core.register(op.b));
                        core.set(op.b, value);
                    }
                    Code::RrcbR => {
                        let value = core.rrc(true, core.register(op.b));
                        core.set(op.b, value);
                    }
                    Code::RraR => {
                        let before = core.register(op.b);
                        let value = alu::rra(&mut core.flags, false, before);
                        core.set(op.b, value);
                    }
                    Code::RrabR => {
                        let before = core.register(op.b);
                        let value = alu::rra(&mut core.flags, true, before);
                        core.set(op.b, value);
                    }
                    Code::SwpbR => core.set(op.b, core.register(op.b).swap_bytes()),
                    Code::SxtR => core.extend_sign(op.b),
                    Code::PushR => ok!(core.push(core.register(op.a))),
                    Code::PushI => ok!(core.push(op.x)),
                    Code::PushStatus => ok!(core.push(core.flags.sr())),
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
                    Code::Reti => {
                        let status = ok!(core.pop());
                        core.flags = Flags::from_sr(status);
                        let target = ok!(core.pop());
                        ok!(core.awake());
                        jump_to!(ok!(reach(X::page(status) | u32::from(target & !1))));
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
                            break Stop::Fault(unmapped(address.into(), false, Access::Execute), jumped);
                        }
                        if T::ACTIVE {
                            core.bus.timing.jump(address.into(), false);
                        }
                        let instruction = X::decode(address, words(core.bus.memory, at));
                        pc = (at + usize::from(instruction.words)) % SPACE;
                        let next = general!(&instruction);
                        let cost = INSTRUCTION + u64::from(X::cycles(&instruction));
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
    let stalls = match stop {
        Stop::Fault(..) => settled,
        _ => core.bus.timing.stalls() - waited,
    };
    state.flags = core.flags;
    state.watch = core.bus.watch;
    state.pc = pc;
    #[cfg(feature = "translator")]
    {
        state.flow.last = jumped;
    }
    (stop, account.wrapping_sub(remaining[pc]).wrapping_add(stalls))
}

/// See `general!`.
#[inline(never)]
fn execute_general<W: Watch, T: FlashTiming, X: Cpu>(
    mut core: Core<'_, W, T, X>,
    instruction: &Instruction,
    address: u16,
) -> (Flags, StackWatch, Result<u16, FaultKind>) {
    let result = core.general(instruction, address);
    (core.flags, core.bus.watch, result)
}
