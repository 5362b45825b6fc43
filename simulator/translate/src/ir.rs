//! The intermediate form between an instruction set and WebAssembly.
//!
//! An instruction set lowers its decoded operations to blocks of [`Step`]s, of which each ends with an
//! [`End`]. Costs that do not depend on data are sums in the block; the others are steps and ends of their own.
//! A check that fails, such as that of an address, ends the translated code at once, and nothing that it did
//! counts: the interpreter runs again from where the code was entered.

/// The number of a guest register.
pub type Register = u8;

/// A value of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// This one.
    Constant(u32),
    /// A register's.
    Register(Register),
    /// Of one operand.
    Unary(Unary, Box<Expr>),
    /// Of two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// The second one, or the third one if the first one is zero.
    Choice(Box<[Expr; 3]>),
}

/// Operations on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Zeros above the highest one; 32 for zero.
    LeadingZeros,
    /// Zeros below the lowest one; 32 for zero.
    TrailingZeros,
    /// Ones.
    Ones,
    /// The lowest byte, sign-extended.
    SignedByte,
    /// The low half, sign-extended.
    SignedHalf,
}

/// Operations on two operands. Amounts of shifts and rotations count modulo 32; comparisons are 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    RotateLeft,
    RotateRight,
    Equal,
    NotEqual,
    Less,
    LessSigned,
    NotLess,
    NotLessSigned,
    Higher,
    HigherSigned,
    NotHigher,
    NotHigherSigned,
    Multiply,
    /// The high half of the product.
    MultiplyHigh,
    /// The same, signed.
    MultiplyHighSigned,
    /// The same, of a signed and an unsigned one.
    MultiplyHighMixed,
    /// The quotient; all ones if the divisor is zero.
    Quotient,
    /// The same, signed; the one overflow gives the dividend.
    QuotientSigned,
    /// The remainder; the dividend if the divisor is zero.
    Remainder,
    /// The same, signed; the one overflow gives zero.
    RemainderSigned,
}

/// The size of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Width {
    Byte,
    Half,
    Word,
}

impl Width {
    /// Its bytes as a power of two.
    #[must_use]
    pub fn shift(self) -> u32 {
        self as u32
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        1 << self.shift()
    }
}

/// What the address of an access must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// It is a multiple of the size.
    Known,
    /// It must be a multiple of the size.
    Strict,
    /// Any. Where it is not a multiple of the size, the access is split into aligned ones.
    Split,
}

/// What is added to a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// Nothing.
    None,
    /// The number of 64 bits that the destinations hold.
    Both,
    /// Each destination's number.
    Each,
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Where the address is.
    #[default]
    Any,
    /// To RAM.
    Ram,
    /// To flash.
    Flash,
    /// To flash, by the addresses of code, which begin at 0.
    Code,
}

/// How execution comes to a line of a flash that reads ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// To this one, from the line in front of it.
    Next(u32),
    /// To this one, from one that is neither it nor in front of it.
    Far(u32),
    /// To an instruction that begins in the first one and ends in the second one, from any.
    Any(u32, u32),
}

/// What a core does that fetches words ahead behind a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Execution comes to the last but one word of a line.
    NearEnd,
    /// An instruction that a branch leads to is not in one word.
    Straddles,
    /// Execution comes to a word of another line than that in use, with an instruction that begins in `word` and
    /// ends in `last`.
    Enter {
        /// The word of the line.
        at: u32,
        /// The word that the instruction begins in.
        word: u32,
        /// The word that it ends in.
        last: u32,
    },
    /// Execution waits for this word.
    Wait(u32),
    /// The jump that comes next begins in this word and ends in this line.
    Leave(u32, u32),
}

/// An event that the model of flash and RAM behind a bus matrix receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An instruction at this address begins, of so many halfwords.
    Instruction(u32, u32),
    /// It reads RAM.
    ReadRam,
    /// It writes RAM.
    WriteRam,
    /// It reads flash, from the line of data read last.
    ReadAgain,
    /// It reads flash, from another line.
    ReadFlash,
    /// It ends after so many cycles.
    Finish(u32),
    /// It jumps to this address, in flash or not.
    Jump(u32, bool),
}

/// The events of a block that the model of flash and RAM behind a bus matrix receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Those of its instructions.
    pub within: Vec<Event>,
    /// Those of each way on. Ways are the edges of an [`End`] in their order; edges with and without cycles
    /// lost by prediction are one way.
    pub ways: Vec<Vec<Event>>,
}

