//! What a program's translated code is, and when it is used.

use std::collections::BTreeSet;

use pennyweight_memory::timing::StreamState;

use crate::blocks::{Found, Limits};
use crate::code::{Code, Compiler, Predictor};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::layout::Shape;
use crate::tier::Tier;
use crate::unusual::Unusual;

/// Translated code of one program.
#[derive(Debug)]
pub struct Translator<S> {
    /// What code depends on.
    pub shape: Shape,
    /// What runs programs.
    pub engine: Engine,
    /// What compiles code.
    pub compiler: Compiler,
    /// How much code is translated.
    pub limits: Limits,
    /// When.
    pub tier: Tier,
    /// Where code was entered.
    pub roots: BTreeSet<u32>,
    /// Instructions whose usual cases do not suffice.
    pub unusual: Unusual,
    /// The blocks.
    pub found: Option<Found<S>>,
    /// Without and with guard zones.
    pub codes: [Option<Code>; 2],
    /// Space for the branch predictor's state, reused to save allocations.
    pub predictor: Predictor,
    /// The same for that of a flash that reads ahead, or of lines that are held for their last use.
    pub stream: StreamState,
    /// Runs of translated code that were not given up.
    pub runs: u64,
    /// The host cannot compile, or it does not pay.
    off: bool,
}

impl<S: Copy + PartialEq> Translator<S> {
    /// One that has not translated anything.
    #[must_use]
    pub fn new(shape: Shape) -> Translator<S> {
        let engine = Engine::Auto;
        let mut limits = Limits::default();
        if shape.times_flash() || shape.matrix_shift.is_some() {
            // An instruction takes about twice as many bytes.
            limits.instructions /= 2;
        }
        Translator {
            shape,
            engine,
            compiler: Compiler::default(),
            limits,
            tier: Tier::new(engine, shape.worth, shape.ram_size),
            roots: BTreeSet::new(),
            unusual: Unusual::default(),
            found: None,
            codes: [None, None],
            predictor: Predictor::default(),
            stream: StreamState::default(),
            runs: 0,
            off: false,
        }
    }

    /// The same, of a copy.
    #[must_use]
    pub fn again(&self) -> Translator<S> {
        let Translator { shape, engine, compiler, limits, .. } = *self;
        let tier = Tier::new(engine, shape.worth, shape.ram_size);
        Translator { engine, compiler, limits, tier, ..Translator::new(shape) }
    }

    /// Changes settings. Then nothing is translated.
    pub fn change(&mut self, act: impl FnOnce(&mut Translator<S>)) {
        act(self);
        *self = self.again();
    }

    /// May code be translated and used?
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.engine != Engine::Interpreter && !self.off && !self.tier.is_off()
    }

    /// Is it time to translate?
    pub fn is_due(&mut self) -> bool {
        let [tier, unusual] = [self.tier.is_due(), self.unusual.is_due()];
        tier || unusual
    }

    /// Has code been found that pays?
    #[must_use]
    pub fn has_code(&self) -> bool {
        self.found.is_some() && !self.tier.rests()
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.region.blocks.len())
    }

    /// Translated code ran for so many cycles.
    pub fn ran(&mut self, cycles: u64) {
        self.runs += 1;
        self.tier.ran(cycles);
    }

    /// A check failed, but there was no fault: a load that reads flash, as far as is known.
    pub fn false_alarm(&mut self) {
        if self.shape.flash_loads || self.shape.shown == 0 {
            self.tier.false_alarm();
        }
        self.shape.flash_loads = true;
        self.codes = [None, None];
    }

    /// Replaces the blocks.
    pub fn set_found(&mut self, found: Found<S>) {
        self.found = Some(found);
        self.codes = [None, None];
    }

    /// The code, compiled if it is not yet.
    pub fn code(&mut self, guarded: bool, flash: &[u8]) -> Option<&mut Code> {
        let place = &mut self.codes[usize::from(guarded)];
        if place.is_none() {
            *place = Code::new(self.compiler, &self.found.as_ref()?.region, &self.shape, guarded, flash);
            self.off |= place.is_none();
        }
        place.as_mut()
    }

    /// These blocks of RAM may have changed without translated code.
    pub fn ram_changed(&mut self, blocks: &Blocks) {
        self.codes.iter_mut().flatten().for_each(|code| code.ram_changed(blocks));
    }
}
