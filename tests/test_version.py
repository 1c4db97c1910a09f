"""cmake/Version.cmake: the commit in the program is that of the checkout, and a new one recompiles one file."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(small VERSION 4.5.6 LANGUAGES CXX)
add_library(harness_options INTERFACE)
target_include_directories(harness_options INTERFACE ${CMAKE_SOURCE_DIR})
include(cmake/Version.cmake)
add_executable(small main.cpp)
target_link_libraries(small PRIVATE version)
"""
MAIN = """
#include <cstdio>
#include "harness/base/version.h"
int main() {
  const auto& v = harness::version();
  std::printf("%s %s %s", v.version, v.commit, v.dirty ? "dirty" : "clean");
}
"""


class Checkout:
    def __init__(self, folder):
        self.folder = folder
        (folder / "cmake").mkdir(parents=True)
        (folder / "harness/base").mkdir(parents=True)
        shutil.copy(ROOT / "cmake/Version.cmake", folder / "cmake")
        shutil.copy(ROOT / "harness/base/version.h", folder / "harness/base")
        (folder / "CMakeLists.txt").write_text(PROJECT)
        (folder / "main.cpp").write_text(MAIN)
        (folder / ".gitignore").write_text("/build/\n")

    def call(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self):
        self.call("git", "add", "--all")
        self.call("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--allow-empty", "-m", "t")
        return self.call("git", "rev-parse", "HEAD")

    def build(self):
        """Returns what the program says, and what Ninja compiled."""
        if not (self.folder / "build").exists():
            self.call("cmake", "-B", "build", "-G", "Ninja")
        lines = self.call("ninja", "-C", "build").splitlines()
        compiled = [line.split("/")[-1].removesuffix(".o") for line in lines if "Building CXX" in line]
        return self.call("build/small"), compiled


@pytest.fixture
def checkout(tmp_path):
    made = Checkout(tmp_path / "a checkout")
    made.call("git", "init", "--quiet")
    return made


def test_a_new_commit_recompiles_one_file(checkout):
    first = checkout.commit()
    text, compiled = checkout.build()
    assert text == f"4.5.6 {first} clean"
    assert sorted(compiled) == ["main.cpp", "version.cpp"]
    assert checkout.build() == (f"4.5.6 {first} clean", [])
    second = checkout.commit()
    assert second != first
    assert checkout.build() == (f"4.5.6 {second} clean", ["version.cpp"])


def test_a_changed_file_is_dirty_and_a_new_one_is_not(checkout):
    commit = checkout.commit()
    (checkout.folder / "notes.txt").write_text("mine")
    assert checkout.build()[0] == f"4.5.6 {commit} clean"
    (checkout.folder / ".gitignore").write_text("/build/\n/results/\n")
    assert checkout.build() == (f"4.5.6 {commit} dirty", ["version.cpp"])


def test_without_a_commit_it_is_unknown(checkout):
    assert checkout.build()[0] == "4.5.6 unknown clean"


def test_a_source_archive_inside_another_repository_is_unknown(checkout):
    checkout.commit()
    inner = Checkout(checkout.folder / "inner")
    assert inner.build()[0] == "4.5.6 unknown clean"
