"""A client of GDB's remote serial protocol: memory, registers, breakpoints, running, loading flash.

Debugging with GDB, appendix "GDB Remote Serial Protocol": sections "Packets", "Stop Reply Packets",
"General Query Packets", "Memory Map Format". It uses only packets that OpenOCD, pyOCD, probe-rs,
J-Link, st-util, QEMU, simavr and mspdebug support, and a memory map if the server has one.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from pennyweight.devices.errors import DeviceError, SilentError
from pennyweight.devices.packets import INTERRUPT, Packets

_SMALLEST = 400
"""Bytes that every server accepts in a packet; mspdebug's and simavr's buffers are larger."""

_ERASE_S = 60.0
"""Time limit for erasing the flash of a large part."""

_STOPPED = (b"S", b"T", b"W", b"X")


@dataclass(frozen=True, slots=True)
class Region:
    """A memory in a server's map; `block` is the erase block's size in bytes."""

    kind: str
    start: int
    length: int
    block: int = 0


class GdbServer:
    """A debug server and its part. All methods raise `DeviceError`."""

    def __init__(self, host: str, port: int) -> None:
        self._packets = Packets(host, port)
        self.place = f"gdb:{self._packets.place}"
        try:
            self._begin()
        except BaseException:
            self._packets.close()
            raise

    def _begin(self) -> None:
        """Agrees on the protocol, halts the part and reads the server's description of it."""
        answer = self._packets.ask(b"qSupported:swbreak+;hwbreak+")
        self.features = _features(answer)
        size = int(self.features.get("PacketSize", "0") or "0", 16)
        self._most = max(_SMALLEST, min(size, 1 << 14) - 16)
        if "QStartNoAckMode" in self.features and self._ask(b"QStartNoAckMode") == b"OK":
            self._packets.stop_acknowledging()
        self._running = False
        self._halt_if_running()
        # QEMU allows writes to single registers only after its description has been requested.
        self.description = self._transfer(b"features", b"target.xml")
        self.regions = self._memory_map()

    def close(self) -> None:
        """Ends the connection; the part stays unchanged."""
        self._packets.close()

    def read(self, address: int, size: int) -> bytes:
        """Reads bytes of memory. Raises `DeviceError` if there is no memory."""
        found = bytearray()
        step = min(self._most // 2, 1 << 12)
        while len(found) < size:
            at, count = address + len(found), min(step, size - len(found))
            answer = self._ask(b"m%x,%x" % (at, count))
            piece = _bytes(answer)
            if not piece or len(piece) > count:
                raise DeviceError(
                    f"{self.place}: {count} bytes at {at:#x} cannot be read "
                    f"({_text(answer) or 'no answer'})"
                )
            found += piece
        return bytes(found)

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM, or to flash if the server allows writing it like RAM."""
        step = (self._most - 24) // 2
        for start in range(0, len(data), step):
            piece = data[start : start + step]
            packet = b"M%x,%x:%s" % (address + start, len(piece), piece.hex().encode())
            answer = self._ask(packet)
            if answer != b"OK":
                raise DeviceError(
                    f"{self.place}: {len(piece)} bytes at {address + start:#x} cannot be written "
                    f"({_text(answer) or 'no answer'})"
                )

    def flash(self, segments: list[tuple[int, bytes]]) -> None:
        """Erases and writes flash, at (address, bytes), using the server's memory map.

        Everything else in the erase blocks of `segments` is lost. Flash that is not in the map is
        written like RAM.
        """
        ranges = _joined({block for at, data in segments for block in self._blocks(at, len(data))})
        erases = all(self._erase(start, size) for start, size in ranges)
        pieces = [(at, data) for at, data in segments if erases and self._blocks(at, len(data))]
        for segment in segments:
            if segment not in pieces:
                self.write(*segment)
        step = self._most // 2
        for address, data in pieces:
            for at in range(0, len(data), step):
                piece = b"vFlashWrite:%x:" % (address + at) + data[at : at + step]
                answer = self._packets.ask(piece, _ERASE_S)
                if answer != b"OK":
                    raise DeviceError(
                        f"{self.place}: flash at {address + at:#x} cannot be written "
                        f"({_text(answer)})"
                    )
        if pieces:
            answer = self._packets.ask(b"vFlashDone", _ERASE_S)
            if answer != b"OK":
                raise DeviceError(f"{self.place}: writing flash failed ({_text(answer)})")

    def sharing_blocks(
        self, some: list[tuple[int, bytes]], segments: list[tuple[int, bytes]]
    ) -> list[tuple[int, bytes]]:
        """Those of `segments` that lose bytes when the erase blocks of `some` are erased."""
        blocks = {block for at, data in some for block in self._blocks(at, len(data))}
        return [
            (at, data)
            for at, data in segments
            if (at, data) in some
            or any(at < start + size and start < at + len(data) for start, size in blocks)
        ]

    def _erase(self, start: int, size: int) -> bool:
        """Whether the server can erase flash."""
        answer = self._packets.ask(b"vFlashErase:%x,%x" % (start, size), _ERASE_S)
        if answer not in (b"OK", b""):
            raise DeviceError(
                f"{self.place}: flash from {start:#x} cannot be erased ({_text(answer)}); check "
                "that it is not protected"
            )
        return answer == b"OK"

    def _blocks(self, address: int, size: int) -> list[tuple[int, int]]:
        """(start, size) of the erase blocks of an address range; empty if the map has none."""
        found = []
        for region in self.regions:
            end = region.start + region.length
            if region.kind != "flash" or not region.block:
                continue
            first, last = max(address, region.start), min(address + size, end)
            if first >= last:
                continue
            start = first - (first - region.start) % region.block
            found += [(at, region.block) for at in range(start, last, region.block)]
        return found

    def read_register(self, number: int, size: int) -> int:
        """A register of `size` bytes, by its number in GDB's architecture description."""
        answer = self._ask(b"p%x" % number)
        if not answer:
            return int.from_bytes(self._registers_at(number, size)[1], "little")
        found = _bytes(answer)
        if len(found) < size:
            raise DeviceError(
                f"{self.place}: register {number} cannot be read ({_text(answer) or 'no answer'})"
            )
        return int.from_bytes(found[:size], "little")

    def write_register(self, number: int, value: int, size: int) -> None:
        """Writes a register."""
        answer = self._ask(b"P%x=%s" % (number, value.to_bytes(size, "little").hex().encode()))
        if not answer:
            before, old, after = self._registers_at(number, size)
            changed = before + value.to_bytes(len(old), "little") + after
            answer = self._ask(b"G" + changed.hex().encode())
        if answer != b"OK":
            raise DeviceError(
                f"{self.place}: register {number} cannot be written "
                f"({_text(answer) or 'no answer'})"
            )

    def register_number(self, name: str) -> int | None:
        """A register's number in the server's target description; `None` if it is not listed.

        Debugging with GDB, "Target Description Format": a register without a number has the one
        after the previous register's.
        """
        number = -1
        for text in self._descriptions(self.description, 0):
            for each in re.finditer(rb"<reg\s[^>]*>", text):
                fields = dict(re.findall(rb"""(\w+)\s*=\s*["']([^"']*)["']""", each[0]))
                given = fields.get(b"regnum", b"")
                number = int(given) if given.isdigit() else number + 1
                if fields.get(b"name") == name.encode():
                    return number
        return None

    def _descriptions(self, text: bytes, depth: int) -> Iterator[bytes]:
        """A description and the documents that it includes, in their order."""
        pieces = re.split(rb"""<xi:include\s+href=["']([^"']+)["'][^>]*>""", text)
        for i, piece in enumerate(pieces):
            if i % 2 == 0:
                yield piece
            elif depth < 2:
                yield from self._descriptions(self._transfer(b"features", piece), depth + 1)

    @property
    def register_bytes(self) -> int:
        """The size of all registers that GDB reads at once."""
        return len(self._ask(b"g")) // 2

    def _registers_at(self, number: int, size: int) -> tuple[bytes, bytes, bytes]:
        """All registers before one of `size` bytes, the register, and all after it.

        For servers without packets for single registers: QEMU's for MIPS, and mspdebug's, in which
        an MSP430's 16 registers may be wider than `size`.
        """
        found = _bytes(self._ask(b"g"))
        width, rest = divmod(len(found), 16)
        if rest or width not in (2, 4):
            width = size
        at = number * width
        if len(found) < at + width:
            raise DeviceError(f"{self.place}: the debug server cannot read registers")
        return found[:at], found[at : at + width], found[at + width :]

    def set_breakpoint(self, address: int, size: int) -> None:
        """Stops the program before the instruction of `size` bytes at an address."""
        for kind in (1, 0):
            if self._ask(b"Z%d,%x,%x" % (kind, address, size)) == b"OK":
                return
        raise DeviceError(f"{self.place}: the debug server cannot set a breakpoint at {address:#x}")

    def clear_breakpoint(self, address: int, size: int) -> None:
        """Removes a breakpoint."""
        for kind in (1, 0):
            if self._ask(b"z%d,%x,%x" % (kind, address, size)) == b"OK":
                return

    def resume(self) -> None:
        """Continues the program."""
        self._packets.send(b"c")
        self._running = True

    def wait(self, seconds: float) -> bool:
        """Whether the program stopped within that time."""
        end = time.monotonic() + seconds
        while True:
            try:
                answer = self._packets.receive(max(0.0, end - time.monotonic()))
            except SilentError:
                return False
            # mspdebug reports an error when the core cannot continue.
            if answer.startswith((*_STOPPED, b"E")):
                self._running = False
                return True
            # Other packets are console output, such as semihosting's.

    def interrupt(self) -> None:
        """Stops the running program."""
        self._packets.send_raw(INTERRUPT)
        if not self.wait(5.0):
            raise SilentError(
                f"{self.place}: the part cannot be halted; reset or power-cycle it, then run the "
                "command again"
            )

    def reset(self) -> None:
        """Resets and halts the part, if the server can."""
        printed = self.monitor("reset halt")
        if printed is None:
            self._reset_by_packet()
            return
        if "unknown" in printed.lower():
            self.monitor("system_reset")
        self._halt_if_running()

    def _reset_by_packet(self) -> None:
        """For simavr: packet `r` has no answer, and the part runs afterwards."""
        self._packets.send(b"r")
        with contextlib.suppress(SilentError):
            if self._packets.receive(0.2) == b"":
                return
        self.interrupt()

    def monitor(self, command: str) -> str | None:
        """The server's output for a monitor command; `None` if it supports none."""
        self._packets.send(b"qRcmd," + command.encode().hex().encode())
        printed: list[str] = []
        while True:
            answer = self._packets.receive(_ERASE_S)
            if answer == b"":
                return None
            if answer == b"OK":
                return "".join(printed)
            if answer.startswith(b"E") and len(answer) == 3:
                return "".join(printed)
            if answer.startswith(_STOPPED):
                continue
            is_last = not answer.startswith(b"O")
            text = answer if is_last else answer[1:]
            printed.append(_bytes(text).decode("utf-8", "replace"))
            if is_last:
                return "".join(printed)

    def version(self) -> str:
        """The server's name and version, as it reports them."""
        printed = self.monitor("version")
        if printed is None:
            return "unknown debug server"
        if "unknown" in printed.lower():
            said = self.monitor("info version") or ""
            # mspdebug knows neither command.
            is_version = re.match(r"\d+\.", said) is not None
            return f"QEMU {said.split()[0]}" if is_version else "unknown debug server"
        found = re.search(r"Open On-Chip Debugger\s+(\S+)", printed)
        if found is not None:
            return f"OpenOCD {found[1]}"
        return printed.strip().splitlines()[0] if printed.strip() else "unknown debug server"

    def _ask(self, payload: bytes) -> bytes:
        return self._packets.ask(payload)

    def _halt_if_running(self) -> None:
        """Some servers leave the part running until they are asked for its state."""
        self._packets.send(b"?")
        if self.wait(1.0):
            return
        self.interrupt()

    def _transfer(self, what: bytes, name: bytes) -> bytes:
        """A `qXfer` object; empty if the server does not provide it."""
        if not self.features.get(f"qXfer:{what.decode()}:read"):
            return b""
        text = b""
        while True:
            place = b"%x,%x" % (len(text), self._most // 2)
            answer = self._ask(b"qXfer:" + what + b":read:" + name + b":" + place)
            text += answer[1:]
            if not answer.startswith(b"m"):
                return text

    def _memory_map(self) -> list[Region]:
        """The server's memory map; empty if it has none."""
        text = self._transfer(b"memory-map", b"")
        try:
            root = ElementTree.fromstring(re.sub(rb"<!DOCTYPE[^>]*>", b"", text))
        except ElementTree.ParseError:
            return []  # also for an empty text
        return [_region(each) for each in root.iter("memory")]


def _region(element: ElementTree.Element) -> Region:
    block = next(
        (each.text for each in element.iter("property") if each.get("name") == "blocksize"), None
    )
    return Region(
        element.get("type", ""),
        int(element.get("start", "0"), 0),
        int(element.get("length", "0"), 0),
        int(block or "0", 0),
    )


def _joined(blocks: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """(start, size) of blocks, with adjacent ones joined."""
    found: list[tuple[int, int]] = []
    for start, size in sorted(blocks):
        if found and sum(found[-1]) == start:
            found[-1] = (found[-1][0], found[-1][1] + size)
        else:
            found.append((start, size))
    return found


def _features(answer: bytes) -> dict[str, str]:
    """The supported features by name: their value, or `+`."""
    found = {}
    for word in _text(answer).split(";"):
        name, sign, value = word.partition("=")
        if sign:
            found[name] = value
        elif word.endswith(("+", "?")):
            found[word[:-1]] = "+"
    return found


def _bytes(digits: bytes) -> bytes:
    try:
        return bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return b""


def _text(answer: bytes) -> str:
    return answer.decode("ascii", "replace")
