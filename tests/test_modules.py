"""The modules that CMakeLists.txt declares: each one uses exactly what it says that it uses.

Without this test a module could include any header of a module that happens to be linked.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = {"JSON", "SELF_REGISTERING", "FAST", "HEADERS", "DIR", "TEST_USES"}
# They have no headers of their own: they define what headers of base declare.
GENERATED = {"version", "embedded"}


def declared():
    """Module -> (its folder, the modules that it may use)."""
    text = re.sub(r"#.*", "", (ROOT / "CMakeLists.txt").read_text())
    modules = {}
    for name, rest in re.findall(r"harness_module\((\w+)([^)]*)\)", text):
        arguments, uses, folder, key = rest.split(), set(), f"harness/{name}", ""
        for word in arguments:
            if word in OPTIONS or word == "USES":
                key = word
            elif key == "DIR":
                folder = word
            elif key == "USES":
                uses.add(word)
        modules[name] = (folder, uses - GENERATED)
    return modules


MODULES = declared()


def module_of(path):
    """The module with the longest folder that contains this path; None for a system header."""
    found = [name for name, (folder, _) in MODULES.items() if path.startswith(folder + "/")]
    return max(found, key=lambda name: len(MODULES[name][0]), default=None)


def own_files(module):
    for path in sorted((ROOT / MODULES[module][0]).rglob("*")):
        name = str(path.relative_to(ROOT))
        is_test = re.search(r"_(test|bench|fuzz|main)\.|^(test_|testing\.|example_|fuzz)", path.name)
        if path.suffix in (".h", ".cpp") and not is_test and module_of(name) == module:
            yield path


def included(module):
    """Module -> one file that includes a header of it."""
    found = {}
    for path in own_files(module):
        for header in re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE):
            header = "labs/" + header if header.startswith(("lab/", "device/")) else header
            found.setdefault(module_of(header), path.relative_to(ROOT))
    return {used: path for used, path in found.items() if used not in (None, module)}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_uses_what_it_declares(module):
    uses, found = MODULES[module][1], included(module)
    undeclared = {f"{path} includes a header of {used}" for used, path in found.items() if used not in uses}
    assert not undeclared, f"add them to USES of {module} in CMakeLists.txt, or do not include them"
    assert not uses - set(found), f"{module} includes no header of these: remove them from its USES in CMakeLists.txt"


def test_modules_do_not_use_each_other_in_a_circle():
    order = []
    for module, (_, uses) in MODULES.items():
        assert uses <= set(order), f"{module} uses {uses - set(order)}, which CMakeLists.txt declares later"
        order.append(module)


def test_a_name_is_defined_once():
    """A struct of the same name in two headers breaks a program that links both modules."""
    first = {}
    for path in (path for module in MODULES for path in own_files(module) if path.suffix == ".h"):
        text = path.read_text()
        namespace = re.findall(r"^namespace ([\w:]+)", text, re.MULTILINE)[:1]
        for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? {", text, re.MULTILINE):
            other = first.setdefault((*namespace, name), path)
            assert other == path, f"{name} is defined in {other} and in {path}"
