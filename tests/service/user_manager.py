"""A systemd user manager of one test's own, with a runtime folder and a home of its own; nobody has to be logged in."""
import contextlib
import os
import pathlib
import signal
import subprocess
import time

MANAGER = "/lib/systemd/systemd"
BOOTED = pathlib.Path("/run/systemd/system")  # without it the manager will not start


class Impossible(Exception):
    """Why there can be no manager here."""


class UserManager:
    def __init__(self, scratch):
        self.process = None
        self.made_booted = False
        self.runtime = scratch / "run"
        self.runtime.mkdir(mode=0o700)
        self.log_file = scratch / "manager.log"
        self.variables = {"XDG_RUNTIME_DIR": str(self.runtime), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus"}

    def start(self, environment):
        if not os.access(MANAGER, os.X_OK):
            raise Impossible(f"{MANAGER} is not installed")
        self.made_booted = not BOOTED.exists()
        try:
            BOOTED.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Impossible(f"{BOOTED} cannot be made: {error.strerror}") from error
        self.environment = {**environment, **self.variables}
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen([MANAGER, "--user"], env={**self.environment, "SYSTEMD_LOG_TARGET": "console"},
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 120
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                said = self.log_file.read_text(errors="replace")[-500:]
                raise Impossible(f"a user manager does not start here: {said}")
            time.sleep(0.05)

    def answers(self):
        return self.systemctl("show-environment", fine=None).returncode == 0

    def systemctl(self, *words, fine=(0,)):
        done = subprocess.run(["systemctl", "--user", "--no-pager", *words], env=self.environment, capture_output=True, text=True, timeout=60)
        if fine is not None and done.returncode not in fine:
            raise AssertionError(f"systemctl --user {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}\n{self.log()}")
        return done

    def show(self, unit, name):
        return self.systemctl("show", unit, f"--property={name}", "--value").stdout.strip()

    def log(self):
        return self.log_file.read_text(errors="replace")[-4000:]

    def has_to_run_services(self):
        """A manager that answers may still be unable to start anything: in a container without control groups, say."""
        done = subprocess.run(["systemd-run", "--user", "--wait", "--quiet", "true"], env=self.environment, capture_output=True, text=True,
                              timeout=60)
        if done.returncode != 0:
            raise Impossible(f"a user manager starts no service here: {done.stderr.strip()}")

    def stop(self):
        if self.process is not None:
            self.stop_manager()
        if self.made_booted:
            with contextlib.suppress(OSError):
                BOOTED.rmdir()

    def stop_manager(self):
        """By its own means first: what a killed manager leaves running nobody stops."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
