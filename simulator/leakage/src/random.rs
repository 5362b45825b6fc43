//! Random words of a trace, which depend on the seed and on the trace's number only.

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014).
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The generator's output function: a bijection.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Random {
    /// The generator of stream `number` of `seed`.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Random(mixed(mixed(seed.wrapping_add(STEP)).wrapping_add(number)))
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(STEP);
        (mixed(self.0) >> 32) as u32
    }

    /// Random bytes.
    pub fn bytes(&mut self, size: usize) -> Vec<u8> {
        (0..size).map(|_| (self.word() >> 24) as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_stream_repeats_and_others_differ() {
        let words = |seed, number| {
            let mut random = Random::new(seed, number);
            [random.word(), random.word(), random.word()]
        };
        assert_eq!(words(1, 2), words(1, 2));
        for (seed, number) in [(1, 3), (2, 2), (2, 1)] {
            assert!(words(1, 2).iter().all(|word| !words(seed, number).contains(word)));
        }
    }

    /// The mean weight of many words is near 16: its standard deviation is the root of 8 / 4096.
    #[test]
    fn bits_are_balanced() {
        let mut random = Random::new(0, 0);
        let ones: u32 = (0..4096).map(|_| random.word().count_ones()).sum();
        assert!((f64::from(ones) / 4096.0 - 16.0).abs() < 0.2, "{ones}");
    }
}
