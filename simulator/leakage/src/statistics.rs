//! Sums over many traces, and Welch's t-test on them.
//!
//! Samples are small integers, so that the sums of their powers are exact: nothing is lost, and the
//! order of the traces and the number of threads do not matter.
//!
//! References: G. Goodwill, B. Jun, J. Jaffe, P. Rohatgi, "A testing methodology for side channel
//! resistance validation", NIAT 2011 (the test, and 4.5). T. Schneider, A. Moradi, "Leakage Assessment
//! Methodology", CHES 2015 (higher orders, from central moments).

/// The threshold of |t| of Goodwill et al.
pub const THRESHOLD: f64 = 4.5;

/// The most traces for which all sums and products fit their types.
pub const MOST_TRACES: u64 = 1_000_000;

/// The order of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Means.
    First,
    /// Variances.
    Second,
}

impl Order {
    /// Sums of powers that the test needs.
    fn powers(self) -> usize {
        match self {
            Order::First => 2,
            Order::Second => 4,
        }
    }
}

/// Sums of the powers of one sample over the traces of one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// Traces.
    pub count: u64,
    /// Of the first to the fourth power; the last two are 0 for a test of the first order.
    pub sums: [u64; 4],
}

impl Powers {
    /// The mean of what the test compares, and the variance of that.
    fn compared(&self, order: Order) -> (f64, f64) {
        let n = i128::from(self.count);
        let [s1, s2, s3, s4] = self.sums.map(i128::from);
        let count = self.count as f64;
        // n^2 times the second central moment, n^4 times the fourth.
        let second = n * s2 - s1 * s1;
        let variance = second as f64 / (count * count);
        match order {
            Order::First => (s1 as f64 / count, variance * count / (count - 1.0)),
            Order::Second => {
                let fourth =
                    n * n * n * s4 - 4 * n * n * s1 * s3 + 6 * n * s1 * s1 * s2 - 3 * s1 * s1 * s1 * s1;
                let spread = fourth - second * second;
                (variance, spread as f64 / count.powi(4))
            }
        }
    }
}

/// Welch's t of two groups: 0 if they have too few traces, infinite if they differ and neither varies.
#[must_use]
pub fn welch(order: Order, fixed: &Powers, random: &Powers) -> f64 {
    if fixed.count < 2 || random.count < 2 {
        return 0.0;
    }
    let ((mean0, variance0), (mean1, variance1)) = (fixed.compared(order), random.compared(order));
    let difference = mean0 - mean1;
    let error = variance0 / fixed.count as f64 + variance1 / random.count as f64;
    if error > 0.0 {
        difference / error.sqrt()
    } else if difference == 0.0 {
        0.0
    } else {
        f64::INFINITY.copysign(difference)
    }
}

/// Sums of two groups of traces, fixed and random.
#[derive(Clone, Debug)]
pub struct Sums {
    order: Order,
    samples: usize,
    counts: [u64; 2],
    /// By group, power and sample.
    sums: Vec<u64>,
}

impl Sums {
    /// No traces yet.
    #[must_use]
    pub fn new(order: Order, samples: usize) -> Self {
        Sums { order, samples, counts: [0; 2], sums: vec![0; 2 * order.powers() * samples] }
    }

    /// Traces of the fixed and of the random group.
    #[must_use]
    pub fn counts(&self) -> [u64; 2] {
        self.counts
    }

    /// Adds a trace, with a value of at most 32 for each sample.
    pub fn add(&mut self, random: bool, trace: &[u8]) {
        let group = usize::from(random);
        self.counts[group] += 1;
        let powers = self.order.powers();
        let start = group * powers * self.samples;
        let sums = self.sums[start..].chunks_exact_mut(self.samples.max(1));
        for (sums, exponent) in sums.zip(1..=powers as u32) {
            for (sum, &value) in sums.iter_mut().zip(trace) {
                *sum += u64::from(u32::from(value).pow(exponent));
            }
        }
    }

    /// Adds further traces with the same samples.
    pub fn merge(&mut self, others: &Sums) {
        for (count, more) in self.counts.iter_mut().zip(others.counts) {
            *count += more;
        }
        for (sum, more) in self.sums.iter_mut().zip(&others.sums) {
            *sum += more;
        }
    }

