//! Every fuzz target with what fuzzing has found worth keeping (`simulator/checks/corpus`), and with
//! random changes of it. Always the same inputs: `scripts/fuzz.sh` looks for new ones.

use std::path::Path;

use pennyweight_checks::robust::TARGETS;

/// Changed inputs for each target.
const ROUNDS: usize = 200;

/// A sequence of numbers that looks random (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound.max(1)
    }
}

/// The stored inputs of a target, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a folder's entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

/// One input with a few bytes changed, its end cut off or another's end put behind its beginning.
fn changed(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = inputs[random.below(inputs.len())].clone();
    match random.below(4) {
        0 => input.truncate(random.below(input.len())),
        1 => {
            let other = &inputs[random.below(inputs.len())];
            input.truncate(random.below(input.len()));
            input.extend(&other[random.below(other.len())..]);
        }
        _ => {}
    }
    for _ in 0..random.below(8) {
        let (at, byte) = (random.below(input.len()), random.below(256) as u8);
        if let Some(place) = input.get_mut(at) {
            *place = byte;
        }
    }
    input
}

#[test]
fn no_input_makes_a_target_panic() {
    for (name, run) in TARGETS {
        let inputs = corpus(name);
        assert!(inputs.len() > 3, "{name} has stored inputs");
        inputs.iter().for_each(|input| run(input));
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..ROUNDS {
            run(&changed(&inputs, &mut random));
        }
        let noise: Vec<u8> = (0..4096).map(|_| random.below(256) as u8).collect();
        noise.chunks(256).for_each(run);
    }
}
