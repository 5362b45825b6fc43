//! The core models: which registers are neighbours. One file per core.

mod avre;
mod avrxt;

/// A core's model. All cores have a bus of 8 bits for data, which keeps the last byte, latches of both operands,
/// and registers and SRAM that change when they are overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// By register: its neighbours, as bits. An access to the register also depends on what they hold.
    pub neighbours: [u32; 32],
    /// Its source.
    pub source: &'static str,
}

/// The names of the timing models of the cores with a model.
pub const NAMES: [&str; 2] = [avre::NAME, avrxt::NAME];

/// The model of the core with this timing model; `None`: it has no model.
pub fn choose(timing: &str) -> Option<&'static Model> {
    match timing {
        avre::NAME => Some(&avre::MODEL),
        avrxt::NAME => Some(&avrxt::MODEL),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{avre, choose, NAMES};

    #[test]
    fn neighbours_are_pairs_but_for_the_first_two_registers() {
        let neighbours = avre::MODEL.neighbours;
        assert_eq!((neighbours[0], neighbours[1]), (!1, !2));
        assert_eq!((neighbours[2], neighbours[3], neighbours[30], neighbours[31]), (8, 4, 1 << 31, 1 << 30));
        assert!((2..32).all(|register| neighbours[register].count_ones() == 1));
        assert!(NAMES.iter().all(|name| choose(name).is_some()) && choose("cortex-m0").is_none());
    }
}
