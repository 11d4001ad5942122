"""A daemon that runs for a test: started like a service (it tells a socket of ours when it is ready), stopped at the end."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

from world import SLOWNESS


def until(condition, seconds=60):
    """Waits for a condition that somebody else brings about; its last value."""
    end = time.monotonic() + seconds * SLOWNESS
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.005)


class RunningDaemon:
    def __init__(self, world, *options, wrapper=(), wait=True):
        self.world = world
        self.notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify_name = str(world.scratch / f"notify-{os.urandom(4).hex()}")
        self.notified.bind(self.notify_name)
        self.messages = []
        self.log = open(world.scratch / "daemon.log", "ab")
        environment = dict(world.environment, NOTIFY_SOCKET=self.notify_name)
        self.process = subprocess.Popen([*wrapper, *world.command("daemon", "--log", "debug", *options)], env=environment,
                                        stderr=self.log, stdin=subprocess.DEVNULL)
        if wait and not self.hears("READY=1"):
            raise AssertionError(f"the daemon did not get ready:\n{self.logged()}")

    def hears(self, message, seconds=60):
        """Whether the daemon says this to its service manager."""
        end = time.monotonic() + seconds * SLOWNESS
        while not any(message in each.split("\n") for each in self.messages):
            if self.process.poll() is not None:
                self.notified.setblocking(False)
            self.notified.settimeout(max(0.01, min(0.2, end - time.monotonic())))
            try:
                self.messages.append(self.notified.recv(4096).decode())
            except (TimeoutError, BlockingIOError):
                if self.process.poll() is not None or time.monotonic() > end:
                    return False
        return True

    def forget_messages(self):
        self.messages.clear()

    def logged(self):
        return (self.world.scratch / "daemon.log").read_text(errors="replace")

    def stop(self, with_signal=signal.SIGTERM, seconds=60):
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        try:
            return self.process.wait(seconds * SLOWNESS)
        finally:
            self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.notified.close()
        self.log.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.notify_name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- over its socket ---

    def socket_file(self):
        return next(iter(pathlib.Path(self.world.environment["XDG_STATE_HOME"]).glob("loci/*/daemon.sock")))

    def ask(self, method, target, body=None, headers=(), timeout=30):
        """(status, JSON or text)"""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(timeout * SLOWNESS)
        connection.connect(str(self.socket_file()))
        payload = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", f"Content-Length: {len(payload)}", *headers]
        if body is not None:
            lines.append("Content-Type: application/json")
        with connection, connection.makefile("rb") as answer:
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + payload)
            head, _, rest = answer.read().partition(b"\r\n\r\n")
        status = int(head.split()[1])
        return status, (json.loads(rest) if b"application/json" in head else rest.decode())
