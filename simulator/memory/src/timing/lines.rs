//! Lines of flash that caches and buffers hold, by their numbers: the address shifted right by the line's
//! size.

use pennyweight_machine::board::timing::{LINE_BYTES, MOST_CACHE_LINES};

/// A number that no line and no word has.
pub const NO_LINE: u32 = u32::MAX;

/// Base-2 logarithm of a line's size in bytes.
pub fn line_shift(bytes: u32) -> u32 {
    bytes.max(LINE_BYTES.0).ilog2()
}

/// Lines that each have the one place that their number gives.
#[derive(Clone, Copy, Debug)]
pub struct DirectMapped {
    mask: u32,
    held: [u32; MOST_CACHE_LINES as usize],
}

impl DirectMapped {
    /// Empty, with room for so many lines: a power of two, at most [`MOST_CACHE_LINES`].
    pub fn new(lines: u32) -> Self {
        let mask = lines.clamp(1, MOST_CACHE_LINES) - 1;
        DirectMapped { mask, held: [NO_LINE; MOST_CACHE_LINES as usize] }
    }

    /// Is the line there? It is afterwards.
    #[inline(always)]
    pub fn look_up(&mut self, line: u32) -> bool {
        let place = &mut self.held[(line & self.mask) as usize % MOST_CACHE_LINES as usize];
        std::mem::replace(place, line) == line
    }

    /// All places.
    #[cfg(feature = "translator")]
    pub fn all(&mut self) -> &mut [u32] {
        &mut self.held
    }
}

/// Where the sets of a set-associative cache are in an array of lines. Within a set, lines are in the order
/// of their use, the one used last first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets {
    first: usize,
    ways: usize,
    mask: u32,
}

impl Sets {
    /// So many lines from the place `first` on, in sets of `ways`, or of all if they are fewer.
    pub fn new(first: u32, lines: u32, ways: u32) -> Self {
        let ways = ways.clamp(1, lines.max(1));
        let mask = (lines / ways).max(1).next_power_of_two() - 1;
        Sets { first: first as usize, ways: ways as usize, mask }
    }

    /// Where the lines are, if there is one set.
    #[cfg(feature = "translator")]
    pub fn only(self) -> Option<std::ops::Range<usize>> {
        (self.mask == 0).then(|| self.first..self.first + self.ways)
    }

    /// Is the line in its set of `held`? Afterwards it is: it replaces the one used longest ago.
    #[inline(always)]
    pub fn look_up(self, held: &mut [u32], line: u32) -> bool {
        let first = self.first + (line & self.mask) as usize * self.ways;
        let Some(set) = held.get_mut(first..first + self.ways) else {
            return true;
        };
        if set.first() == Some(&line) {
            return true;
        }
        let found = set.iter().position(|&held| held == line);
        set[..=found.unwrap_or(self.ways - 1)].rotate_right(1);
        set[0] = line;
        found.is_some()
    }
}

/// How many different ends of line numbers [`FullyAssociative`] distinguishes.
const ENDS: usize = 256;

/// Lines that each may have any place. A line that is kept replaces the one used longest ago.
///
/// Where a line may be follows from the end of its number; only lines with the same end are searched for.
#[derive(Clone, Copy, Debug)]
pub struct FullyAssociative<const N: usize> {
    line: [u32; N],
    used: [u32; N],
    size: usize,
    clock: u32,
    /// How many lines have this end, and the place of the one that was kept last.
    ends: [(u8, u8); ENDS],
}

impl<const N: usize> FullyAssociative<N> {
    /// Empty, with room for so many lines, at most `N`.
    pub fn new(lines: u32) -> Self {
        let size = (lines as usize).min(N);
        FullyAssociative { line: [NO_LINE; N], used: [0; N], size, clock: 0, ends: [(0, 0); ENDS] }
    }

    /// Is the line there? If so, it is used now.
    #[inline(always)]
    pub fn contains(&mut self, line: u32) -> bool {
        let (lines, last) = self.ends[line as usize % ENDS];
        if lines == 0 {
            return false;
        }
        let mut place = usize::from(last) % N;
        if self.line[place] != line {
            match self.line[..self.size].iter().position(|&held| held == line) {
                Some(found) => place = found,
                None => return false,
            }
        }
        self.clock = self.clock.wrapping_add(1);
        self.used[place] = self.clock;
        true
    }

    /// Keeps a line that is not there.
    pub fn insert(&mut self, line: u32) {
        let oldest = (0..self.size).max_by_key(|&place| self.clock.wrapping_sub(self.used[place]));
        if let Some(place) = oldest {
            let replaced = std::mem::replace(&mut self.line[place], line);
            if replaced != NO_LINE {
                self.ends[replaced as usize % ENDS].0 -= 1;
            }
            let end = &mut self.ends[line as usize % ENDS];
            *end = (end.0 + 1, place as u8);
            self.clock = self.clock.wrapping_add(1);
            self.used[place] = self.clock;
        }
    }
}