/// What happens within a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A register takes a value.
    Set(Register, Expr),
    /// The stack pointer takes a value, which must not be below the stack's limit.
    SetStack(Expr),
    /// Loads at an address.
    Load {
        /// Where it may be.
        memory: Memory,
        /// What the address must be.
        alignment: Alignment,
        /// The register, if the value is needed.
        to: Option<Register>,
        /// The address.
        address: Expr,
        /// The size.
        width: Width,
        /// Is the value sign-extended?
        signed: bool,
    },
    /// Stores to RAM at an address.
    Store {
        /// What the address must be.
        alignment: Alignment,
        /// The address.
        address: Expr,
        /// The value.
        value: Expr,
        /// The size.
        width: Width,
    },
    /// Stores bytes to RAM below the stack pointer, each below the one before, and moves the stack pointer to
    /// the last one. That must not be below the stack's limit.
    Push(Vec<Expr>),
    /// The stack pointer moves up by so many bytes.
    Drop(u32),
    /// So many bytes below the stack pointer are in use, too.
    Reserve(u32),
    /// Four registers, from this one on, are put into the bank of this number. Numbers count modulo the banks.
    Save(Expr, Register),
    /// The reverse.
    Restore(Expr, Register),
    /// A value that must not be zero.
    Check(Expr),
    /// Execution comes to the cache's line of this number, or data is read from it.
    Line(u32),
    /// Execution comes to a line of a flash that reads ahead.
    Fetch(Fetch),
    /// Data is read from the line of this number of a flash that reads ahead, or from this word of one whose
    /// data has no cache.
    ReadLine(u32),
    /// What a core does that fetches ahead behind a cache.
    Ahead(Ahead),
    /// Notes the line of a flash that reads ahead from which a computed jump goes.
    NoteLine(u32),
    /// Adds so many cycles.
    Cycles(Expr),
    /// Does more unless a value is zero.
    If(Expr, Vec<Step>),
    /// Two registers take the low and the high word of a product and addends.
    Product {
        /// The low and the high word.
        to: [Register; 2],
        /// The factors.
        factors: [Expr; 2],
        /// Are they signed?
        signed: bool,
        /// What is added.
        addend: Addend,
    },
    /// Adds the cycles of a division beyond the first: one for each bit that the quotient can have.
    Division {
        /// The dividend.
        dividend: Expr,
        /// The divisor.
        divisor: Expr,
        /// Are they signed?
        signed: bool,
    },
}

/// Where control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block, and the cycles to add when it is entered this way; none if the code is left.
    pub block: Option<(usize, u32)>,
    /// The [`Exit`] if the code is left, or if the budget is spent.
    pub exit: usize,
}

/// A way out of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The address of the next instruction, unless it is the target of a computed jump.
    pub pc: Option<u32>,
    /// The address of the instruction that leads there.
    pub from: u32,
    /// The number of the pipeline's state.
    pub pending: usize,
    /// Is the budget checked here?
    pub checks_budget: bool,
}

/// What a return-address stack sees of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Neither call nor return.
    Plain,
    /// A call that returns to this address.
    Call(u32),
    /// A return.
    Return,
}

/// The cycles that a jump loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Always these.
    Always(u32),
    /// None or the predictor's penalty.
    Predicted,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Another block follows without a jump.
    Next(Edge),
    /// Another block follows without a jump: the first one, or the second one if a value is zero.
    Either(Expr, [Edge; 2]),
    /// One of several blocks follows without a jump: that of the first value that is not zero, or the last
    /// one. The numbers of the edges' exits are in a row.
    Ways(Vec<(Expr, Edge)>, Edge),
    /// A conditional branch.
    Branch {
        /// It is taken unless this is zero.
        condition: Expr,
        /// The address of the branch.
        pc: u32,
        /// The address where it goes if taken.
        target: u32,
        /// What is lost if it is taken; a branch that is not taken loses cycles only if predicted wrongly.
        lost: Lost,
        /// The ways on if it is taken, without and with cycles lost by prediction.
        taken: [Edge; 2],
        /// The ways on if it is not taken.
        not_taken: [Edge; 2],
    },
    /// A jump to one place.
    Jump {
        /// The address of the jump.
        pc: u32,
        /// Where it goes.
        target: u32,
        /// What it is to a return-address stack.
        kind: Kind,
        /// The register that takes the address behind the jump, and that address.
        link: Option<(Register, u32)>,
        /// What is lost.
        lost: Lost,
        /// The ways on, without and with cycles lost by prediction.
        edges: [Edge; 2],
    },
    /// A jump to a computed place.
    Indirect {
        /// The address of the jump.
        pc: u32,
        /// Where it goes.
        target: Expr,
        /// What it is to a return-address stack.
        kind: Kind,
        /// The register that takes the address behind the jump, and that address.
        link: Option<(Register, u32)>,
        /// What is lost.
        lost: Lost,
        /// The way out if no block is known at the target: behind the jump, or in front of it; then these
        /// cycles of the jump do not count.
        unknown: (usize, Option<u32>),
        /// An address from which on no block is known, and how many bytes; behind a bus matrix, one from
        /// which on the time depends on how far the target is.
        near: Option<(u32, u32)>,
        /// The ways out behind the jump when the budget is spent; their program counter is the target.
        after: [usize; 2],
        /// The numbers of the tables of targets, without and with cycles lost by prediction.
        tables: [usize; 2],
        /// What it does if a block is known at the target.
        then: Vec<Step>,
    },
}

