"""Starts moto by forking a process that has loaded it, instead of loading it anew each time.

Loading takes Python a second, which tests that start an emulated cloud each would spend again and
again. `serve SOCKET` loads moto, says "ready", and forks until its stdin closes. Any other
arguments are those of motoLauncher.py: this process hands them and its standard streams to the one
that serves on TALOS_EMULATOR_FORKS, and ends as the fork does. When it is killed, so is the fork.
"""

import os
import socket
import sys

MAX_REQUEST_BYTES = 64 * 1024


def ask(path, arguments):
    """Has a fork run with these arguments and streams. Gives its exit code."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, ["\0".join(arguments).encode()], [0, 1, 2])
        for stream in (0, 1):
            os.close(stream)
        answer = connection.recv(16)
    return int(answer or b"1")


if len(sys.argv) != 3 or sys.argv[1] != "serve":
    sys.exit(ask(os.environ["TALOS_EMULATOR_FORKS"], sys.argv[1:]))

import gc  # noqa: E402
import runpy  # noqa: E402
import selectors  # noqa: E402
import signal  # noqa: E402

# Nothing is written beside the sources.
sys.dont_write_bytecode = True

import savings  # noqa: E402, F401  first of all: it changes what the others import

import accessLogs  # noqa: E402, F401
import attachments  # noqa: E402, F401
import autoScaling  # noqa: E402, F401
import buckets  # noqa: E402, F401
import classicBalancers  # noqa: E402, F401
import endpoints  # noqa: E402, F401
import firewallRules  # noqa: E402, F401
import fleets  # noqa: E402, F401
import hostedZones  # noqa: E402, F401
import identities  # noqa: E402, F401
import launches  # noqa: E402, F401
import queues  # noqa: E402, F401
import quotas  # noqa: E402, F401
import secondRanges  # noqa: E402, F401
import serviceModels  # noqa: E402, F401
import dependencies  # noqa: E402, F401
import volumeChanges  # noqa: E402, F401
import webIdentity  # noqa: E402, F401
from moto.backends import get_backend  # noqa: E402
from moto.core.types import Base64EncodedString  # noqa: E402, F401
from moto.moto_api._internal import mock_random  # noqa: E402
from moto.moto_server import werkzeug_app  # noqa: E402, F401

LAUNCHER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "motoLauncher.py")

for service in ("ec2", "elbv2", "iam", "kms", "route53", "s3", "sts"):
    get_backend(service)


def run_forked(arguments, streams):
    """Becomes the launcher's process; does not return."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Otherwise each fork would give its resources the same ids.
    mock_random.seed()
    sys.argv = [LAUNCHER, *arguments]
    runpy.run_path(LAUNCHER, run_name="__main__")
    os._exit(0)


class Forks:
    """The forks that run, each with the connection of who asked for it."""

    def __init__(self, listener, selector):
        self.listener = listener
        self.selector = selector
        self.connections = {}

    def start(self):
        connection, _ = self.listener.accept()
        request, streams, _, _ = socket.recv_fds(connection, MAX_REQUEST_BYTES, 3)
        pid = os.fork()
        if pid == 0:
            self.selector.close()
            for each in (self.listener, connection, *self.connections.values()):
                each.close()
            run_forked(request.decode().split("\0"), streams)
        for stream in streams:
            os.close(stream)
        self.connections[pid] = connection
        self.selector.register(
            connection, selectors.EVENT_READ, lambda: os.kill(pid, signal.SIGKILL)
        )

    def reap(self):
        """Tells who asked for them how forks have ended."""
        while self.connections:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            connection = self.connections.pop(pid)
            self.selector.unregister(connection)
            code = os.waitstatus_to_exitcode(status)
            try:
                connection.sendall(str(code if code >= 0 else 128 - code).encode())
            except OSError:
                pass  # It was killed, and the fork with it.
            connection.close()


def serve(path):
    selector = selectors.DefaultSelector()
    wakes, wakened = socket.socketpair()
    wakened.setblocking(False)
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakened.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        forks = Forks(listener, selector)
        selector.register(listener, selectors.EVENT_READ, forks.start)
        selector.register(wakes, selectors.EVENT_READ, lambda: (wakes.recv(4096), forks.reap()))
        selector.register(0, selectors.EVENT_READ, lambda: os._exit(0))
        gc.freeze()
        print("ready", flush=True)
        while True:
            for key, _ in selector.select():
                key.data()


serve(sys.argv[2])
