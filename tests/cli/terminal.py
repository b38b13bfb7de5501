#!/usr/bin/env python3
"""What a person at a terminal sees, and a reader that goes away: flexsnc on a pseudo-terminal and on closed pipes.

    terminal.py FLEXSNC
"""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import unittest

from commandline import Sandbox, npy, read_npy

PROGRAM = ""


def open_terminal():
    """Both ends of a pseudo-terminal. A bare chroot has none: the test is skipped then, and says so."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminals here ({error}); is /dev/pts mounted?") from error


def on_terminal(sandbox, arguments, columns=100, environment=None, streams=(1, 2)):
    """Runs flexsnc with the given streams on a terminal of that width: exit code and what the terminal got."""
    leader, follower = open_terminal()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([str(sandbox.program), *arguments], cwd=sandbox.folder, stdin=subprocess.DEVNULL,
                             env={**sandbox.environment, "TERM": "xterm", **(environment or {})},
                             stdout=follower if 1 in streams else subprocess.DEVNULL,
                             stderr=follower if 2 in streams else subprocess.DEVNULL)
    os.close(follower)
    seen = b""
    while select.select([leader], [], [], 300)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the last writer closed it
            break
        if not piece:
            break
        seen += piece
    os.close(leader)
    return child.wait(300), seen.decode("utf-8").replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox(PROGRAM)
        self.sandbox.__enter__()
        self.addCleanup(self.sandbox.__exit__)

    def test_binary_is_refused(self):
        for command, words in [
                ("run lif.fsn --input x.npy --save s=-", "an array is binary and does not go to a terminal"),
                ("run lif.fsn --input x.npy --save-final v=-", "an array is binary and does not go to a terminal"),
                ("emit lif.fsn --as obj", "an object file is binary and does not go to a terminal")]:
            code, seen = on_terminal(self.sandbox, command.split())
            self.assertEqual(code, 2)
            self.assertIn(words, seen)

    def test_colours(self):
        def seen(command, environment=None, streams=(1, 2)):
            return on_terminal(self.sandbox, command.split(), environment=environment, streams=streams)[1]
        self.assertIn("\x1b[", seen("check bad.fsn"))
        self.assertNotIn("\x1b[", seen("check bad.fsn", {"NO_COLOR": "1"}))
        self.assertNotIn("\x1b[", seen("check bad.fsn", {"TERM": "dumb"}))
        self.assertNotIn("\x1b[", seen("check bad.fsn --color=never"))
        self.assertIn("\x1b[", seen("check bad.fsn --color always", {"NO_COLOR": "1"}))
        self.assertIn("\x1b[", seen("--color=always nonsense", streams=(2,)))

    def test_plots_fill_the_width(self):
        for columns in (40, 100, 150):
            run = ["run", "@LIF", "--input", "poisson(2, T=1000, N=8)", "--plot", "-", "-q"]
            code, seen = on_terminal(self.sandbox, run, columns=columns)
            self.assertEqual(code, 0)
            lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in seen.splitlines()]
            self.assertEqual(max(len(line) for line in lines[1:]), columns)

    def test_progress_and_the_same_values(self):
        # Bytes in and out keep long work small: 6,000 steps of 10,100 neurons, with a pattern that no piece divides.
        pattern = bytes([1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1])
        size = 6000 * 10100
        gate = (pattern * (size // len(pattern) + 1))[:size]
        (self.sandbox.folder / "gate-long.npy").write_bytes(npy("|b1", (6000, 10100), gate))
        run = ["run", "latch.fsn", "--input", "gate-long.npy"]
        watched = run + ["--save", "s=pieces.npy", "--save-final", "n=n.npy"]
        code, seen = on_terminal(self.sandbox, watched, streams=(2,))
        self.assertEqual(code, 0)
        self.assertIn("\rLatch: 3,000 of 6,000 steps\x1b[K", seen)
        self.assertIn("\r\x1b[KLatch: 6,000 steps, 10100 neurons", seen)  # the line is gone when the summary comes
        unwatched = run + ["--save", "s=whole.npy", "--save-final", "n=m.npy", "-q"]
        code, seen = on_terminal(self.sandbox, unwatched, streams=(2,))
        self.assertEqual((code, seen), (0, ""))
        result = self.sandbox.run("cmp pieces.npy whole.npy && cmp n.npy m.npy")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_short_work_shows_none(self):
        self.assertNotIn("\x1b[K", on_terminal(self.sandbox, ["run", "lif.fsn", "--input", "x.npy"])[1])


class Pipes(unittest.TestCase):
    def test_a_reader_that_went_away_is_no_news(self):
        with Sandbox(PROGRAM) as sandbox:
            for command, code in [("list functions", 0), ("check bad.fsn", 1), ("emit lif.fsn --as asm", 0),
                                  ("--help", 0), ("run lif.fsn --input x.npy --save s=-", 0), ("completion bash", 0)]:
                reader, writer = os.pipe()
                os.close(reader)
                result = subprocess.run([str(sandbox.program), *command.split()], cwd=sandbox.folder,
                                        env=sandbox.environment, stdin=subprocess.DEVNULL, stdout=writer,
                                        stderr=subprocess.PIPE, timeout=120)
                os.close(writer)
                self.assertEqual(result.returncode, code, command)
                self.assertNotIn(b"error: cannot", result.stderr)
                self.assertNotIn(b"terminate", result.stderr)

    def test_no_streams_at_all(self):
        with Sandbox(PROGRAM) as sandbox:
            for redirection in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
                result = sandbox.run(f"flexsnc run lif.fsn --input x.npy --save s=s.npy {redirection}")
                self.assertEqual(result.returncode, 0, redirection)
                self.assertEqual(read_npy(sandbox.folder / "s.npy")[:2], ("<f4", (4, 3)))
                os.remove(sandbox.folder / "s.npy")


class Completion(unittest.TestCase):
    def script(self, sandbox, shell):
        return sandbox.run(f"flexsnc completion {shell}").stdout.decode()

    def test_scripts_hold_every_command_and_option(self):
        with Sandbox(PROGRAM) as sandbox:
            commands = re.findall(r"^  ([a-z]+) {2,}[A-Z]", sandbox.run("flexsnc --help").stdout.decode(), re.M)
            self.assertGreater(len(commands), 6)
            for shell in ("bash", "zsh", "fish"):
                script = self.script(sandbox, shell)
                for command in commands:
                    help_ = sandbox.run(f"flexsnc {command} --help").stdout.decode()
                    options = re.findall(r"^  (?:-\w, )?(--[A-Za-z-]+)", help_, re.M)
                    self.assertGreaterEqual(len(options), 5)
                    for option in options:
                        name = f"-l {option[2:]} " if shell == "fish" else option
                        self.assertIn(name, script, (shell, command))

    def test_bash(self):
        """What an interactive bash makes of a line when TAB is pressed, word by word."""
        with Sandbox(PROGRAM) as sandbox:
            (sandbox.folder / "my model.fsn").write_text("")
            (sandbox.folder / "only").mkdir()
            (sandbox.folder / "only" / "one file.npy").write_text("")
            for line, words in [
                    ("flexsnc ch", ["flexsnc", "check"]),
                    ("flexsnc run @Izh", ["flexsnc", "run", "@Izhikevich"]),
                    ("flexsnc run --save-f", ["flexsnc", "run", "--save-final"]),
                    ("flexsnc -q run --save-f", ["flexsnc", "-q", "run", "--save-final"]),
                    ("flexsnc --color never run --save-f", ["flexsnc", "--color", "never", "run", "--save-final"]),
                    ("flexsnc run --dtype f6", ["flexsnc", "run", "--dtype", "f64"]),
                    ("flexsnc run --dtype=f6", ["flexsnc", "run", "--dtype=f64"]),
                    ("flexsnc run --math=s", ["flexsnc", "run", "--math=st"]),  # standard and strict: what they share
                    ("flexsnc emit --stop-after sche", ["flexsnc", "emit", "--stop-after", "schedule"]),
                    ("flexsnc emit --stop-after=sche", ["flexsnc", "emit", "--stop-after=schedule"]),
                    ("flexsnc emit --kernels fin", ["flexsnc", "emit", "--kernels", "final_state"]),
                    ("flexsnc run bad", ["flexsnc", "run", "bad.fsn"]),
                    ("flexsnc check my", ["flexsnc", "check", "my model.fsn"]),
                    ("flexsnc run @LIF --input only/", ["flexsnc", "run", "@LIF", "--input", "only/one file.npy"]),
                    ("flexsnc run @LIF --input x=only/", ["flexsnc", "run", "@LIF", "--input", "x=only/one file.npy"]),
                    ("flexsnc run lif.fsn --set ", ["flexsnc", "run", "lif.fsn", "--set"]),
                    ("flexsnc check -Wno-tau", ["flexsnc", "check", "-Wno-tau-below-dt"]),
                    ("flexsnc check -Werror=spl", ["flexsnc", "check", "-Werror=split-ode"]),
                    ("flexsnc hel", ["flexsnc", "help"]),
                    ("flexsnc help exp", ["flexsnc", "help", "explain"]),
                    ("flexsnc list sur", ["flexsnc", "list", "surrogates"])]:
                self.assertEqual(self.completed(sandbox, line), words, line)

    def completed(self, sandbox, line):
        """The words of `line` after one TAB: Ctrl-A puts a command before them that prints each, Ctrl-E a line end."""
        script = sandbox.folder / "rc"
        script.write_text("source <(flexsnc completion bash)\nPS1=\nbind 'set enable-bracketed-paste off'\n")
        leader, follower = open_terminal()
        child = subprocess.Popen(["bash", "--rcfile", str(script), "-i"], cwd=sandbox.folder, stdin=follower,
                                 stdout=follower, stderr=follower, start_new_session=True,
                                 env={**sandbox.environment, "TERM": "dumb", "INPUTRC": "/dev/null"})
        os.close(follower)
        os.write(leader, line.encode() + b"\t\x01printf '<%s>' \x05; echo\nexit\n")
        seen = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            seen += piece
            if not piece:
                break
        os.close(leader)
        self.assertEqual(child.wait(60), 0, seen)
        printed_words = re.findall(r"^(?:<[^<>]*>)+$", seen.decode().replace("\r", ""), re.M)
        self.assertEqual(len(printed_words), 1, seen)
        return re.findall(r"<([^<>]*)>", printed_words[0])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1], verbosity=2)