/// The state of a [`FullyAssociative`] cache that decides what comes.
#[cfg(feature = "translator")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The number of the line in each place; [`NO_LINE`] if there is none.
    pub lines: Vec<u32>,
    /// When it was used last.
    pub used: Vec<u32>,
    /// The time of the last use.
    pub clock: u32,
}

#[cfg(feature = "translator")]
impl Held {
    /// Takes lines that are in the order of their use, the one used last first.
    pub fn take(&mut self, recent: &[u32]) {
        self.lines.clear();
        self.lines.extend_from_slice(recent);
        self.clock = recent.len() as u32;
        self.used.clear();
        self.used.extend((1..=self.clock).rev());
    }

    /// The reverse.
    pub fn put(&self, recent: &mut [u32]) {
        let mut ages: Vec<(u32, u32)> = self
            .used
            .iter()
            .map(|used| self.clock.wrapping_sub(*used))
            .zip(self.lines.iter().copied())
            .collect();
        ages.sort_unstable();
        for (place, (_, line)) in recent.iter_mut().zip(ages) {
            *place = line;
        }
    }
}

#[cfg(feature = "translator")]
impl<const N: usize> FullyAssociative<N> {
    /// Copies the state to `held`.
    pub fn read(&self, held: &mut Held) {
        held.lines.clear();
        held.lines.extend_from_slice(&self.line[..self.size]);
        held.used.clear();
        held.used.extend_from_slice(&self.used[..self.size]);
        held.clock = self.clock;
    }

    /// The reverse.
    pub fn write(&mut self, held: &Held) {
        self.clock = held.clock;
        self.used[..self.size].copy_from_slice(&held.used);
        if self.line[..self.size] == held.lines[..] {
            return;
        }
        self.line[..self.size].copy_from_slice(&held.lines);
        self.ends = [(0, 0); ENDS];
        for (place, &line) in (0..).zip(&held.lines).filter(|(_, line)| **line != NO_LINE) {
            let end = &mut self.ends[line as usize % ENDS];
            *end = (end.0 + 1, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DirectMapped, FullyAssociative, Sets, NO_LINE};

    #[test]
    fn direct_mapped_lines_replace_those_with_the_same_place() {
        let mut lines = DirectMapped::new(4);
        let found = [1, 1, 5, 1, 2, 1].map(|line| lines.look_up(line));
        assert_eq!(found, [false, true, false, false, false, true]);
    }

    #[test]
    fn of_a_set_the_line_used_longest_ago_is_replaced() {
        // One set of one line, then two sets of two.
        let (sets, mut held) = (Sets::new(1, 4, 2), [NO_LINE; 5]);
        let found = [0, 2, 0, 4, 0, 2, 1].map(|line| sets.look_up(&mut held, line));
        assert_eq!(found, [false, false, true, false, true, false, false]);
        assert_eq!(held, [NO_LINE, 2, 0, 1, NO_LINE]);
    }

    #[test]
    fn a_set_has_at_most_all_lines() {
        let (sets, mut held) = (Sets::new(0, 2, 4), [NO_LINE; 2]);
        let found = [7, 8, 7, 9, 8].map(|line| sets.look_up(&mut held, line));
        assert_eq!(found, [false, false, true, false, false]);
    }

    #[test]
    fn lines_with_any_place_replace_the_one_used_longest_ago() {
        let mut lines = FullyAssociative::<4>::new(2);
        assert!(!lines.contains(1));
        lines.insert(1);
        lines.insert(2);
        assert!(lines.contains(1));
        lines.insert(3);
        assert_eq!([1, 2, 3].map(|line| lines.contains(line)), [true, false, true]);
        let mut none = FullyAssociative::<4>::new(0);
        none.insert(1);
        assert!(!none.contains(1));
    }

    /// Against a list in the order of use; half of the lines have ends that others have too.
    #[test]
    fn lines_with_the_same_end_are_distinguished() {
        let (mut lines, mut list) = (FullyAssociative::<8>::new(5), Vec::new());
        let mut random = 1u32;
        let mut hits = 0;
        for _ in 0..10_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let line = (random >> 16 & 3) * 256 + (random >> 28 & 3);
            let found = list.iter().position(|&held| held == line);
            assert_eq!(lines.contains(line), found.is_some());
            match found {
                Some(place) => {
                    list.remove(place);
                }
                None => lines.insert(line),
            }
            list.insert(0, line);
            list.truncate(5);
            hits += u32::from(found.is_some());
        }
        assert!((2000..8000).contains(&hits), "{hits}");
    }
}
