"""GDB's remote serial protocol on the wire, against a server that misbehaves on purpose."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import cast

import pytest

from packages_for_tests import board
from pennyweight.catalogue import load
from pennyweight.devices.errors import DeviceError, LostConnectionError, SilentError
from pennyweight.devices.gdb import GdbServer, Region
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.identity import _check_memories, identify
from pennyweight.devices.monitor import Monitor
from pennyweight.devices.packets import Packets, frame, unescape

Answer = Callable[[socket.socket, bytes], None]


@contextlib.contextmanager
def serving(answer: Answer) -> Iterator[int]:
    """A server that calls `answer` with every packet's body."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                waiting = b""
                while data := connection.recv(4096):
                    waiting += data
                    while b"#" in waiting and len(waiting) >= waiting.index(b"#") + 3:
                        end = waiting.index(b"#") + 3
                        body = waiting[waiting.index(b"$") + 1 : end - 3]
                        waiting = waiting[end:]
                        answer(connection, body)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def test_a_packet_has_a_checksum_and_escapes() -> None:
    assert frame(b"g") == b"$g#67"
    assert frame(b"X0,2:#}") == b"$X0,2:}\x03}]#%02x" % (sum(b"X0,2:}\x03}]") & 0xFF)


def test_repetitions_and_escapes_are_expanded() -> None:
    assert unescape(b"0* ") == b"0000"
    assert unescape(b"a}\x03b") == b"a#b"
    assert unescape(frame(b"$#}*")[1:-3]) == b"$#}*"


def test_a_damaged_answer_is_requested_again() -> None:
    sent: list[bytes] = []

    def answer(connection: socket.socket, body: bytes) -> None:
        sent.append(body)
        connection.sendall(b"+$OK#00" + b"$OK#9a")

    with serving(answer) as port:
        packets = Packets("127.0.0.1", port)
        assert packets.ask(b"vMustReplyEmpty") == b"OK"
        packets.close()
    assert sent == [b"vMustReplyEmpty"]


def test_a_rejected_packet_is_sent_again() -> None:
    sent: list[bytes] = []

    def answer(connection: socket.socket, body: bytes) -> None:
        sent.append(body)
        connection.sendall(b"-" if len(sent) == 1 else b"+$OK#9a")

    with serving(answer) as port:
        packets = Packets("127.0.0.1", port)
        assert packets.ask(b"c") == b"OK"
        packets.close()
    assert sent == [b"c", b"c"]


def test_noise_between_packets_is_skipped() -> None:
    with serving(lambda connection, body: connection.sendall(b"\x00junk+more$OK#9a")) as port:
        packets = Packets("127.0.0.1", port)
        assert packets.ask(b"?") == b"OK"
        packets.close()


def test_only_damaged_answers_are_reported() -> None:
    def answer(connection: socket.socket, body: bytes) -> None:
        connection.sendall(b"+" + b"$OK#00" * 5)

    with serving(answer) as port, pytest.raises(SilentError, match="corrupted"):
        Packets("127.0.0.1", port).ask(b"?")


def test_a_closed_connection_is_reported() -> None:
    with (
        serving(lambda connection, body: connection.close()) as port,
        pytest.raises(LostConnectionError, match="lost"),
    ):
        Packets("127.0.0.1", port).ask(b"?")


def test_a_silent_server_is_reported() -> None:
    with (
        serving(lambda connection, body: connection.sendall(b"+")) as port,
        pytest.raises(SilentError, match="does not answer"),
    ):
        Packets("127.0.0.1", port).ask(b"?", 0.2)


def test_a_missing_server_is_reported_with_the_remedy() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(LostConnectionError, match=r"start it \(again\), or correct the port"):
        Packets("127.0.0.1", port)


