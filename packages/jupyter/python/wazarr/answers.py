"""Answers what a viewer asks for, a few keys at a time.

Messages from the viewer, `id` numbers what it asks for:

    {"kind": "get", "id": "a1", "key": "/t2m/c/0/0/0", "range": {"offset": 0, "length": 4096}}
    {"kind": "more", "id": "a1"}
    {"kind": "abort", "id": "a1"}

`range` may be absent, or `{"suffixLength": 64}`. Messages to it:

    {"kind": "value", "id": "a1", "size": 4096}     with one buffer: the value, or its first part
    {"kind": "part", "id": "a1"}                    with one buffer: the next part, after "more"
    {"kind": "missing", "id": "a1"}
    {"kind": "error", "id": "a1", "message": "..."}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from zarr.abc.store import ByteRequest, OffsetByteRequest, RangeByteRequest, SuffixByteRequest

from .sources import Source

#: Bytes of a message. The next part of a value waits until the viewer has this one.
PART = 4 << 20
#: Keys that are read at once.
WORKERS = 8

Send = Callable[[dict[str, Any], list[memoryview]], None]


class Answers:
    """Reads what is asked for in threads, so that messages can be received meanwhile.

    `send` is called in these threads, by one at a time.
    """

    def __init__(self, source: Source, send: Send) -> None:
        self._source = source
        self._unguarded_send = send
        self._sending = Lock()
        self._lock = Lock()
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="wazarr")
        self._reading: dict[str, Future[None]] = {}
        #: What is left of values that have more than one part.
        self._rest: dict[str, memoryview] = {}

    def receive(self, message: Mapping[str, Any]) -> None:
        """Takes a message of the viewer; unknown ones are left alone."""
        match message:
            case {"kind": "get", "id": str(number), "key": str(key)}:
                with self._lock:
                    reading = self._workers.submit(self._answer, number, key, message.get("range"))
                    self._reading[number] = reading
                reading.add_done_callback(lambda _: self._reading.pop(number, None))
            case {"kind": "more", "id": str(number)}:
                self._send_part({"kind": "part", "id": number})
            case {"kind": "abort", "id": str(number)}:
                self._abort(number)

    def close(self) -> None:
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._rest.clear()

    def _send(self, message: dict[str, Any], buffers: list[memoryview]) -> None:
        with self._sending:
            self._unguarded_send(message, buffers)

    def _abort(self, number: str) -> None:
        with self._lock:
            reading = self._reading.pop(number, None)
            self._rest.pop(number, None)
        # A read that is under way ends, and its value is not sent.
        if reading is not None:
            reading.cancel()

    def _answer(self, number: str, key: str, given: Any) -> None:
        try:
            value = self._source.get(_checked(key), _byte_range(given))
        except Exception as error:  # whatever a store raises is the viewer's to show
            self._send({"kind": "error", "id": number, "message": f"{type(error).__name__}: {error}"}, [])
            return
        with self._lock:
            if number not in self._reading:
                return  # aborted
            if value is not None:
                self._rest[number] = memoryview(value)
        if value is None:
            self._send({"kind": "missing", "id": number}, [])
        else:
            self._send_part({"kind": "value", "id": number, "size": len(value)})

    def _send_part(self, message: dict[str, Any]) -> None:
        number = message["id"]
        with self._lock:
            rest = self._rest.pop(number, None)
            if rest is None:
                return  # aborted
            if len(rest) > PART:
                self._rest[number] = rest[PART:]
        self._send(message, [rest[:PART]])


def _checked(key: str) -> str:
    if not key.startswith("/") or ".." in key.split("/"):
        raise ValueError(f"expected a key of a store, got {key!r}")
    return key[1:]


def _byte_range(given: Any) -> ByteRequest | None:
    match given:
        case None:
            return None
        case {"offset": int(offset), "length": int(length)}:
            return RangeByteRequest(offset, offset + length)
        case {"offset": int(offset)}:
            return OffsetByteRequest(offset)
        case {"suffixLength": int(length)}:
            return SuffixByteRequest(length)
    raise ValueError(f"expected a range of bytes, got {given!r}")
