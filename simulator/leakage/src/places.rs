//! Where values meet: the places of a core whose bits change, and the record of a change.

/// A place that holds one value after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A general register.
    Register,
    /// The latch of the first operand.
    Operand1,
    /// The latch of the second operand.
    Operand2,
    /// The data bus, read by the core.
    ReadBus,
    /// The data bus, written by the core.
    WriteBus,
    /// The data bus of a core that has one for both directions.
    DataBus,
    /// A register that shows in accesses to another one: the old value is this register's, the new one the
    /// other's. Nothing changes.
    Neighbour(u8),
    /// Bytes of RAM that are overwritten.
    Memory,
    /// The result of an operation that sets flags and has no destination, such as a comparison.
    Result,
}

impl Place {
    /// A stable name, for records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Place::Register => "register",
            Place::Operand1 => "operand 1",
            Place::Operand2 => "operand 2",
            Place::ReadBus => "read bus",
            Place::WriteBus => "write bus",
            Place::DataBus => "data bus",
            Place::Neighbour(_) => "neighbour",
            Place::Memory => "memory",
            Place::Result => "result",
        }
    }

    /// The two samples of a change: bits that change, and bits of the new value that are 1. A value next to
    /// a neighbour's is sampled where it is used.
    #[must_use]
    #[inline]
    pub fn samples(self, old: u32, new: u32) -> [u8; 2] {
        let ones = if matches!(self, Place::Neighbour(_)) { 0 } else { new.count_ones() };
        [(old ^ new).count_ones() as u8, ones as u8]
    }
}

/// What a value was made of: bit 0 the inputs that vary, the others random words by their number; the last
/// bit marks all further words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label(u128);

impl Label {
    /// The inputs that vary.
    pub const INPUT: Label = Label(1);
    /// Numbers of random words that are distinguished.
    pub const WORDS: u32 = 127;

    /// The random word of this number, from 0 on.
    #[must_use]
    pub fn word(number: u32) -> Label {
        Label(2 << number.min(Label::WORDS - 1))
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Label) -> Label {
        Label(self.0 | other.0)
    }

    /// Was it made of the inputs that vary?
    #[must_use]
    pub fn has_input(self) -> bool {
        self.0 & 1 != 0
    }

    /// The numbers of the random words that it was made of.
    pub fn words(self) -> impl Iterator<Item = u32> {
        (0..Label::WORDS).filter(move |number| self.0 >> (number + 1) & 1 != 0)
    }
}

/// A value and where it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The number of the instruction that put it into the place; `None` if it was in it from the start.
    pub set: Option<u32>,
    /// The number of the instruction that computed or loaded it; `None` if none did.
    pub made: Option<u32>,
    /// The register that held it.
    pub register: Option<u8>,
    /// Where in memory it was loaded from or stored to.
    pub address: Option<u32>,
    /// What it was made of.
    pub label: Label,
}

/// A change of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the instruction in the run.
    pub instruction: u32,
    /// The place.
    pub place: Place,
    /// The register, if the place is one.
    pub register: Option<u8>,
    /// The value before, where it came from in the first trace.
    pub old: Origin,
    /// The value after.
    pub new: Origin,
}

#[cfg(test)]
mod tests {
    use super::{Label, Place};

    #[test]
    fn samples_are_bits_that_change_and_ones() {
        assert_eq!(Place::Register.samples(0b1100, 0b1010), [2, 2]);
        assert_eq!(Place::DataBus.samples(0, 0xff), [8, 8]);
        // Nothing changes, and the value is sampled elsewhere.
        assert_eq!(Place::Neighbour(3).samples(0b1100, 0b1010), [2, 0]);
    }

    #[test]
    fn labels_name_what_a_value_was_made_of() {
        let mixed = Label::word(0).and(Label::INPUT).and(Label::word(70));
        assert!(mixed.has_input() && !Label::word(0).has_input());
        assert_eq!(mixed.words().collect::<Vec<_>>(), [0, 70]);
        // The last bit marks all later words.
        assert_eq!(Label::word(5000).words().collect::<Vec<_>>(), [126]);
        assert_eq!(Label::default().words().count(), 0);
    }
}
