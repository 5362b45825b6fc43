//! The program as a whole, in translated code.

use pennyweight_machine::account::Tally;
use pennyweight_machine::{Exit, Machine};
use pennyweight_msp430::translator::{Cpu, Cpux, Original, Register as _};
use pennyweight_msp430::{Microcontroller, Registers};
use pennyweight_translate::marked::Marked;
use pennyweight_translate::Engine;

use super::super::{board, Set, FLASH};
use super::Running;

/// Cycles of a jump.
const JUMP: u64 = 2;

/// Runs the program in translated code, which must end as the steps did, at the same cost. Returns how often
/// translated code ran.
///
/// The budget ends the program, in the jump to itself.
///
/// # Errors
/// It ends differently; the message describes the difference.
pub fn translated(running: &Running<'_>, steps: Tally) -> Result<u64, String> {
    match running.set {
        Set::Original => run::<Original>(running, steps),
        Set::Shared | Set::Cpux => run::<Cpux>(running, steps),
    }
}

fn run<X: Cpu>(running: &Running<'_>, steps: Tally) -> Result<u64, String> {
    let bytes: Vec<u8> = running.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let board = board(running.set);
    let machine = || Microcontroller::<X>::with_flash(&board, &bytes).map_err(|error| error.to_string());
    let (mut interpreter, mut translator) = (machine()?, Marked::around(machine()?));
    translator.set_engine(Engine::Translator);
    let prepare = |machine: &mut Microcontroller<X>| {
        let written = machine.write(running.set.ram().0.into(), &running.ram);
        let mut registers = Registers([X::Register::default(); 16]);
        registers.0[0] = X::Register::of(FLASH.into());
        machine.set_registers(&registers);
        written.map_err(|error| format!("{error:?}"))
    };
    prepare(&mut interpreter)?;
    prepare(translator.inner_mut())?;
    let (theirs, ours) = (interpreter.resume(steps.cycles), translator.resume(steps.cycles));
    if ours != theirs {
        return Err(format!("translated, the program ends with {ours:?}, interpreted with {theirs:?}"));
    }
    let end = Exit::OutOfCycles { pc: running.end.into() };
    // Behind the last step, the jump to itself has run once, unless that step was a jump.
    let more = ours.instructions.wrapping_sub(steps.instructions);
    let is_end = more <= 1 && ours.cycles == steps.cycles + more * JUMP;
    if ours.exit != end || !is_end {
        return Err(format!("run as a whole, the program ends with {ours:?}, but took {steps:?}"));
    }
    let registers = translator.inner().registers().0.map(X::Register::bits);
    if registers != running.machine.all() {
        let stepped = running.machine.all();
        return Err(format!("translated, the registers are {registers:x?}, in single steps {stepped:x?}"));
    }
    let mut memories = [vec![0; running.ram.len()], vec![0; running.ram.len()]];
    let address = running.set.ram().0.into();
    let [left, right] = &mut memories;
    translator.read(address, left).map_err(|error| format!("{error:?}"))?;
    running.machine.read(address, right).map_err(|error| format!("{error:?}"))?;
    if left != right {
        return Err("translated, the memory differs from that of single steps".into());
    }
    Ok(translator.runs())
}
