#!/usr/bin/env python3
"""Talks to a core in this process through ctypes: embedded.py LIBRARY FOLDER"""

import ctypes
import json
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.offstage_start.restype = ctypes.c_void_p
library.offstage_start.argtypes = [
    ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_char_p, ctypes.c_size_t,
]  # fmt: skip
library.offstage_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
library.offstage_send.restype = None
library.offstage_receive.argtypes = [
    ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t),
]  # fmt: skip
library.offstage_stop.argtypes = [ctypes.c_void_p]
library.offstage_stop.restype = None


class Core:
    def __init__(self, *arguments: str) -> None:
        words = (ctypes.c_char_p * len(arguments))(*[word.encode() for word in arguments])
        error = ctypes.create_string_buffer(256)
        self.pointer = library.offstage_start(len(arguments), words, error, len(error))
        if not self.pointer:
            raise ValueError(error.value.decode())

    def send(self, id: int, method: str, **params: object) -> None:
        text = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        library.offstage_send(self.pointer, text.encode(), len(text.encode()))

    def receive(self) -> dict | None:
        line, length = ctypes.c_char_p(), ctypes.c_size_t()
        status = library.offstage_receive(
            self.pointer, 30_000, ctypes.byref(line), ctypes.byref(length)
        )
        assert status != 0, "the core has sent nothing for 30 s"
        return json.loads(line.value) if status == 1 else None

    def ask(self, id: int, method: str, **params: object) -> dict:
        self.send(id, method, **params)
        while message := self.receive():
            if message.get("id") == id:
                return message["result"]
        raise EOFError


try:
    Core("--deterministic", "--root=nothing")
except ValueError as error:
    assert "unknown screen" in str(error), error
else:
    raise AssertionError("an unknown screen was accepted")

core = Core("--deterministic")
tabs = core.ask(1, "state/snapshot")["state"]["navigation"]["root"]["tabs"]
assert len(tabs) == 6, tabs

# Another thread sends while this one receives.
sender = threading.Thread(
    target=lambda: [core.send(id, "state/settle") for id in range(2, 1002)]
)
sender.start()
ids = []
while len(ids) < 1000:
    message = core.receive()
    if "id" in message:
        ids.append(message["id"])
sender.join()
assert ids == list(range(2, 1002))

core.send(2000, "shutdown")
while core.receive() is not None:
    pass
library.offstage_stop(core.pointer)

# Two cores are still running when the process exits.
running = [Core(f"--data={sys.argv[2]}/{name}") for name in "ab"]
for core in running:
    core.ask(1, "state/snapshot")
print("embedded.py: passed")
