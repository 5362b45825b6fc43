//! Hazard3's fetch: an instruction register of three halfwords, a queue of two words in front of it, and the
//! branch that is remembered.
//!
//! Reference: `hazard3_frontend.v` of github.com/Wren6991/Hazard3. Each cycle an aligned word is requested,
//! unless the queue is full, or has a word while another one is on its way. The word arrives in the next cycle and
//! goes to the instruction register if two of its halfwords are free, else to the queue. A jump empties
//! both. After the word in which the remembered branch ends, the word of its target is requested: halves of
//! these words that are behind the branch or before the target do not count, so code with a predicted branch can
//! come too slowly for the core.

/// The backward branch that was taken last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Its address.
    pub branch: u32,
    /// Does it have 32 bits?
    pub wide: bool,
    /// Where it goes.
    pub target: u32,
}

/// What was fetched ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Halfwords in the instruction register.
    held: u8,
    /// Halfwords of the words in the queue that count; 0: no word.
    words: [u8; 2],
    /// Those of the word that arrives in this cycle.
    arriving: u8,
    /// The lower half of the next word does not count.
    upper: bool,
    /// The remembered branch ends in the next word and began in the one before.
    overhangs: bool,
    /// The address of the next word.
    next: u32,
}

impl Queue {
    /// In the cycle after a jump to `target`.
    #[must_use]
    pub fn after_jump(target: u32) -> Queue {
        Queue {
            held: 0,
            words: [0; 2],
            arriving: if target & 2 == 0 { 2 } else { 1 },
            upper: false,
            overhangs: false,
            next: (target & !3).wrapping_add(4),
        }
    }

    /// Is an instruction of so many halfwords complete?
    #[must_use]
    pub fn has(&self, halfwords: u8) -> bool {
        self.held >= halfwords
    }

    /// A cycle, at whose end so many halfwords leave the instruction register.
    pub fn tick(&mut self, leaving: u8, remembered: Option<&Remembered>) {
        let waits = self.words[1] != 0 || self.words[0] != 0 && self.arriving != 0;
        let word = if self.words[0] != 0 { self.words[0] } else { self.arriving };
        self.held = self.held.saturating_sub(leaving);
        let fits = self.held + word <= 3;
        let arrived = self.arriving;
        if fits {
            self.held += word;
        }
        if self.words[0] == 0 {
            self.words[0] = if fits { 0 } else { arrived };
        } else {
            if fits {
                self.words = [self.words[1], 0];
            }
            if arrived != 0 {
                let free = usize::from(self.words[0] != 0);
                self.words[free] = arrived;
            }
        }
        self.arriving = if waits { 0 } else { self.request(remembered) };
    }

    /// Requests the next word; returns how many of its halfwords count.
    fn request(&mut self, remembered: Option<&Remembered>) -> u8 {
        let lower = !self.upper;
        let (mut upper, mut goes, mut begins) = (true, None, false);
        if let Some(&Remembered { branch, wide, target }) = remembered {
            let (in_upper, matches) = (branch & 2 != 0, self.next >> 2 == branch >> 2);
            begins = matches && in_upper && wide;
            let beyond = !in_upper && !wide && self.upper;
            if matches && !begins && !beyond || self.overhangs {
                upper = in_upper != wide;
                goes = Some(target);
            }
        }
        self.overhangs = begins;
        self.upper = goes.is_some_and(|target| target & 2 != 0);
        self.next = goes.map_or(self.next.wrapping_add(4), |target| target & !3);
        u8::from(lower) + u8::from(upper)
    }
}