MAP = (
    b"l<?xml version='1.0'?><!DOCTYPE memory-map PUBLIC '+//IDN gnu.org//DTD' 'x'>"
    b"<memory-map><memory type='flash' start='0x8000000' length='0x4000'>"
    b"<property name='blocksize'>0x400</property></memory>"
    b"<memory type='flash' start='0x8004000' length='0x10000'>"
    b"<property name='blocksize'>0x8000</property></memory></memory-map>"
)


@contextlib.contextmanager
def server_with_flash(
    sent: list[bytes], content: bytes = b"ff", replies: Mapping[bytes, bytes] = MappingProxyType({})
) -> Iterator[GdbServer]:
    """A server with `MAP` that records packets; every byte of memory reads as `content`, and the
    packets that begin with a key of `replies` get its value.
    """
    replies = {
        b"qSupported": b"PacketSize=400;qXfer:memory-map:read+",
        b"?": b"S05",
        **replies,
    }

    def answer(connection: socket.socket, body: bytes) -> None:
        sent.append(unescape(body))
        reply = MAP if body.startswith(b"qXfer") else b"OK"
        for start, given in replies.items():
            reply = given if body.startswith(start) else reply
        if body.startswith(b"m"):
            reply = content * int(body.partition(b",")[2], 16)
        connection.sendall(b"+" + frame(reply))

    with serving(answer) as port:
        server = GdbServer("127.0.0.1", port)
        sent.clear()
        yield server
        server.close()


def test_flash_is_erased_in_whole_blocks_of_the_servers_map() -> None:
    sent: list[bytes] = []
    with server_with_flash(sent) as server:
        server.flash([(0x8000410, b"#$}*" * 8)])
    assert sent == [
        b"vFlashErase:8000400,400",
        b"vFlashWrite:8000410:" + b"#$}*" * 8,
        b"vFlashDone",
    ]


def test_flash_is_erased_before_any_of_it_is_written() -> None:
    sent: list[bytes] = []
    with server_with_flash(sent) as server:
        server.flash([(0x8000410, b"a"), (0x8000600, b"b"), (0x8003FFF, b"cd")])
    assert sent == [
        b"vFlashErase:8000400,400",
        b"vFlashErase:8003c00,8400",
        b"vFlashWrite:8000410:a",
        b"vFlashWrite:8000600:b",
        b"vFlashWrite:8003fff:cd",
        b"vFlashDone",
    ]


def test_unchanged_pieces_in_erased_blocks_are_found() -> None:
    with server_with_flash([]) as server:
        image, monitor, far = (0x8000410, b"a"), (0x8000600, b"b"), (0x8004000, b"c")
        assert server.sharing_blocks([image], [image, monitor, far]) == [image, monitor]


def test_flash_that_keeps_its_old_bytes_is_reported() -> None:
    sent: list[bytes] = []
    monitor = Monitor([(0x8004000, b"m")], {}, 0x20001000)
    with server_with_flash(sent) as server:
        link = GdbLink(server, board("stm32f407-168mhz"), monitor)
        with pytest.raises(DeviceError, match=r"flash at 0x8000000 differs from what was written"):
            link.load([(0x8000000, b"image")])
    assert b"vFlashDone" in sent


def test_a_breakpoint_is_set_again_after_a_reset() -> None:
    sent: list[bytes] = []
    end = 0x8004010
    monitor = Monitor([], {"pw_device_run": 0x8004000, "pw_device_done": end}, 0x20001000)
    stopped = {b"c": b"S05", b"p": end.to_bytes(4, "little").hex().encode()}
    with server_with_flash(sent, replies=stopped) as server:
        link = GdbLink(server, board("stm32f407-168mhz"), monitor)
        assert link.step(5.0) is None
        assert link.step(5.0) is None
        link.reset()
        assert link.step(5.0) is None
    points = [body.decode() for body in sent if body[:1] in b"Zzcq"]
    reset = f"qRcmd,{b'reset halt'.hex()}"
    assert points[:7] == ["Z1,8004010,2", "c", "c", "z1,8004010,2", reset, "Z1,8004010,2", "c"]


