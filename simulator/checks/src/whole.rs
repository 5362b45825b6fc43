//! What every lock step with QEMU has in common besides QEMU: telling a mismatch, and holding a run
//! as a whole against single steps.

use pennyweight_machine::{Exit, Machine, Outcome};

/// What a program came to by single steps.
#[derive(Clone, Copy, Debug)]
pub struct Stepped<'a, M> {
    /// Our machine at the program's end.
    pub machine: &'a M,
    /// Instructions executed.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
}

/// A run must end in the same state as single steps, at the same cost, and leave the same `memory`
/// (address, bytes). `states` shows two machines that differ, `None` if they do not.
///
/// # Errors
/// It does not; the sentence says how.
pub fn agree<M: Machine>(
    seed: u64,
    whole: (&M, Outcome),
    stepped: Stepped<'_, M>,
    memory: (u32, u32),
    states: impl FnOnce(&M, &M) -> Option<String>,
) -> Result<(), String> {
    let (machine, outcome) = whole;
    let Stepped { instructions, cycles, .. } = stepped;
    if outcome.exit != Exit::Returned {
        return Err(format!("seed {seed}: run as a whole, the program ends with {:?}", outcome.exit));
    }
    if let Some(states) = states(machine, stepped.machine) {
        return Err(format!(
            "seed {seed}: run as a whole, the program ends in another state than step by step\n{states}"
        ));
    }
    if (outcome.instructions, outcome.cycles) != (instructions, cycles) {
        return Err(format!(
            "seed {seed}: run as a whole, the program takes {} instructions and {} cycles, step by step {instructions} and {cycles}",
            outcome.instructions, outcome.cycles
        ));
    }
    let bytes = |machine: &M| {
        let mut bytes = vec![0; memory.1 as usize];
        machine.read(memory.0, &mut bytes).map(|()| bytes)
    };
    if bytes(machine) != bytes(stepped.machine) {
        return Err(format!(
            "seed {seed}: run as a whole, the program leaves other memory than step by step"
        ));
    }
    Ok(())
}

/// A mismatch after the instruction at `previous`, of a program at `base`.
#[must_use]
pub fn mismatch(
    seed: u64,
    count: u64,
    (code, base): (&[u8], u32),
    previous: Option<u32>,
    states: &str,
) -> String {
    let after = match previous {
        Some(pc) => format!("after {} at {pc:#x}", instruction(code, base, pc)),
        None => "at the start".into(),
    };
    format!("seed {seed}: mismatch {after}, instruction {count}\n{states}")
}

/// The two halfwords at `pc` of a program at `base`.
#[must_use]
pub fn instruction(code: &[u8], base: u32, pc: u32) -> String {
    let start = pc.wrapping_sub(base) as usize;
    match code.get(start..start.saturating_add(4)) {
        Some(&[a, b, c, d]) => {
            format!("{:04x} {:04x}", u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
        }
        _ => "an instruction outside the program".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{instruction, mismatch};

    #[test]
    fn a_mismatch_tells_the_instruction_before_it() {
        let code = [0x78, 0x56, 0x34, 0x12];
        assert_eq!(instruction(&code, 0x100, 0x100), "5678 1234");
        assert_eq!(instruction(&code, 0x100, 0x104), "an instruction outside the program");
        let told = mismatch(7, 3, (&code, 0x100), Some(0x100), "pc");
        assert_eq!(told, "seed 7: mismatch after 5678 1234 at 0x100, instruction 3\npc");
    }
}