impl End {
    /// Its edges.
    #[must_use]
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            End::Next(edge) => vec![edge],
            End::Either(_, edges) => edges.iter().collect(),
            End::Ways(ways, last) => ways.iter().map(|(_, edge)| edge).chain([last]).collect(),
            End::Branch { taken, not_taken, .. } => taken.iter().chain(not_taken).collect(),
            End::Jump { edges, .. } => edges.iter().collect(),
            End::Indirect { .. } => Vec::new(),
        }
    }
}

/// A stretch of code without jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The instruction cache's line that it begins in, if there is such a cache.
    pub line: Option<u32>,
    /// What it does.
    pub steps: Vec<Step>,
    /// Its cycles, those apart that steps and jumps add.
    pub cycles: u32,
    /// Its instructions.
    pub instructions: u32,
    /// Registers that take values at its end, where these are needed: when the code is left, and in front of
    /// blocks that need them.
    pub late: Vec<(Register, Expr)>,
    /// The registers among those that other blocks set late that it needs, as bits.
    pub needs: u64,
    /// What comes then.
    pub end: End,
    /// Can the code be entered here?
    pub is_entry: bool,
    /// Its events, if flash and RAM are behind a bus matrix.
    pub events: Events,
}

impl Block {
    /// A block without anything, which begins in this line of the instruction cache.
    #[must_use]
    pub fn new(line: Option<u32>) -> Block {
        let end = End::Next(Edge { block: None, exit: 0 });
        Block {
            line,
            steps: Vec::new(),
            cycles: 0,
            instructions: 0,
            late: Vec::new(),
            needs: 0,
            end,
            is_entry: true,
            events: Events::default(),
        }
    }
}

/// A target of computed jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the place in flash where it begins.
    pub slot: u32,
    /// Its block.
    pub block: usize,
    /// Cycles to add when the block is entered this way.
    pub extra: u32,
    /// Cycles that the jump loses because of where it goes.
    pub lost: u32,
}

/// Code that is translated together.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The blocks, in the order of their addresses.
    pub blocks: Vec<Block>,
    /// The ways out.
    pub exits: Vec<Exit>,
    /// For each table of [`End::Indirect`] the targets of computed jumps.
    pub tables: Vec<Vec<Place>>,
    /// Blocks of a function, at most; at least one.
    pub most: usize,
}

impl Expr {
    /// `left` and `right` combined.
    #[must_use]
    pub fn binary(operation: Binary, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operation, Box::new(left), Box::new(right))
    }

    /// An operation on one operand.
    #[must_use]
    pub fn unary(operation: Unary, operand: Expr) -> Expr {
        Expr::Unary(operation, Box::new(operand))
    }

    /// `yes`, or `no` if `condition` is zero.
    #[must_use]
    pub fn choice(condition: Expr, yes: Expr, no: Expr) -> Expr {
        Expr::Choice(Box::new([condition, yes, no]))
    }

    /// The sum with a constant.
    #[must_use]
    pub fn plus(self, constant: u32) -> Expr {
        match self {
            Expr::Constant(value) => Expr::Constant(value.wrapping_add(constant)),
            Expr::Binary(Binary::Add, left, right) => match *right {
                Expr::Constant(value) => left.plus(value.wrapping_add(constant)),
                right => Expr::Binary(Binary::Add, left, Box::new(right.plus(constant))),
            },
            other if constant == 0 => other,
            other => Expr::binary(Binary::Add, other, Expr::Constant(constant)),
        }
    }
}
