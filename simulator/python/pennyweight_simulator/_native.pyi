"""Types of the compiled module. All addresses are ELF addresses: an AVR's data space begins at
0x800000, its flash at 0."""

from typing import Literal, TypedDict

__version__: str
translator_version: str
"""As `__version__`, with the translator, which no result depends on."""
"""Version of all simulators with a hash of their sources: equal versions give equal cycles."""

def version_of(instruction_set: str) -> str:
    """The same for the simulator of one instruction set. ValueError: there is none."""

class Memory(TypedDict):
    name: str
    kind: Literal["flash", "ram", "mirror"]
    base: int
    size: int
    buffered: bool
    """Whether its timing depends on what was accessed before (a buffer or cache)."""

def defined_symbols(object: bytes) -> list[str]:
    """The global symbols that an object file defines; none if it holds no machine code yet."""

class Core:
    """What the simulator needs to know of a core."""

    @staticmethod
    def from_toml(text: str, source_name: str) -> Core:
        """Reads a core file's text. ValueError: one sentence with file, field and remedy."""
    @property
    def name(self) -> str: ...

class Board:
    """What the simulator needs to know of a board."""

    @staticmethod
    def from_toml(text: str, source_name: str, core: Core) -> Board:
        """Reads the text of a file of a board with this core. ValueError: one sentence with file, field and remedy."""
    @property
    def id(self) -> str: ...
    @property
    def core(self) -> str: ...
    @property
    def hz(self) -> int: ...
    @property
    def memories(self) -> list[Memory]: ...

class Outcome:
    """How a run ended and what it cost."""

    @property
    def exit(self) -> Literal["returned", "fault", "out of cycles"]: ...
    @property
    def fault(self) -> str | None:
        """Kind of fault in kebab case, such as 'stack-overflow', 'guard-zone' or 'free-stack'."""
    @property
    def access(self) -> Literal["read", "write", "execute"] | None:
        """What the faulting access wanted, if it was an access."""
    @property
    def message(self) -> str:
        """The fault in words; empty if there was none."""
    @property
    def pc(self) -> int | None:
        """Address of the instruction that faulted or at which the budget ended."""
    @property
    def address(self) -> int | None:
        """Data address of a faulting access."""
    @property
    def size(self) -> int | None:
        """Bytes of a faulting access."""
    @property
    def cycles(self) -> int:
        """Cycles from the function's first instruction to its return, both included."""
    @property
    def instructions(self) -> int: ...
    @property
    def stack(self) -> int:
        """High-water mark in bytes below the stack pointer before the call."""
    @property
    def result(self) -> int:
        """The function's result as an int of the ABI."""
    @property
    def random(self) -> tuple[int, int]:
        """Bits of random numbers that the program read, and cycles that it waited for them."""

class Profile:
    """What one call was made of."""

    @property
    def outcome(self) -> Outcome: ...
    @property
    def mix(self) -> list[tuple[str, int, int]]:
        """(instruction in the manual's words, how often, cycles), by name."""
    @property
    def stacks(self) -> list[tuple[list[str], int, int]]:
        """(functions, the outermost first; instructions; cycles of the innermost by itself) of
        every call stack that was there: the base of a flame graph. They sum up to the outcome."""
    @property
    def touched(self) -> list[tuple[int, int, bool, bool]]:
        """(start, end, read, written) of bytes in memory that were touched alike, by address."""

class Origin(TypedDict):
    set: int | None
    """The number of the instruction that brought the value to the place; None: before the call."""
    made: int | None
    """The number of the instruction that computed or loaded it."""
    register: int | None
    address: int | None
    """Where in memory it was loaded from or stored to."""
    has_input: bool
    """Whether it was made of the inputs that vary."""
    words: list[int]
    """The random words that it was made of; 126 stands for all from there on."""

class Change(TypedDict):
    instruction: int
    place: Literal[
        "register",
        "operand 1",
        "operand 2",
        "read bus",
        "write bus",
        "data bus",
        "neighbour",
        "memory",
        "result",
    ]
    register: int | None
    neighbour: int | None
    """The register that shows in an access to the other; its value is the old one."""
    is_value: bool
    """Whether the sample is the new value's ones, rather than the bits that change."""
    old: Origin
    new: Origin

