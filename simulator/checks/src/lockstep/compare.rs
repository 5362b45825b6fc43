//! The loop over random programs, and over each of them.

use std::collections::VecDeque;
use std::fmt::Write as _;

use pennyweight_machine::account::Tally;

use super::state::{unequal, Unequal};
use super::{Driver, Memory, Session, State};

/// Instructions that are shown before a difference.
const SHOWN: usize = 8;

/// How programs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Short programs.
    pub short: bool,
    /// After each comparison, changes one bit of the peer's state; exactly this change must be found.
    pub falsify: bool,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Random programs.
    pub programs: u64,
    /// Instructions executed on both sides.
    pub instructions: u64,
    /// Their cycles in Pennyweight.
    pub cycles: u64,
    /// States that were equal.
    pub states: u64,
    /// Changed states of the peer that were found.
    pub falsified: u64,
    /// The least number of different fields that were changed.
    pub fields: u64,
}

/// Why a lock step ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The program's seed.
    pub seed: u64,
    /// What differs, and the instructions before it.
    pub text: String,
}

/// Compares random programs until so many instructions agree. The first has the given seed, so that the
/// seed of a difference repeats its program. `progress` receives the total after each program.
///
/// # Errors
/// The first difference.
pub fn lockstep<D: Driver>(
    driver: &mut D,
    seed: u64,
    instructions: u64,
    mode: Mode,
    mut progress: impl FnMut(&Total),
) -> Result<Total, Difference> {
    let mut total = Total::default();
    while total.instructions < instructions {
        let seed = seed.wrapping_add(total.programs);
        let peer = driver.peer();
        let begun = driver.begin(seed, mode.short);
        begun
            .and_then(|session| Program { session, peer: &peer, mode, total: &mut total }.compare())
            .map_err(|text| Difference { seed, text: format!("seed {seed}: {text}") })?;
        total.programs += 1;
        progress(&total);
    }
    Ok(total)
}

/// One program, under way.
struct Program<'a, S> {
    session: S,
    peer: &'a str,
    mode: Mode,
    total: &'a mut Total,
}

impl<S: Session> Program<'_, S> {
    fn compare(&mut self) -> Result<(), String> {
        let mut spent = Tally::default();
        let mut recent = VecDeque::new();
        let mut before = None;
        loop {
            let mut batch = Vec::new();
            while batch.len() < S::BATCH {
                let next = self.session.ours().map_err(|what| {
                    format!("ours: {what}, {} compared instructions before it", spent.instructions)
                })?;
                match next {
                    Some(stretch) => batch.push(stretch),
                    None => break,
                }
            }
            if batch.is_empty() {
                break;
            }
            self.session.replay()?;
            for stretch in batch {
                recent.extend(&stretch.executed);
                recent.drain(..recent.len().saturating_sub(SHOWN));
                spent.instructions += stretch.spent.instructions;
                spent.cycles += stretch.spent.cycles;
                let theirs = self.session.theirs(&stretch.state)?;
                if theirs != stretch.state {
                    let fields = unequal(before.as_ref(), &stretch.state, &theirs);
                    return Err(self.difference(&recent, spent, &fields));
                }
                self.total.states += 1;
                if self.mode.falsify {
                    self.falsify(&stretch.state, theirs)?;
                }
                before = Some(stretch.state);
            }
        }
        self.memory()?;
        self.session.whole(spent)?;
        self.total.instructions += spent.instructions;
        self.total.cycles += spent.cycles;
        Ok(())
    }

    /// The last instructions and what differs after them.
    fn difference(&self, recent: &VecDeque<u32>, spent: Tally, fields: &[Unequal]) -> String {
        let mut text = match recent.len() {
            0 => format!("ours and {} differ at the start", self.peer),
            _ => format!(
                "ours and {} differ after {} instructions, the last of which are:",
                self.peer, spent.instructions
            ),
        };
        for &address in recent {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n  {address:#010x}  {}", self.session.instruction(address));
        }
        let _ = write!(text, "\n  {:12} {:>18} {:>18} {:>18}", "", "before", "ours", "the peer's");
        for Unequal { name, values: [before, ours, theirs] } in fields {
            let _ = write!(text, "\n  {name:12} {before:>18} {ours:>18} {theirs:>18}");
        }
        text
    }

    /// Changes a bit of one field of the peer's state, another field each time: the comparison must find
    /// this field and no other.
    fn falsify(&mut self, ours: &S::State, mut theirs: S::State) -> Result<(), String> {
        let which = self.total.falsified;
        let mut fields = theirs.fields();
        let count = fields.len() as u64;
        let field = &mut fields[(which % count) as usize];
        field.value.falsify((which / count) as u32);
        let name = field.name.to_string();
        let found = unequal(None, ours, &theirs);
        if theirs == *ours || !matches!(&found[..], [one] if one.name == name) {
            return Err(format!("a changed {name} of the peer is not found: {found:?}"));
        }
        self.total.falsified += 1;
        self.total.fields = self.total.fields.max((which + 1).min(count));
        Ok(())
    }

    fn memory(&mut self) -> Result<(), String> {
        let Some(mut memory) = self.session.memory()? else { return Ok(()) };
        if let Some(text) = self.other(&memory) {
            return Err(text);
        }
        if self.mode.falsify {
            let place = self.total.falsified as usize % memory.theirs.len().max(1);
            if let Some(byte) = memory.theirs.get_mut(place) {
                *byte ^= 1;
            }
            if self.other(&memory).is_none() {
                return Err(format!("a changed byte {place} of the peer's memory is not found"));
            }
        }
        Ok(())
    }

    /// The first byte in which memories differ.
    fn other(&self, memory: &Memory) -> Option<String> {
        let Memory { address, ours, theirs } = memory;
        if ours.len() != theirs.len() {
            return Some(format!("ours has {} bytes of memory, {} {}", ours.len(), self.peer, theirs.len()));
        }
        let place = ours.iter().zip(theirs).position(|(a, b)| a != b)?;
        Some(format!(
            "ours and {} differ at the end in memory at {:#010x}: {:#04x} and {:#04x}",
            self.peer,
            *address as usize + place,
            ours[place],
            theirs[place]
        ))
    }
}

#[cfg(test)]
pub(super) mod tests;