    /// The t of a sample.
    #[must_use]
    pub fn t(&self, sample: usize) -> f64 {
        let powers = self.order.powers();
        let group = |group: usize| {
            let mut of = Powers { count: self.counts[group], sums: [0; 4] };
            for power in 0..powers {
                of.sums[power] = self.sums[(group * powers + power) * self.samples + sample];
            }
            of
        };
        welch(self.order, &group(0), &group(1))
    }
}

#[cfg(test)]
mod tests {
    use super::{welch, Order, Powers, Sums, MOST_TRACES};

    fn powers(values: &[u8]) -> Powers {
        let sum = |power| values.iter().map(|&value| u64::from(value).pow(power)).sum();
        Powers { count: values.len() as u64, sums: [1, 2, 3, 4].map(sum) }
    }

    /// Means 5 and 8, variances 10 (n = 5) and 4 (n = 4, from 6, 7, 9, 10: 10 / 3):
    /// t = -3 / sqrt(10 / 5 + 10 / 3 / 4).
    #[test]
    fn the_first_order_is_welchs() {
        let (one, other) = (powers(&[1, 3, 5, 7, 9]), powers(&[6, 7, 9, 10]));
        let expected = -3.0 / (2.0f64 + 10.0 / 12.0).sqrt();
        assert!((welch(Order::First, &one, &other) - expected).abs() < 1e-12);
        assert!((welch(Order::First, &other, &one) + expected).abs() < 1e-12);
    }

    /// Central moments of 1, 3, 5, 7, 9: 8 and (256 + 16 + 0 + 16 + 256) / 5 = 108.8; of 2, 2, 6, 6: 4 and
    /// 16. The squares of the centred values have the means 8 and 4 and the variances 44.8 and 0.
    #[test]
    fn the_second_order_compares_variances() {
        let (one, other) = (powers(&[1, 3, 5, 7, 9]), powers(&[2, 2, 6, 6]));
        let expected = 4.0 / (44.8f64 / 5.0).sqrt();
        assert!((welch(Order::Second, &one, &other) - expected).abs() < 1e-12);
        // Equal means are no matter, and equal variances are no difference.
        assert_eq!(welch(Order::Second, &other, &powers(&[3, 3, 7, 7])), 0.0);
    }

    #[test]
    fn groups_that_do_not_vary_differ_or_do_not() {
        assert_eq!(welch(Order::First, &powers(&[4, 4]), &powers(&[4, 4, 4])), 0.0);
        assert_eq!(welch(Order::First, &powers(&[4, 4]), &powers(&[5, 5])), f64::NEG_INFINITY);
        assert_eq!(welch(Order::First, &powers(&[4]), &powers(&[5, 5])), 0.0);
    }

    #[test]
    fn the_order_of_traces_and_the_number_of_parts_do_not_matter() {
        let trace = |n: u64| [(n * 7 % 33) as u8, (n * n % 31) as u8];
        let mut whole = Sums::new(Order::Second, 2);
        let mut parts = [Sums::new(Order::Second, 2), Sums::new(Order::Second, 2)];
        for n in 0..100 {
            whole.add(n % 3 == 0, &trace(n));
        }
        for n in (0..100).rev() {
            parts[usize::from(n % 10 < 4)].add(n % 3 == 0, &trace(n));
        }
        let [mut merged, rest] = parts;
        merged.merge(&rest);
        assert_eq!((merged.counts(), merged.sums.clone()), ([66, 34], whole.sums.clone()));
        assert!((0..2).all(|sample| merged.t(sample).to_bits() == whole.t(sample).to_bits()));
        let group = |random| -> Vec<u8> {
            (0..100).filter(|n| (n % 3 == 0) == random).map(|n| trace(n)[1]).collect()
        };
        assert_eq!(whole.t(1), welch(Order::Second, &powers(&group(false)), &powers(&group(true))));
    }

    /// The products of the most traces with the largest values do not overflow.
    #[test]
    fn the_most_traces_fit() {
        let largest = Powers { count: MOST_TRACES, sums: [1, 2, 3, 4].map(|p| MOST_TRACES * 32u64.pow(p)) };
        assert_eq!(welch(Order::Second, &largest, &largest), 0.0);
    }
}