FE310 = {
    b"qXfer": b"l",
    b"p342": b"05111040",  # register 65 + 0x301
    b"qRcmd," + b"version".hex().encode(): b"Open On-Chip Debugger 0.12.0".hex().encode(),
}
CHAIN = """   TapName             Enabled  IdCode     Expected   IrLen IrCap IrMask
-- ------------------- -------- ---------- ---------- ----- ----- ------
 0 riscv.cpu              Y     0x{:08x} 0x20000913     5 0x01  0x03
"""


@pytest.mark.parametrize("found", [0x20000913, 0x10E31913])
def test_the_scan_chain_of_openocd_is_checked(found: int) -> None:
    chain = {b"qRcmd," + b"scan_chain".hex().encode(): CHAIN.format(found).encode().hex().encode()}
    with server_with_flash([], replies=FE310 | chain) as server:
        if found == 0x20000913:
            words = identify(server, board("fe310-g002"), "riscv")
            assert words == "FE310-G002, misa 0x40101105, IDCODE 0x20000913, OpenOCD 0.12.0"
        else:
            with pytest.raises(DeviceError, match=r"IDCODE is 0x10e31913, but .* nothing was"):
                identify(server, board("fe310-g002"), "riscv")


@pytest.mark.parametrize("size", [39, 68])
def test_a_part_without_an_architecture_is_recognised_by_its_registers(size: int) -> None:
    with server_with_flash([], replies={b"qXfer": b"l", b"g": b"00" * size}) as server:
        if size == 39:
            words = identify(server, board("atmega328p"), "avr")
            assert words == "ATmega328P, identity not read, unknown debug server"
        else:
            with pytest.raises(DeviceError, match="its 68 bytes of registers are not those of"):
                identify(server, board("atmega328p"), "avr")


def test_registers_are_numbered_as_in_the_target_description() -> None:
    """Without a number, a register follows the previous one, also across documents."""
    documents = {
        b"qSupported": b"PacketSize=400;qXfer:features:read+",
        b"qXfer:features:read:target.xml": b'l<target><xi:include href="core.xml"/>'
        b'<feature name="x"><reg name="misa" bitsize="32"/></feature></target>',
        b"qXfer:features:read:core.xml": b'l<feature name="core"><reg name="zero" bitsize="32"/>'
        b"<reg bitsize='32' regnum='40' name='pc'/></feature>",
    }
    with server_with_flash([], replies=documents) as server:
        numbers = [server.register_number(name) for name in ("zero", "pc", "misa", "mtvec")]
    assert numbers == [0, 40, 41, None]


@pytest.mark.parametrize(
    ("name", "flash", "matches"),
    [
        ("rp2040", (0x1000_0000, 0x20_0000), True),
        ("stm32f103-72mhz", (0x0800_0000, 0x2_0000), True),
        ("stm32f103-72mhz", (0x0800_0000, 0x8000), False),
        ("nrf52840", (0x1000_0000, 0x20_0000), False),
        ("rp2040", (0x2000_0000, 0x1_0000), False),
    ],
    ids=["code in RAM", "larger flash", "smaller flash", "other address", "flash in its RAM"],
)
def test_the_memory_for_code_is_compared_with_the_servers_map(
    name: str, flash: tuple[int, int], matches: bool
) -> None:
    """As OpenOCD describes a part: its flash, and RAM elsewhere. The RP2040's code is in RAM."""
    start, size = flash
    regions = [
        Region("ram", 0, start),
        Region("flash", start, size, 4096),
        Region("ram", start + size, (1 << 32) - start - size),
    ]
    server = cast(GdbServer, SimpleNamespace(regions=regions, place="gdb:localhost:3333"))
    if matches:
        _check_memories(server, load().boards[name])
    else:
        with pytest.raises(DeviceError, match=rf"flash is {start:#x} to .* nothing was written"):
            _check_memories(server, load().boards[name])
