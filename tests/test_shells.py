"""Completions and the manual page are made from the options of the commands, and real shells and groff read them."""
import re
import subprocess

import pytest
from conftest import ROOT, need


def words_after(script, line):
    """What bash offers at the end of a command line."""
    *before, word = line.split(" ")
    spoken = f'''{script}
COMP_WORDS=({" ".join(before)} "{word}"); COMP_CWORD={len(before)}; _harness; printf "%s\\n" "${{COMPREPLY[@]}}"'''
    ran = subprocess.run(["bash", "-c", spoken], capture_output=True, text=True, cwd=ROOT)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split()


def options_of(harness, command):
    return set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", harness(command, "--help").out.split("Options:")[1], re.M))


def test_bash_completes_commands_options_values_and_files(harness):
    script = harness("completion", "bash").out
    assert words_after(script, "harness sel") == ["selftest"]
    assert words_after(script, "harness run configs/lab5.yaml --bu") == ["--budget"]
    assert words_after(script, "harness run configs/lab5.yaml --sanitize th") == ["thread"]
    assert words_after(script, "harness completion ") == ["bash", "zsh", "fish"]
    assert words_after(script, "harness plan configs/lab5") == ["configs/lab5.yaml"]


def test_all_shells_know_every_command(harness):
    commands = re.findall(r"^  ([a-z]+) ", harness("--help").out.split("Subcommands:")[1], re.M)
    assert len(commands) > 10
    bash, zsh, fish = (harness("completion", shell).out for shell in ("bash", "zsh", "fish"))
    assert words_after(bash, "harness ") == [*commands, "--help", "--version"]
    assert re.findall(r"^    '([a-z]+):", zsh, re.M) == re.findall(r"^    ([a-z]+)\)$", zsh, re.M) == commands
    assert re.findall(r"^complete -c harness -n __fish_use_subcommand -f -a ([a-z]+) ", fish, re.M) == commands
    for command in ("run", "grade", "clean"):
        options = options_of(harness, command)
        assert set(words_after(bash, f"harness {command} --")) == options
        own = re.search(rf"^    {command}\)\n(.*)$", zsh, re.M)[1]
        assert set(re.findall(r" '(--[a-z-]+)\[", own)) == options - {"--help"}
        assert set(re.findall(rf"from {command}' -l ([a-z-]+) ", fish)) == {name[2:] for name in options - {"--help"}}
    assert harness("completion", "tcsh").code == 2


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shell_itself_reads_its_completions(harness, tmp_path, shell):
    need(shell)
    (tmp_path / "_harness").write_text(harness("completion", shell).out)
    ran = subprocess.run([shell, "-n", tmp_path / "_harness"], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_manual_page_has_every_option_and_the_exit_codes_of_readme(harness):
    page = harness("manual").out
    for command in ("run", "plan", "grade", "compare"):
        own = page.split(f".SS harness {command}")[1].split("\n.S")[0]
        named = {name.replace("\\-", "-") for name in re.findall(r"(?:\\-){2}(?:[a-z]|\\-)+", own)}
        assert options_of(harness, command) - {"--help"} <= named
    codes = re.findall(r"^\.TP\n(\d+)\n(.*)$", page.split(".SH EXIT STATUS")[1], re.M)
    assert re.findall(r"^\| (\d+) \| (.*) \|$", (ROOT / "README.md").read_text(), re.M) == codes


def test_groff_finds_nothing_wrong_in_the_manual_page(harness, tmp_path):
    need("groff")
    ran = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=harness("manual").out, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "") and "harness run" in re.sub(r"\x1b\[\d*m|.\x08", "", ran.stdout)
