"""Packets of GDB's remote serial protocol over TCP.

Debugging with GDB, appendix "GDB Remote Serial Protocol", section "Overview": `$payload#checksum`,
acknowledged with `+` or `-`; `}` escapes a byte, `*` repeats one.
"""

from __future__ import annotations

import contextlib
import socket
import time

from pennyweight.devices.errors import LostConnectionError, SilentError

INTERRUPT = b"\x03"
"""Outside any packet: stop the running program."""

_TRIES = 3
"""Attempts for a packet without acknowledgement or an answer with a wrong checksum."""

_ACK_S = 2.0
_RESTART_S = 2.0
_LARGEST = 1 << 20
"""Limit of a packet in bytes; servers announce at most a few thousand."""


def frame(payload: bytes) -> bytes:
    """A packet for a payload, with special characters escaped."""
    escaped = bytearray()
    for byte in payload:
        if byte in b"$#}*":
            escaped += bytes((0x7D, byte ^ 0x20))
        else:
            escaped.append(byte)
    return b"$%s#%02x" % (bytes(escaped), sum(escaped) & 0xFF)


def unescape(body: bytes) -> bytes:
    """A packet's body with escapes and repetitions expanded."""
    found = bytearray()
    place = iter(body)
    for byte in place:
        if byte == 0x7D:
            found.append(next(place, 0x20) ^ 0x20)
        elif byte == 0x2A:
            found += found[-1:] * max(0, next(place, 29) - 29)
        else:
            found.append(byte)
    return bytes(found)


_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Linux's option to acknowledge TCP segments at once."""


class Packets:
    """A connection to a server. All methods raise `LostConnectionError` and `SilentError`."""

    def __init__(self, host: str, port: int, seconds: float = 5.0) -> None:
        self.place = f"{host}:{port}"
        self._acknowledges = True
        self._waiting = bytearray()
        try:
            self._socket = _connected(host, port, seconds)
        except socket.gaierror:
            raise LostConnectionError(
                f"gdb:{self.place}: unknown host '{host}'; give the host and port of the debug "
                "server"
            ) from None
        except OSError as error:
            raise LostConnectionError(
                f"gdb:{self.place}: no debug server answers ({error.strerror or error}); "
                "start it (again), or correct the port"
            ) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Ends the connection."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def stop_acknowledging(self) -> None:
        """For use after the server has accepted `QStartNoAckMode`."""
        self._acknowledges = False

    def ask(self, payload: bytes, seconds: float = 5.0) -> bytes:
        """The answer to a packet."""
        self.send(payload)
        return self.receive(seconds)

    def send(self, payload: bytes) -> None:
        """Sends a packet until it is acknowledged."""
        packet = frame(payload)
        for _ in range(_TRIES):
            self._write(packet)
            if not self._acknowledges or self._is_acknowledged():
                return
        raise SilentError(
            f"gdb:{self.place}: the debug server does not acknowledge packets; close other "
            "programs that are connected to it, or restart it"
        )

    def send_raw(self, data: bytes) -> None:
        """Sends bytes outside any packet, such as `INTERRUPT`."""
        self._write(data)

    def receive(self, seconds: float) -> bytes:
        """The payload of the next packet."""
        end = time.monotonic() + seconds
        for _ in range(_TRIES):
            body, checksum = self._packet(end)
            if sum(body) & 0xFF == checksum:
                if self._acknowledges:
                    self._write(b"+")
                return unescape(body)
            if not self._acknowledges:
                break
            self._write(b"-")
        raise SilentError(
            f"gdb:{self.place}: packets from the debug server arrive corrupted; check the "
            "connection"
        )

    def _is_acknowledged(self) -> bool:
        """Whether the next acknowledgement is positive; packets before it are kept."""
        end = time.monotonic() + _ACK_S
        at = 0
        while True:
            while at < len(self._waiting):
                byte = self._waiting[at]
                if byte in b"+-":
                    del self._waiting[at]
                    return byte == 0x2B
                if byte == 0x24:
                    # A late answer; the acknowledgement can only follow its end.
                    close = self._waiting.find(b"#", at)
                    if close < 0 or close + 2 >= len(self._waiting):
                        break
                    at = close + 3
                else:
                    del self._waiting[at]
            if not self._more(end):
                return False

    def _packet(self, end: float) -> tuple[bytes, int]:
        """The body of the next packet and its checksum."""
        while True:
            start = self._waiting.find(b"$")
            if start < 0:
                self._waiting.clear()
            else:
                del self._waiting[:start]
                close = self._waiting.find(b"#")
                if close > 0 and len(self._waiting) >= close + 3:
                    body = bytes(self._waiting[1:close])
                    digits = bytes(self._waiting[close + 1 : close + 3])
                    del self._waiting[: close + 3]
                    return body, _hexadecimal(digits)
            if len(self._waiting) > _LARGEST or not self._more(end):
                raise SilentError(f"gdb:{self.place}: the debug server does not answer; restart it")

    def _more(self, end: float) -> bool:
        """Waits for bytes; `False` if none arrived before `end`."""
        left = end - time.monotonic()
        if left <= 0:
            return False
        self._socket.settimeout(left)
        try:
            if _QUICK_ACK is not None:
                # Servers that send acknowledgement and answer separately, such as mspdebug, wait
                # 40 ms for this machine's acknowledgement in between. Linux resets the option.
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
            found = self._socket.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from None
        if not found:
            raise self._lost("the server closed it")
        self._waiting += found
        return True

    def _write(self, data: bytes) -> None:
        try:
            self._socket.settimeout(5.0)
            self._socket.sendall(data)
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from None

    def _lost(self, why: str) -> LostConnectionError:
        return LostConnectionError(
            f"gdb:{self.place}: the connection to the debug server is lost ({why}); check the "
            "cable and the server, then run the command again"
        )


def _connected(host: str, port: int, seconds: float) -> socket.socket:
    """A connection. A server that ends with its client, as mspdebug's, may be starting again."""
    end = time.monotonic() + _RESTART_S
    while True:
        try:
            return socket.create_connection((host, port), timeout=seconds)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _hexadecimal(digits: bytes) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        return -1
