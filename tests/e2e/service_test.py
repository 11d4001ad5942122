"""`loci service`: the units are what systemd understands, whatever the vault is called, and go away again."""
import os
import pathlib
import shutil
import subprocess
import unittest

import world
from running_daemon import RunningDaemon


class ServiceTest(world.EndToEnd):
    def setUp(self):
        super().setUp()
        self.units = self.world.scratch / "config/systemd/user"
        runtime = self.world.scratch / "run"
        runtime.mkdir(mode=0o700)
        self.world.environment["XDG_RUNTIME_DIR"] = str(runtime)
        # Never the manager of whoever runs the tests.
        self.world.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"

    def files(self):
        return sorted(str(file.relative_to(self.units)) for file in self.units.rglob("*") if file.is_file())

    def instance(self, kind="service"):
        escaped = subprocess.run(["systemd-escape", "--path", str(self.world.vault.resolve())], capture_output=True, text=True, check=True)
        return f"loci@{escaped.stdout.strip()}.{kind}"

    def verify(self, unit):
        """What systemd has to say about the installed unit: nothing, if it is right."""
        environment = dict(self.world.environment, SYSTEMD_UNIT_PATH=f"{self.units}:")
        done = subprocess.run(["systemd-analyze", "--user", "--man=no", "verify", unit], env=environment, capture_output=True, text=True,
                              cwd=self.units)
        return done.stderr

    def property(self, unit, name):
        lines = [line for file in self.files() if file.startswith("loci@") for line in (self.units / file).read_text().splitlines()]
        return [line.split("=", 1)[1] for line in lines if line.startswith(name + "=")]

    def test_systemd_finds_nothing_wrong_with_the_units(self):
        self.world.run("service", "install", "--no-start", "--socket")
        self.assertEqual(set(self.files()), {"loci@.service", "loci@.service.d/hardening.conf", self.instance("socket"),
                                             self.instance() + ".d/folders.conf"})
        self.assertEqual(self.verify(self.instance()), "")
        self.assertEqual(self.verify(self.instance("socket")), "")

    def test_the_check_notices_a_misspelled_key(self):
        self.world.run("service", "install", "--no-start")
        for name in ("loci@.service", "loci@.service.d/hardening.conf"):
            with self.subTest(name):
                file = self.units / name
                right = file.read_text()
                file.write_text(right.replace("[Service]", "[Service]\nNoNewPriviledges=yes"))
                self.assertIn("NoNewPriviledges", self.verify(self.instance()))
                file.write_text(right)

    def test_a_vault_of_any_name_is_kept(self):
        for name in ("my vault", "50% of-it", "ünï\\code", "$HOME"):
            with self.subTest(name):
                self.world.vault = self.world.scratch / name
                self.world.vault.mkdir()
                self.world.run("service", "install", "--no-start")
                self.assertEqual(self.verify(self.instance()), "")
                self.assertIn(self.instance(), self.world.run("service", "install", "--no-start"))

    def test_a_program_in_a_folder_with_blanks_is_started(self):
        folder = self.world.scratch / "my 100% programs"
        folder.mkdir()
        program = folder / "loci"
        shutil.copy(world.LOCI, program)
        subprocess.run([program, "--vault", self.world.vault, "service", "install", "--no-start"], env=self.world.environment, check=True,
                       capture_output=True)
        self.assertEqual(self.verify(self.instance()), "")

    def test_the_daemon_is_watched_restarted_within_limits_and_given_its_keys(self):
        key = self.world.scratch / "key"
        key.write_text("secret")
        self.world.run("service", "install", "--no-start", "--credential", f"http-token:{key}")
        self.assertEqual(self.verify(self.instance()), "")
        self.assertEqual(self.property(self.instance(), "Type"), ["notify"])
        self.assertEqual(self.property(self.instance(), "Restart"), ["on-failure"])
        self.assertEqual(self.property(self.instance(), "PrivateUsers"), ["yes"])
        self.assertEqual(self.property(self.instance(), "LoadCredential"), [f"http-token:{key}"])
        self.assertGreater(int(self.property(self.instance(), "WatchdogSec")[0]), 120)
        # Where things are, as this user's shell has it; never a key.
        names = [line.strip('"').split("=")[0] for line in self.property(self.instance(), "Environment")]
        self.assertEqual(names, ["XDG_STATE_HOME", "XDG_CONFIG_HOME"])
        for file in self.files():
            self.assertNotIn("secret", (self.units / file).read_text())

    def test_neither_its_memory_nor_a_core_file_is_without_bounds(self):
        self.world.run("service", "install", "--no-start")
        self.assertEqual(self.property(self.instance(), "MemoryMax"), ["1G"])
        self.assertEqual(self.property(self.instance(), "LimitCORE"), ["0"])

    def manager_that_cannot(self, option):
        """A systemctl that starts nothing as long as the hardening has this option."""
        programs = self.world.scratch / "programs"
        programs.mkdir(exist_ok=True)
        (programs / "systemctl").write_text(f"""#!/bin/sh
echo "$@" >> {self.world.scratch}/asked
case "$2" in
  start|enable) ! grep -q '^{option}' {self.units}/loci@.service.d/hardening.conf ;;
esac
""")
        (programs / "systemctl").chmod(0o755)
        self.world.environment["PATH"] = f"{programs}:{os.environ['PATH']}"

    def test_hardening_that_a_system_cannot_do_is_given_up_and_named(self):
        for option, lost, kept in (("ProtectKernelLogs", "ProtectKernelTunables", "PrivateUsers=yes"),
                                   ("PrivateUsers", "ProtectSystem", "NoNewPrivileges=yes"), ("SystemCallFilter", "NoNewPrivileges", "[Service]")):
            with self.subTest(option):
                self.manager_that_cannot(option)
                self.world.run("service", "install")
                self.assertIn(option, self.world.messages)
                hardening = (self.units / "loci@.service.d/hardening.conf").read_text()
                self.assertNotIn(f"\n{lost}=", hardening)
                self.assertIn(kept, hardening)
                self.assertEqual(self.verify(self.instance()), "")

    def test_what_is_installed_again_without_a_try_keeps_what_was_found_out(self):
        self.manager_that_cannot("ProtectKernelLogs")
        self.world.run("service", "install")
        hardening = (self.units / "loci@.service.d/hardening.conf").read_text()
        self.world.run("service", "install", "--no-start")
        self.assertEqual((self.units / "loci@.service.d/hardening.conf").read_text(), hardening)

    def test_a_service_that_runs_is_started_anew_with_what_was_installed(self):
        self.manager_that_cannot("nothing")
        self.world.run("service", "install")
        self.world.run("service", "install")
        asked = [line.split()[1] for line in (self.world.scratch / "asked").read_text().splitlines()]
        self.assertEqual([word for word in asked if word in ("stop", "start")], ["stop", "start"] * 2)

    def test_beside_a_daemon_that_was_started_by_hand_it_says_what_to_do_first(self):
        daemon = RunningDaemon(self.world)
        self.addCleanup(daemon.close)
        self.assertIn(f"kill {daemon.process.pid} ", self.world.run("service", "install", "--no-start"))
        self.world.run("service", "remove")
        self.manager_that_cannot("nothing")
        self.world.run("service", "install", code=5)
        self.assertIn(f"kill {daemon.process.pid}", self.world.messages)
        self.assertEqual(self.files(), [])

    def test_what_does_not_start_without_hardening_either_keeps_it(self):
        self.manager_that_cannot("# What the daemon never needs")
        self.world.run("service", "install", code=1)
        self.assertIn("enable --now", self.world.messages)
        self.assertIn("ProtectKernelTunables=yes", (self.units / "loci@.service.d/hardening.conf").read_text())

    def test_a_credential_that_is_none_is_refused(self):
        for wrong in ("x", "x:relative", "a b:/etc/hostname", "x:/nonexistent", ":/etc/hostname"):
            self.world.run("service", "install", "--no-start", "--credential", wrong, code=2)
        self.assertFalse(self.units.exists())

    def test_printing_writes_nothing(self):
        printed = self.world.run("service", "install", "--print")
        self.assertIn("ExecStart=", printed)
        units = self.world.json("service", "install", "--print")["units"]
        self.assertEqual(printed, "".join(f"# {unit['file']}\n{unit['text']}\n" for unit in units))
        self.assertFalse(self.units.exists())

    def test_the_service_of_a_vault_that_is_gone_can_be_removed(self):
        self.world.run("service", "install", "--no-start")
        self.assertTrue(self.files())
        self.world.vault.rename(self.world.scratch / "elsewhere")
        self.world.run("service", "remove")
        self.assertEqual(self.files(), [])

    def test_what_belongs_to_installing_removes_nothing(self):
        self.world.run("service", "install", "--no-start")
        before = self.files()
        self.world.run("service", "remove", "--print", code=2)
        self.assertEqual(self.files(), before)

    def test_without_a_manager_it_says_what_to_do(self):
        said = self.world.run("service", "install")
        self.assertIn(f"systemctl --user enable --now '{self.instance()}'", said)

    def test_removing_leaves_nothing_but_memories(self):
        self.world.add("Deploys happen on Fridays.")
        self.world.run("service", "install", "--no-start", "--socket", "--credential", "x:/etc/hostname")
        before = self.world.tree()
        self.world.run("service", "remove")
        self.assertEqual(self.files(), [])
        self.assertEqual(self.world.tree(), before)
        self.assertIn("nothing to do", self.world.run("service", "remove"))

    def test_removing_one_vaults_service_leaves_the_others(self):
        self.world.run("service", "install", "--no-start")
        wants = self.units / "default.target.wants"
        wants.mkdir()
        (wants / "loci@another.service").symlink_to(self.units / "loci@.service")
        self.world.run("service", "remove")
        self.assertIn("loci@.service", self.files())

    def test_an_unknown_action_is_wrong_usage(self):
        self.world.run("service", "start", code=2)


if __name__ == "__main__":
    unittest.main()
