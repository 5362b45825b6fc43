//! The stack watch: a high-water mark by observation, not by painting.
//!
//! Two things are observed: every value that the stack pointer takes (so that space which is
//! reserved but not yet written counts) and every store into the stack's range (so that stores
//! below the stack pointer count). Both cost one subtraction and one comparison.

/// Watches the range between the stack's limit and the stack pointer at the call.
#[derive(Clone, Copy, Debug, Default)]
pub struct StackWatch {
    limit: u32,
    top: u32,
    /// Lowest offset above `limit` seen so far.
    low: u32,
    /// Lowest byte in use, according to [`StackWatch::set_pointer`].
    pointer: u32,
}

impl StackWatch {
    /// A watch over `limit..top`; both in the core's own data addresses, `limit <= top`.
    #[must_use]
    pub fn new(limit: u32, top: u32) -> Self {
        let limit = limit.min(top);
        StackWatch { limit, top, low: top - limit, pointer: top }
    }

    /// Notes a store at `address`.
    #[inline(always)]
    pub fn store(&mut self, address: u32) {
        let offset = address.wrapping_sub(self.limit);
        if offset < self.low {
            self.low = offset;
        }
    }

    /// Notes a value of the stack pointer, in the sense "lowest byte in use". False: below the
    /// limit, that is, a stack overflow.
    #[inline(always)]
    #[must_use]
    pub fn pointer(&mut self, lowest: u32) -> bool {
        let offset = lowest.wrapping_sub(self.limit);
        if offset < self.low {
            self.low = offset;
        }
        lowest >= self.limit
    }

    /// Sets the stack pointer, in the sense "lowest byte in use", for [`StackWatch::is_free`].
    #[inline(always)]
    pub fn set_pointer(&mut self, lowest: u32) {
        self.pointer = lowest;
    }

    /// The lowest byte in use that was set last.
    #[cfg(feature = "translator")]
    #[must_use]
    pub fn lowest(&self) -> u32 {
        self.pointer
    }

    /// Is the byte at `address` one that the stack may yet grow into? Nothing is free while the stack
    /// pointer set last is outside the stack: then it is used for something else.
    #[inline(always)]
    #[must_use]
    pub fn is_free(&self, address: u32) -> bool {
        self.is_below(address, self.pointer)
    }

    /// As `is_free`, with the lowest byte in use.
    #[inline(always)]
    #[must_use]
    pub fn is_below(&self, address: u32, pointer: u32) -> bool {
        (self.limit..=self.top).contains(&pointer) && (self.limit..pointer).contains(&address)
    }

    /// High-water mark in bytes below the top.
    #[must_use]
    pub fn high_water(&self) -> u32 {
        self.top - self.limit - self.low
    }

    /// The lowest address that the stack may use.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::StackWatch;

    #[test]
    fn pointer_and_stores_lower_the_mark_and_never_raise_it() {
        let mut watch = StackWatch::new(0x100, 0x200);
        assert_eq!(watch.high_water(), 0);
        assert!(watch.pointer(0x1f0));
        assert_eq!(watch.high_water(), 0x10);
        watch.store(0x1e0);
        assert_eq!(watch.high_water(), 0x20);
        assert!(watch.pointer(0x1f8));
        watch.store(0x1ff);
        assert_eq!(watch.high_water(), 0x20);
    }

    #[test]
    fn stores_outside_the_stack_do_not_count() {
        let mut watch = StackWatch::new(0x100, 0x200);
        watch.store(0x80);
        watch.store(0x200);
        watch.store(0xffff_ffff);
        assert_eq!(watch.high_water(), 0);
    }

    #[test]
    fn what_lies_between_limit_and_pointer_is_free() {
        let mut watch = StackWatch::new(0x100, 0x200);
        let free = |watch: &StackWatch| [0xff, 0x100, 0x17f, 0x180, 0x1ff, 0x200].map(|a| watch.is_free(a));
        assert_eq!(free(&watch), [false, true, true, true, true, false]);
        watch.set_pointer(0x180);
        assert_eq!(free(&watch), [false, true, true, false, false, false]);
        for outside in [0, 0xff, 0x201, u32::MAX] {
            watch.set_pointer(outside);
            assert_eq!(free(&watch), [false; 6]);
        }
    }

    #[test]
    fn a_pointer_below_the_limit_is_an_overflow() {
        let mut watch = StackWatch::new(0x100, 0x200);
        assert!(watch.pointer(0x100));
        assert!(!watch.pointer(0xff));
        assert_eq!(watch.high_water(), 0x100);
    }
}
