"""`loci service` under a real systemd user manager: what people do with it for years, in a minute."""
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import world
from running_daemon import RunningDaemon, until
from user_manager import Impossible, UserManager

# Of <sys/ptrace.h>: stop one thread of another process, as a deadlock would.
PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207


class UserManagerTest(world.EndToEnd):
    def setUp(self):
        super().setUp()
        self.manager = UserManager(self.world.scratch)
        self.world.environment.update(self.manager.variables)
        self.world.vault = self.new_vault("mein Gedächtnis, 50% voll")
        self.manager.start(self.world.environment)
        self.addCleanup(self.manager.stop)

    def new_vault(self, name):
        vault = self.world.scratch / name
        vault.mkdir()
        (vault / "a.md").write_text("The heron stands in the pond.\n")
        return vault

    def install(self, *options):
        answer = self.world.json("service", "install", *options)
        self.assertTrue(answer["started"], self.manager.log())
        return answer["unit"]

    def service(self):
        escaped = subprocess.run(["systemd-escape", "--path", str(self.world.vault.resolve())], capture_output=True, text=True, check=True)
        return f"loci@{escaped.stdout.strip()}.service"

    def status(self):
        return self.world.json("status")

    def process(self):
        """The daemon that answers, or none."""
        return (self.status().get("daemon") or {}).get("pid")

    def is_active(self, unit):
        return self.manager.show(unit, "ActiveState") == "active"

    def test_it_is_started_said_to_be_ready_reloaded_and_removed(self):
        unit = self.install()
        self.assertTrue(self.is_active(unit), self.manager.log())
        self.assertEqual(int(self.manager.show(unit, "MainPID")), self.process())
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])
        self.assertIn("enabled", self.manager.systemctl("is-enabled", unit).stdout)

        self.world.write(".loci/config.toml", '[vault]\nignore = ["drafts/"]\n')
        self.manager.systemctl("reload", unit)
        self.world.write("drafts/b.md", "A draft about herons.\n")
        self.assertTrue(until(lambda: self.manager.show(unit, "ActiveState") == "active"))
        self.world.run("status", "--wait")
        self.assertEqual(self.world.found("draft"), [])

        process = self.process()
        self.world.run("service", "remove")
        self.assertTrue(until(lambda: not pathlib.Path(f"/proc/{process}").exists()), "the daemon still runs")
        self.assertEqual([file for file in (self.world.scratch / "config/systemd").rglob("*loci*")], [])
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])

    def test_it_comes_back_after_a_kill_and_nothing_is_lost(self):
        unit = self.install()
        first = self.process()
        self.world.add("Said before the kill.")
        os.kill(first, signal.SIGKILL)
        self.assertTrue(until(lambda: self.is_active(unit) and self.process() not in (None, first)), self.manager.log())
        self.assertEqual(self.world.found("kill"), ["Said before the kill."])

    def test_a_daemon_of_which_one_thread_hangs_is_started_anew(self):
        unit = self.install()
        first = self.process()
        dropin = self.world.scratch / "config/systemd/user/loci@.service.d/watchdog.conf"
        dropin.write_text("[Service]\nWatchdogSec=2\n")
        self.manager.systemctl("daemon-reload")
        self.manager.systemctl("restart", unit)
        second = self.process()
        self.assertNotEqual(second, first)
        stopped, end = threading.Event(), threading.Event()
        holder = threading.Thread(target=self.hold_a_thread, args=(second, stopped, end))
        holder.start()
        try:
            self.assertTrue(stopped.wait(20), "no thread could be stopped")
            self.assertTrue(until(lambda: self.manager.show(unit, "NRestarts") == "1" and self.is_active(unit), 60), self.manager.log())
        finally:
            end.set()
            holder.join()
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])

    @staticmethod
    def hold_a_thread(process, stopped, end):
        """Stops the youngest thread of a process until `end`. Whoever traces a thread has to be one thread itself."""
        libc = ctypes.CDLL(None, use_errno=True)
        thread = max(int(name) for name in os.listdir(f"/proc/{process}/task"))
        if libc.ptrace(PTRACE_SEIZE, thread, 0, 0) == 0 and libc.ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0:
            stopped.set()
        end.wait()

    def test_the_first_who_asks_starts_it_where_systemd_has_the_socket(self):
        unit = self.install("--socket")
        service = unit.replace(".socket", ".service")
        self.manager.systemctl("stop", service)
        self.assertEqual(self.manager.show(service, "ActiveState"), "inactive")
        self.assertTrue(self.is_active(unit))
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.manager.show(unit, "Listen").rsplit(" ", 1)[0])
            client.sendall(b"GET /memory/search?q=heron HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
        self.assertIn(b"stands in the pond", answer)
        self.assertTrue(self.is_active(service), self.manager.log())

    def test_a_key_reaches_the_daemon_through_its_credentials_only(self):
        key = self.world.scratch / "key"
        key.write_text("f" * 64)
        key.chmod(0o600)
        unit = self.install("--credential", f"http-token:{key}")
        process = self.process()
        environment = pathlib.Path(f"/proc/{process}/environ").read_bytes()
        self.assertIn(b"CREDENTIALS_DIRECTORY=", environment)
        self.assertNotIn(b"f" * 64, environment)
        self.assertNotIn(b"f" * 64, pathlib.Path(f"/proc/{process}/cmdline").read_bytes())
        self.assertIn(f"LoadCredential=http-token:{key}", self.manager.systemctl("cat", unit).stdout)
        folder = dict(item.split(b"=", 1) for item in environment.split(b"\0") if b"=" in item)[b"CREDENTIALS_DIRECTORY"]
        if not self.hands_out_credentials(key):
            self.skipTest("systemd hands no user service a credential here")
        # Mounted for the service alone, where the system can do that.
        places = [pathlib.Path(f"/proc/{process}/root{os.fsdecode(folder)}/http-token"), pathlib.Path(os.fsdecode(folder), "http-token")]
        self.assertEqual([place.read_text() for place in places if place.exists()][:1], ["f" * 64])

    def hands_out_credentials(self, key):
        """Whether a service that has nothing to do with loci gets one."""
        probe = self.world.scratch / "config/systemd/user/probe.service"
        probe.write_text("[Service]\nType=oneshot\n"
                         f"LoadCredential=key:{key}\nExecStart=/bin/sh -c 'test -s \"$CREDENTIALS_DIRECTORY/key\"'\n")
        self.manager.systemctl("daemon-reload")
        return self.manager.systemctl("start", "probe.service", fine=None).returncode == 0

    def test_two_vaults_are_two_services_and_one_can_go(self):
        first_vault, first = self.world.vault, self.install()
        self.world.vault = self.new_vault("second")
        second = self.install()
        self.assertNotEqual(first, second)
        self.assertTrue(self.is_active(first) and self.is_active(second), self.manager.log())
        self.world.run("service", "remove")
        self.assertFalse(self.is_active(second))
        self.assertTrue(self.is_active(first))
        self.world.vault = first_vault
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])

    def test_a_program_that_is_replaced_under_it_is_the_one_that_runs_next(self):
        program = self.world.scratch / "bin/loci"
        program.parent.mkdir()
        shutil.copy(world.LOCI, program)
        real, world.LOCI = world.LOCI, str(program)
        self.addCleanup(setattr, world, "LOCI", real)
        unit = self.install()
        newer = program.with_name("loci.new")
        shutil.copy(real, newer)
        newer.rename(program)
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])  # the old one goes on
        self.manager.systemctl("restart", unit)
        self.assertEqual(os.readlink(f"/proc/{self.process()}/exe"), str(program))

    def test_installed_again_it_runs_after_the_next_login(self):
        for options in ((), ("--no-start",)):
            self.install()
            self.world.run("service", "install", *options)
            unit = self.service()
            self.manager.systemctl("stop", unit)
            self.manager.systemctl("daemon-reload")
            self.manager.systemctl("start", unit)
            self.assertTrue(self.is_active(unit), self.manager.log())

    def test_beside_another_daemon_it_does_not_start_again_and_again(self):
        self.world.run("service", "install", "--no-start")
        unit = self.service()
        # Without what this system may be unable to do: that would be another reason not to start.
        (self.world.scratch / "config/systemd/user/loci@.service.d/hardening.conf").write_text("")
        by_hand = RunningDaemon(self.world)
        self.addCleanup(by_hand.close)
        self.manager.systemctl("daemon-reload")
        self.manager.systemctl("start", unit, fine=None)
        self.assertTrue(until(lambda: self.manager.show(unit, "ActiveState") == "failed"), self.manager.log())
        self.assertEqual((self.manager.show(unit, "NRestarts"), self.manager.show(unit, "ExecMainStatus")), ("0", "4"))
        self.assertEqual(self.process(), by_hand.process.pid)

    def test_what_hardening_the_system_cannot_do_is_left_out_and_said(self):
        done = self.world.run("service", "install")
        self.assertIn("started ", done)
        kept = (self.world.scratch / "config/systemd/user/loci@.service.d/hardening.conf").read_text()
        for option in ("ProtectKernelTunables", "ProtectKernelLogs"):
            self.assertTrue((option in kept) != (option in self.world.messages), f"{option}: kept and said to be left out, or neither")
        self.assertNotIn("Job for", self.world.messages)  # what systemd says of a try that is made up for


if __name__ == "__main__":
    scratch = world.World()
    manager = UserManager(scratch.scratch)
    try:
        manager.start({**scratch.environment, **manager.variables})
        manager.has_to_run_services()
    except Impossible as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    finally:
        manager.stop()
        scratch.close()
    unittest.main()
