//! A profile of one call: what instructions it was made of, where its cycles went, what it touched.

use std::collections::{BTreeMap, HashMap};

use crate::fault::Access;
use crate::image::Image;
use crate::observe::Observer;

const READ: u8 = 1;
const WRITTEN: u8 = 2;
/// Bytes whose marks are kept together.
const PAGE: u32 = 256;

/// How often something was executed, and the cycles that took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Instructions.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
}

impl Cost {
    fn add(&mut self, cycles: u32) {
        self.instructions += 1;
        self.cycles += u64::from(cycles);
    }
}

/// What one call stack cost by itself, without the functions that its last one called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Functions, the outermost first; a call chain that comes back has its functions again.
    pub functions: Vec<String>,
    /// Cost of the innermost.
    pub cost: Cost,
}

/// Bytes next to each other that were touched alike. Addresses are ELF addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// First address.
    pub start: u32,
    /// One past the last address.
    pub end: u32,
    /// Were they read?
    pub read: bool,
    /// Were they written?
    pub written: bool,
}

/// A function called from a certain stack.
#[derive(Debug)]
struct Node {
    function: usize,
    parent: usize,
    called: HashMap<usize, usize>,
    cost: Cost,
}

/// A function that has not returned, and the stack pointer it began with.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: usize,
    stack: u32,
}

/// An observer that adds a call up. Functions are those of the image's symbols.
#[derive(Debug)]
pub struct Profile<'a> {
    image: &'a Image,
    names: Vec<String>,
    by_start: HashMap<u32, usize>,
    /// The function of an address, once it was looked up.
    by_address: HashMap<u32, Option<usize>>,
    mix: BTreeMap<String, Cost>,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
    pages: BTreeMap<u32, [u8; PAGE as usize]>,
}

impl<'a> Profile<'a> {
    /// An empty profile of a call in `image`.
    #[must_use]
    pub fn new(image: &'a Image) -> Self {
        Profile {
            image,
            names: Vec::new(),
            by_start: HashMap::new(),
            by_address: HashMap::new(),
            mix: BTreeMap::new(),
            nodes: Vec::new(),
            frames: Vec::new(),
            pages: BTreeMap::new(),
        }
    }

    /// The instructions by name.
    #[must_use]
    pub fn mix(&self) -> Vec<(String, Cost)> {
        self.mix.iter().map(|(name, cost)| (name.clone(), *cost)).collect()
    }

    /// Every call stack that occurred, with its cost; together, they cost as much as the call.
    #[must_use]
    pub fn stacks(&self) -> Vec<Stack> {
        let named = |mut node: usize| {
            let mut functions = Vec::new();
            loop {
                functions.push(self.names[self.nodes[node].function].clone());
                if self.nodes[node].parent == node {
                    functions.reverse();
                    return functions;
                }
                node = self.nodes[node].parent;
            }
        };
        let costly = (0..self.nodes.len()).filter(|&node| self.nodes[node].cost != Cost::default());
        costly.map(|node| Stack { functions: named(node), cost: self.nodes[node].cost }).collect()
    }

    /// The bytes that were read or written, by address.
    #[must_use]
    pub fn touched(&self) -> Vec<Touched> {
        let mut found: Vec<Touched> = Vec::new();
        for (page, marks) in &self.pages {
            for (address, &mark) in (page * PAGE..).zip(marks).filter(|(_, mark)| **mark != 0) {
                let (read, written) = (mark & READ != 0, mark & WRITTEN != 0);
                match found.last_mut() {
                    Some(last) if last.end == address && (last.read, last.written) == (read, written) => {
                        last.end += 1;
                    }
                    _ => found.push(Touched { start: address, end: address + 1, read, written }),
                }
            }
        }
        found
    }

    /// The function that contains `address`.
    fn function(&mut self, address: u32) -> Option<usize> {
        if let Some(known) = self.by_address.get(&address) {
            return *known;
        }
        let found = self.image.function_at(address).map(|symbol| {
            *self.by_start.entry(symbol.address).or_insert_with(|| {
                self.names.push(symbol.name.clone());
                self.names.len() - 1
            })
        });
        self.by_address.insert(address, found);
        found
    }

    /// The node of `function` called from `parent`; none: the outermost.
    fn node(&mut self, parent: Option<usize>, function: usize) -> usize {
        let next = self.nodes.len();
        let node = parent.map_or(next, |parent| *self.nodes[parent].called.entry(function).or_insert(next));
        if node == next {
            let parent = parent.unwrap_or(next);
            self.nodes.push(Node { function, parent, called: HashMap::new(), cost: Cost::default() });
        }
        node
    }

    /// The frame of the instruction at `pc`. Where code has gone to another function without a call,
    /// that function replaces the innermost.
    fn frame(&mut self, pc: u32) -> Frame {
        let function = self.function(pc);
        let Some(&top) = self.frames.last() else {
            let function = function.unwrap_or_else(|| self.unnamed());
            let frame = Frame { node: self.node(None, function), stack: 0 };
            self.frames.push(frame);
            return frame;
        };
        let current = &self.nodes[top.node];
        match function {
            Some(function) if function != current.function => {
                let parent = (current.parent != top.node).then_some(current.parent);
                let frame = Frame { node: self.node(parent, function), ..top };
                if let Some(last) = self.frames.last_mut() {
                    *last = frame;
                }
                frame
            }
            _ => top,
        }
    }

    /// Code that no symbol covers.
    fn unnamed(&mut self) -> usize {
        self.names.push("?".to_owned());
        self.names.len() - 1
    }
}

impl Observer for Profile<'_> {
    fn access(&mut self, address: u32, size: u32, access: Access) {
        let mark = match access {
            Access::Read => READ,
            Access::Write => WRITTEN,
            Access::Execute => return,
        };
        for address in (0..size).map(|i| address.wrapping_add(i)) {
            let page = self.pages.entry(address / PAGE).or_insert([0; PAGE as usize]);
            page[(address % PAGE) as usize] |= mark;
        }
    }

    fn instruction(&mut self, pc: u32, name: &str, cycles: u32) {
        match self.mix.get_mut(name) {
            Some(cost) => cost.add(cycles),
            None => self.mix.entry(name.to_owned()).or_default().add(cycles),
        }
        let node = self.frame(pc).node;
        self.nodes[node].cost.add(cycles);
    }

    fn called(&mut self, target: u32, stack: u32) {
        // A call into the middle of the same function only reserves stack, as AVR's `rcall .+0` does.
        let Some(function) = self.function(target) else { return };
        let starts = self.image.function_at(target).is_some_and(|symbol| symbol.address == target);
        let Some(&top) = self.frames.last() else { return };
        if !starts && self.nodes[top.node].function == function {
            return;
        }
        let node = self.node(Some(top.node), function);
        self.frames.push(Frame { node, stack });
    }

    fn returned(&mut self, stack: u32) {
        // Whatever began with a lower stack pointer is over; the outermost frame stays.
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.stack < stack) {
            self.frames.pop();
        }
    }
}

#[cfg(test)]
mod tests;
