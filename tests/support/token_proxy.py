"""A proxy on loopback that adds a daemon's bearer token, for clients that cannot send one.

usage: token_proxy.py DAEMON_PORT TOKEN_FILE    prints its own port

Host and Origin go through as they came, but for the proxy's own address, which becomes the daemon's: a check of foreign ones reaches
the daemon. One request a connection.
"""
import socket
import sys
import threading


def pipe(source, sink):
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end, how in ((sink, socket.SHUT_WR), (source, socket.SHUT_RD)):
            try:
                end.shutdown(how)
            except OSError:
                pass


def head_of(caller):
    head = b""
    while b"\r\n\r\n" not in head:
        data = caller.recv(1 << 16)
        if not data:
            return None, b""
        head += data
    head, _, rest = head.partition(b"\r\n\r\n")
    return head.split(b"\r\n"), rest


def serve(caller, own_port, daemon_port, token):
    lines, rest = head_of(caller)
    if lines is None:
        return caller.close()
    dropped = (b"connection:", b"authorization:")
    lines = [line.replace(b":%d" % own_port, b":%d" % daemon_port) if line.lower().startswith((b"host:", b"origin:")) else line
             for line in lines if not line.lower().startswith(dropped)]
    lines += [b"Authorization: Bearer " + token, b"Connection: close"]
    daemon = socket.create_connection(("127.0.0.1", daemon_port))
    daemon.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + rest)
    threading.Thread(target=pipe, args=(caller, daemon), daemon=True).start()
    pipe(daemon, caller)
    caller.close()
    daemon.close()


def main():
    daemon_port, token = int(sys.argv[1]), open(sys.argv[2], "rb").read().strip()
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)
    own_port = listening.getsockname()[1]
    print(own_port, flush=True)
    while True:
        caller, _ = listening.accept()
        threading.Thread(target=serve, args=(caller, own_port, daemon_port, token), daemon=True).start()


if __name__ == "__main__":
    main()
