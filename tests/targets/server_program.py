"""A server that can be told to behave badly, to be started by a command. It accepts connections and says nothing."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import time


def main() -> None:
    options = read_arguments()
    if options.group_file:
        with open(f"{options.group_file}.part", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(str(os.getpgrp()))
        os.replace(f"{options.group_file}.part", options.group_file)  # noqa: PTH105 -- whole or not there
    if options.ignore_sigterm:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    write(options.write, options.exit_after or b"")
    if options.exit is not None:
        sys.exit(options.exit)
    if options.die_of:
        os.kill(os.getpid(), options.die_of)
    if options.daemon:
        continue_in_child(leave_group=options.leave_group)
    if options.children:
        for _ in range(options.children):
            if os.fork() == 0:
                sleep_for_ever()
    if options.never_listen:
        sleep_for_ever()
    serve(options.port)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "0")))
    parser.add_argument("--group-file", help="write the number of the process group here")
    parser.add_argument("--ignore-sigterm", action="store_true")
    parser.add_argument("--write", type=int, default=0, help="this many bytes to either output, before listening")
    parser.add_argument("--exit-after", type=os.fsencode, help="and then this line")
    parser.add_argument("--exit", type=int)
    parser.add_argument("--die-of", type=int, help="end by this signal")
    parser.add_argument("--daemon", action="store_true", help="go on in a grandchild, and end")
    parser.add_argument("--leave-group", action="store_true", help="in a session of its own")
    parser.add_argument("--children", type=int, default=0, help="child processes that do nothing")
    parser.add_argument("--never-listen", action="store_true")
    return parser.parse_args()


def write(number: int, line: bytes) -> None:
    block = b"x" * 99 + b"\n"
    for _ in range(number // len(block) // 2):
        os.write(1, block)
        os.write(2, block)
    os.write(2, line)


def continue_in_child(*, leave_group: bool) -> None:
    if os.fork():
        os._exit(0)
    if leave_group:
        os.setsid()
    if os.fork():
        os._exit(0)


def sleep_for_ever() -> None:
    while True:
        time.sleep(3600)


def serve(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)) as sock:
        while True:
            connection, _ = sock.accept()
            connection.close()


if __name__ == "__main__":
    main()