class Leakage:
    """Traces of a call: bits that change, with fixed inputs against random ones."""

    def __init__(
        self,
        board: Board,
        elf: bytes,
        ready: int,
        budget: int,
        function: int,
        args: list[tuple[Literal["pointer", "size", "u64", "int"], int]],
        before: tuple[int, list[tuple[Literal["pointer", "size", "u64", "int"], int]]] | None,
        memory: list[tuple[int, bytes]],
        inputs: list[tuple[int, bytes]],
        generator: tuple[int, int] | None,
        window: tuple[int, int] | None,
        second_order: bool,
        seed: int,
    ) -> None:
        """Runs the first trace. `before` is a function with its arguments that is called before the
        examined one. `memory` is written before each trace, `inputs` are the values of the
        fixed group. Before each call of the first function of `generator`, a random word is written
        to the second address. `window` is a function and the number of its calls that are looked at.

        ValueError: one sentence (the core has no model, the call crashes or does not end).
        """
    @staticmethod
    def model(board: Board) -> str | None:
        """Where the model of the board's core is taken from; None: it has none."""
    @property
    def addresses(self) -> list[int]:
        """The instructions of a trace."""
    @property
    def examined(self) -> int:
        """How many of them are in the examined part."""
    @property
    def words(self) -> int:
        """Random words that a trace draws from the variable of the generator."""
    @property
    def samples(self) -> int: ...
    @property
    def counts(self) -> tuple[int, int]:
        """Traces of the current set: fixed, random."""
    def extend(self, count: int, threads: int) -> tuple[int, int] | None:
        """Adds traces to the current set. A trace that executes other instructions than the first one
        ends it: its number, and the last common instruction."""
    def beyond(self, threshold: float) -> list[tuple[int, float]]:
        """(sample, t) of the current set with a larger |t|."""
    def begin_set(self, samples: list[int]) -> None:
        """Begins a new set of other traces, with these samples only."""
    def change(self, sample: int) -> Change: ...

class Machine:
    """A simulated board with an image loaded."""

    def __init__(self, board: Board, elf: bytes) -> None:
        """What runs programs is selected by the environment variable PENNYWEIGHT_ENGINE: "interpreter",
        "translator" or "auto". No outcome depends on it. ValueError: one sentence (not an ELF file, for
        another core, too large, ...)."""
    @staticmethod
    def with_engine(
        board: Board, elf: bytes, engine: Literal["interpreter", "translator", "auto"]
    ) -> Machine:
        """The same with this engine, whatever the environment selects."""
    def symbol(self, name: str) -> int | None: ...
    def symbols(self) -> list[tuple[str, int, int, bool]]:
        """(name, address, size in bytes, is a function) of every symbol."""
    def location(self, pc: int) -> str:
        """'function (file:line)' as far as the image has them, else the address in hex."""
    def boot(self, ready: int, budget: int) -> Outcome:
        """Resets and runs the start-up code until `ready` is reached."""
    def call(
        self,
        function: int,
        args: list[tuple[Literal["pointer", "size", "u64", "int"], int]],
        budget: int,
        stack_limit: int,
        zones: list[tuple[int, int, bool, bool]] = ...,
    ) -> Outcome:
        """Calls a function by the core's ABI. Zones are (start, end, no_read, no_write). What any of
        them forbids is forbidden below the stack pointer too, in RAM that is free for the stack."""
    def profile(
        self,
        function: int,
        args: list[tuple[Literal["pointer", "size", "u64", "int"], int]],
        budget: int,
        stack_limit: int,
        zones: list[tuple[int, int, bool, bool]] = ...,
    ) -> Profile:
        """As `call`, observed: the same outcome, at a tenth of the speed or less.

        ValueError: this board's core cannot be observed.
        """
    def follow_secrets(
        self,
        function: int,
        args: list[tuple[Literal["pointer", "size", "u64", "int"], int]],
        budget: int,
        stack_limit: int,
        secrets: list[tuple[int, int]],
        zones: list[tuple[int, int, bool, bool]] = ...,
    ) -> tuple[Outcome, list[tuple[int, Literal["branch", "address", "time"], int]]]:
        """As `call`, observed: follows the bytes between each (start, end) of `secrets` through
        registers and memory. Gives the outcome and where they showed in time: address of the
        instruction, how (they decided a branch, an address, an instruction's time), how often.

        ValueError: this board's core cannot be observed.
        """
    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, data: bytes) -> None: ...
    @property
    def stack_top(self) -> int: ...
    @property
    def translated_runs(self) -> int:
        """How often translated code ran and was not given up; 0 for a machine that only interprets."""
    def allow_odd_words(self, allowed: bool) -> bool:
        """Whether a word at an odd address is the one at the even address below, as on an MSP430,
        instead of a fault. False if the part does not do so; then nothing changes.
        """
    def snapshot(self) -> None: ...
    def restore(self) -> None: ...

def effects_of_call(
    machine: Machine,
    function: int,
    args: list[tuple[Literal["pointer", "size", "u64", "int"], int]],
    budget: int,
    stack_limit: int,
    zones: list[tuple[int, int, bool, bool]] = ...,
) -> tuple[Outcome, list[tuple[int, int, int, int, bool, bool]]]:
    """As `Machine.call`, observed. For each executed instruction: its address, its executions, the
    registers and flags that it read and wrote as bits, whether it loaded, whether it stored.

    Bits are, on Arm, R0 to R12, SP, LR, a gap, N, Z, C, V, Q, GE; on RISC-V x0 to x31.
    ValueError: this board's core cannot be observed.
    """
