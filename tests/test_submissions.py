"""Submissions as archives, repositories and single files: honest ones are graded, hostile ones cost only their own student."""

import bz2
import gzip
import io
import json
import os
import re
import shutil
import stat
import subprocess
import tarfile
import unicodedata
import zipfile

import pytest
from conftest import ROOT, skip
from small_class import WRONG, Class, without_times

OTHER = WRONG + "// of somebody else\n"


@pytest.fixture
def pupils(lab, tmp_path):
    made = without_times(Class(lab, tmp_path))
    made.submissions.mkdir()
    return made


def zipped(path, *files):
    """Each file is a name and its text, and optionally the mode of the entry."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text, *mode in files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode[0] if mode else stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, text)


def tarred(path, *members, mode="w"):
    """Each member is a name, or a TarInfo, and its text."""
    with tarfile.open(path, mode) as archive:
        for member, text in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member)
            if not isinstance(member, tarfile.TarInfo):
                info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()) if info.isfile() else None)


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def git(*words, folder):
    alone = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", *words], cwd=folder, env=alone,
                   check=True, capture_output=True)


def repository(folder, **files):
    folder.mkdir()
    git("init", "-q", folder=folder)
    for name, text in files.items():
        (folder / f"{name}.cpp").write_text(text)
    git("add", "-A", folder=folder)
    git("commit", "-q", "-m", "m", folder=folder)
    return folder


def outcomes(pupils):
    return {id: f"{student['status']}: {student.get('reason', '')}" for id, student in pupils.students.items()}


def test_archives_and_repositories_are_submissions(pupils, tmp_path):
    there = pupils.submissions
    zipped(there / "anna.zip", ("Lab 5/cpu_mine.cpp", WRONG), ("Lab 5/report.pdf", "x" * 3_000_000), ("__MACOSX/Lab 5/._cpu_mine.cpp", "junk"))
    tarred(there / "ben.tar.gz", ("cpu_mine.cpp", WRONG), mode="w:gz")
    tarred(there / "carla.TAR.XZ", ("./cpu_mine.cpp", OTHER), mode="w:xz")
    (there / "dora.cpp").write_text(WRONG)
    (there / "emil_123_file").mkdir()
    zipped(there / "emil_123_file/lab.zip", ("cpu_mine.cpp", WRONG))
    (there / "emil_123_file/__MACOSX").mkdir()
    (there / "emil_123_file/desktop.ini").write_text("")
    work = repository(tmp_path / "work", cpu_mine=WRONG)
    git("bundle", "create", "-q", there / "fritz.bundle", "main", folder=work)
    git("clone", "-q", "--bare", work, there / "gerd.git", folder=tmp_path)
    git("clone", "-q", work, there / "hugo", folder=tmp_path)
    git("clone", "-q", "--bare", work, there / "jana.git", folder=tmp_path)
    git("symbolic-ref", "HEAD", "refs/heads/not-there", folder=there / "jana.git")
    roster = tmp_path / "roster.csv"
    names = {"dora": "dora.cpp", "emil": "emil_123_file"}
    roster.write_text("id,submission\n" + "".join(f"{id},{names.get(id, '')}\n" for id in ("anna", "ben", "carla", "dora", "emil", "fritz", "gerd", "hugo", "jana")))
    if shutil.which("zstd"):
        tarred(tmp_path / "ida.tar", ("cpu_mine.cpp", WRONG))
        subprocess.run(["zstd", "-q", tmp_path / "ida.tar", "-o", there / "ida.tar.zst"], check=True)
        roster.write_text(roster.read_text() + "ida,\n")
    ran = pupils.grade("--roster", roster)
    assert ran.code == 0, ran.out + ran.err
    students = pupils.students
    # dora's file has another name than the variant
    assert {id for id, student in students.items() if student["status"] != "GRADED"} == {"dora"}, outcomes(pupils)
    assert pupils.points("anna")["compiles"] == pupils.points("carla")["compiles"] == 10
    assert len({student["files"]["hash"] for id, student in students.items() if id not in ("carla", "dora")}) == 1
    assert len(pupils.lab.results.states()) == 2, "identical sources are built and measured once"
    assert "source" not in students["anna"]["files"] and students["hugo"]["files"]["source"] == str(there / "hugo")
    drafts = [path.name for path in pupils.grades_folder.glob("sources/*") if not re.fullmatch("[0-9a-f]{32}", path.name)]
    assert drafts == [], "what was unpacked is removed"


def test_a_hostile_archive_costs_only_its_own_student(pupils, tmp_path):
    there, mine = pupils.submissions, ("cpu_mine.cpp", WRONG)
    zipped(there / "absolute.zip", mine, ("/tmp/x.h", "x"))
    zipped(there / "above.zip", mine, ("a/../../x.h", "x"))
    tarred(there / "above_tar.tar", mine, ("../x.h", "x"))
    zipped(there / "drive.zip", ("C:\\x.h", "x"))
    zipped(there / "link.zip", ("cpu_mine.cpp", "/etc/passwd", stat.S_IFLNK | 0o777))
    tarred(there / "link_tar.tar", (link("cpu_mine.cpp", "/etc/passwd"), ""))
    tarred(there / "hard_link.tar", (link("cpu_mine.cpp", "/etc/passwd", tarfile.LNKTYPE), ""))
    tarred(there / "through_link.tar", (link("dir", "/tmp"), ""), mine, ("dir/x.h", "x"))
    tarred(there / "device.tar", (link("tile.h", "", tarfile.CHRTYPE), ""))
    zipped(there / "twice.zip", mine, mine)
    zipped(there / "folder_and_file.zip", mine, ("a", "x"), ("a/b.h", "x"))
    zipped(there / "many.zip", mine, *((f"d/{n}", "") for n in range(10_001)))
    zipped(there / "long.zip", mine, ("x" * 151 + ".h", ""))
    (there / "long_composed").mkdir()
    (there / "long_composed" / ("\U0001d160" * 36 + ".h")).write_text("")  # 146 bytes, and 434 in the other way to write them
    zipped(there / "large_source.zip", ("cpu_mine.cpp", " " * (1 << 20) + " "))
    zipped(there / "large.zip", mine, *((f"part{n}.h", " " * (1 << 20)) for n in range(17)))
    zipped(there / "no_name.zip", mine, ("~", "x"))
    (there / "no_name.zip").write_bytes((there / "no_name.zip").read_bytes().replace(b"~", b"\0"))
    zipped(there / "encrypted.zip", mine)
    flags = bytearray((there / "encrypted.zip").read_bytes())
    flags[6] |= 1
    flags[flags.index(b"PK\x01\x02") + 8] |= 1
    (there / "encrypted.zip").write_bytes(flags)
    git("init", "-q", "--bare", there / "empty.git", folder=tmp_path)
    git("clone", "-q", "--bare", repository(tmp_path / "work", cpu_mine=WRONG), there / "pipe.git", folder=tmp_path)
    os.mkfifo(there / "pipe.git/refs/heads/other")
    (there / "cut.zip").write_bytes((there / "above.zip").read_bytes()[:60])
    (there / "no_archive.tar.gz").write_bytes(b"hello")
    zipped(there / "nested.zip", ("inner.zip", (there / "above.zip").read_bytes()))
    tarred(there / "not_utf8.tar", mine, (b"t\xffile.h".decode(errors="surrogateescape"), "x"), mode="w")
    (there / "some.rar").write_bytes(b"Rar!")
    (there / "sparse.zip").write_bytes(b"")
    os.truncate(there / "sparse.zip", 100 << 30)
    (there / "no_bundle.bundle").write_bytes(b"# v2 git bundle\n")
    (there / "full_disk.bundle").write_bytes(b"# v2 git bundle\nNo space left on device\n\nPACK")
    zipped(there / "other_method.zip", mine)
    method = bytearray((there / "other_method.zip").read_bytes())
    method[8] = method[method.index(b"PK\x01\x02") + 10] = 9  # Deflate64
    (there / "other_method.zip").write_bytes(method)
    for name, text in (("e\u0301.h", "1"), ("\u00e9.h", "2"), ("cpu_mine.cpp", WRONG)):
        (there / "accents").mkdir(exist_ok=True)
        (there / "accents" / name).write_text(text)
    # 2 GiB of zeros in 2 MB, as a file that nobody needs
    info = tarfile.TarInfo("zeros.dat")
    info.size = 2 << 30
    (there / "bomb.tar.gz").write_bytes(gzip.compress(info.tobuf()) + 64 * gzip.compress(bytes(32 << 20), 1))
    (there / "twin").mkdir()
    (there / "twin/cpu_mine.cpp").write_text(WRONG)
    zipped(there / "twin.zip", mine)
    ran = pupils.grade()
    assert ran.code == 0, ran.out + ran.err
    few = "REFUSED: it has more than 10000 files and folders; hand in only the sources"
    is_link = "REFUSED: cpu_mine.cpp: a link; hand in the file itself"
    assert outcomes(pupils) == {
        "absolute": 'REFUSED: "/tmp/x.h" leaves the folder of the submission',
        "accents": "REFUSED: e\u0301.h and \u00e9.h have one name; rename one",
        "above": 'REFUSED: "a/../../x.h" leaves the folder of the submission',
        "above_tar": 'REFUSED: "../x.h" leaves the folder of the submission',
        "bomb": "REFUSED: it unpacks to more than 1 GiB",
        "cut": "UNREADABLE: it is damaged, or no archive of this kind",
        "device": "REFUSED: tile.h: a device, pipe or socket",
        "drive": 'REFUSED: "C:/x.h" leaves the folder of the submission',
        "empty": "UNREADABLE: it has no branch",
        "encrypted": "UNREADABLE: cpu_mine.cpp: is encrypted",
        "folder_and_file": "REFUSED: a file of it is also a folder",
        "full_disk": "UNREADABLE: git cannot read it: error: unrecognized header: No space left on device (23)",
        "hard_link": is_link,
        "large": "REFUSED: its sources are more than 16 MiB",
        "large_source": "REFUSED: cpu_mine.cpp: 1 MiB are too much for a source",
        "link": is_link,
        "link_tar": is_link,
        "long": f"REFUSED: {'x' * 60}...: the name is too long",
        "long_composed": "REFUSED: " + 15 * "\U0001d160" + "...: the name is too long",
        "many": few,
        "nested": "EMPTY: missing: cpu_mine; inner.zip is an archive inside the submission; hand in the files themselves",
        "no_archive": "UNREADABLE: it is damaged, or no archive of this kind",
        "no_bundle": outcomes(pupils)["no_bundle"],  # git's own words
        "no_name": "UNREADABLE: it cannot be read: IndexError: string index out of range",
        "not_utf8": "GRADED: ",
        "other_method": "UNREADABLE: it is compressed by a method that the harness does not read; make an ordinary zip or a tar.gz",
        "pipe": "REFUSED: refs/heads/other: a device, pipe or socket",
        "some.rar": "UNREADABLE: neither a folder, a source file nor an archive that the harness reads (zip, tar, tar.gz, tar.xz, tar.bz2, tar.zst, "
                    "git bundle)",
        "sparse": "REFUSED: the archive has 100 GiB; the limit is 64 MiB; hand in only the sources",
        "through_link": 'REFUSED: a file of it is also a folder',
        "twice": 'REFUSED: "cpu_mine.cpp" is in it twice',
        "twin": "REFUSED: there are twin and twin.zip; keep one"}
    assert outcomes(pupils)["no_bundle"].startswith("UNREADABLE: git cannot read it: "), outcomes(pupils)["no_bundle"]
    assert pupils.points("not_utf8")["compiles"] == 10
    assert not list(pupils.folder.glob("**/x.h"))


def test_git_runs_nothing_of_a_repository(pupils, tmp_path):
    """Hooks, filters, submodules and remotes are commands of the student."""
    ran = tmp_path / "ran"
    command = f"touch {ran}"
    work = repository(tmp_path / "work", cpu_mine=WRONG)
    (work / ".gitattributes").write_text("*.cpp filter=evil diff=evil\n")
    (work / ".gitmodules").write_text('[submodule "m"]\n path = m\n url = ext::sh -c touch% ' + str(ran) + "\n")
    git("update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",m", folder=work)
    git("add", "-A", folder=work)
    git("commit", "-q", "-m", "m", folder=work)
    bare = pupils.submissions / "evil.git"
    git("clone", "-q", "--bare", work, bare, folder=tmp_path)
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"):
        (bare / "hooks" / hook).write_text(f"#!/bin/sh\n{command}\n")
        (bare / "hooks" / hook).chmod(0o755)
    for key in ("filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "core.fsmonitor", "core.sshCommand", "core.pager", "uploadpack.packObjectsHook",
                "tar.tar.command"):
        git("config", key, command, folder=bare)
    missing = pupils.submissions / "partial.git"
    shutil.copytree(bare, missing)
    for pack in missing.glob("objects/??/*"):
        pack.unlink()
    shutil.rmtree(missing / "objects/pack")
    for key, value in {"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true", "protocol.ext.allow": "always",
                       "remote.origin.url": f"ext::sh -c touch% {ran}"}.items():
        git("config", key, value, folder=missing)
    assert pupils.grade().code == 0
    assert pupils.students["evil"]["status"] == "GRADED" and pupils.points("evil")["compiles"] == 10, outcomes(pupils)
    assert pupils.students["partial"]["status"] == "UNREADABLE" and "git cannot read it" in pupils.students["partial"]["reason"]
    assert not ran.exists()


def test_a_misnamed_file_in_an_archive_is_not_an_empty_one(pupils):
    there = pupils.submissions
    pupils.lab.keys["grade"]["files"] = {"misnamed": "accept"}
    for number, name in enumerate(("cpu_mine", "cpu_mine.c++", "cpu_mine.CP", "Cpu-Mine.TXT", "cpu_mine.cpp.docx")):
        zipped(there / f"s{number}.zip", (name, WRONG))
    tarred(there / "link.tar", (link("cpu_mine.txt", "/etc/passwd"), ""))
    zipped(there / "large.zip", ("cpu_mine.txt", "/" * (2 << 20)))
    assert pupils.grade().code == 0
    found = outcomes(pupils)
    assert {id: pupils.points(id)["compiles"] for id in found} == {"large": 0, "link": 0, **{f"s{n}": 10 for n in range(5)}}, found
    assert found["link"] == found["large"] == "UNREADABLE: cpu_mine.txt cannot be read"
    assert len({pupils.students[f"s{n}"]["files"]["hash"] for n in range(5)}) == 1


LIMITS = {"code": [".cpp", ".h"], "files": 10, "source_bytes": 1 << 16, "sources_bytes": 1 << 20, "unpacked_bytes": 1 << 50,
          "cpu_s": 60}


def unpack(kind, archive, folder, inside=(), environment=os.environ, **limits):
    """Runs the program that unpacks, without a sandbox: its exit code, and what it says."""
    program = ["/usr/bin/python3", "-I", "-B", ROOT / "harness/grade/unpack_submission.py", kind, folder, json.dumps({**LIMITS, **limits})]
    ran = subprocess.run([*inside, "/bin/bash", "-c", 'exec "$@" 3<"$0"', archive, *program], env=environment, capture_output=True, text=True)
    return ran.returncode, (ran.stdout + ran.stderr).strip()


def test_names_of_a_chinese_windows(tmp_path):
    zipped(tmp_path / "a.zip", ("0000.h", "x"))
    (tmp_path / "a.zip").write_bytes((tmp_path / "a.zip").read_bytes().replace(b"0000.h", "矩阵.h".encode("gbk")))
    assert unpack("zip", tmp_path / "a.zip", tmp_path / "out") == (0, "")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["矩阵.h"]


def test_what_a_source_includes_comes_with_it_whatever_its_name(pupils):
    """Also as macOS writes it: names with letters and accents apart, and in zip files without the mark of UTF-8."""
    source = ('\ufeff#include "größe.hpp"\n#define TABLE "table.dat"\nconst float table[] = {\n#include TABLE\n};\n'
              '/* */ #include "lab/mine.h"\n') + WRONG
    apart = unicodedata.normalize("NFD", "größe.hpp")
    files = [("cpu_mine.cpp", source), (apart, ""), ("shot.png", "x" * 2_000_000), *((f"log{i}.txt", "x" * 500_000) for i in range(40)),
             ("table.dat", '#include "more.dat"'), ("more.dat", "1, 2"), ("lab/mine.h", ""), ("old/table.dat", "int broken(")]
    zipped(pupils.submissions / "anna.zip", *files)
    unmarked = (pupils.submissions / "anna.zip").read_bytes()
    unmarked, marks = re.subn(rb"(PK\x03\x04...|PK\x01\x02.....)\x08", rb"\1\0", unmarked, flags=re.DOTALL)
    assert marks == 2
    (pupils.submissions / "ben.zip").write_bytes(unmarked)
    tarred(pupils.submissions / "carla.tar", *files)
    for folder in ("lab", "old"):
        (pupils.submissions / "dora" / folder).mkdir(parents=True)
    for name, text in files:
        pupils.submit("dora", text, name)
    assert pupils.grade().code == 0
    assert {id: pupils.points(id)["compiles"] for id in pupils.students} == dict.fromkeys(("anna", "ben", "carla", "dora"), 10), outcomes(pupils)
    assert len({student["files"]["hash"] for student in pupils.students.values()}) == 1


def test_who_may_read_is_not_the_students_fault(pupils, tmp_path):
    """As root, compilers and git run as another user."""
    if os.geteuid() != 0:
        skip("the harness changes the user only as root")
    git("clone", "-q", "--bare", repository(tmp_path / "work", cpu_mine=WRONG), pupils.submissions / "ben.git", folder=tmp_path)
    (pupils.submissions / "ben.git/HEAD").chmod(0o600)
    usual = os.umask(0o077)
    try:
        pupils.submit("anna", WRONG)
        assert pupils.grade().code == 3
        ran = pupils.lab.harness("run", pupils.lab.file, "--submission", pupils.submissions / "anna", "--results", tmp_path / "results")
    finally:
        os.umask(usual)
    assert pupils.points("anna")["compiles"] == 10, outcomes(pupils)
    ben, where = pupils.students["ben"], pupils.submissions / "ben.git"
    assert (ben["status"], ben["reason"]) == (
        "FAILED", f"{where} cannot be unpacked here: {where}/HEAD: only its owner may read it, and git runs as another user; allow it: chmod -R a+rX '{where}'")
    where = pupils.submissions / "anna"
    assert (ran.code, ran.err.splitlines()[-1]) == (
        3, f"harness: {where}: only its owner may read it, and the compiler runs as another user; allow it: chmod -R a+rX '{where}'")


def test_what_the_machine_lacks_is_not_the_students_fault(tmp_path):
    """Exit code 1 marks nobody: 20 is REFUSED, and 21 is UNREADABLE."""
    (tmp_path / "a.bundle").write_bytes(b"# v2 git bundle\n")
    (tmp_path / "a.tar.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    for kind, file, program in (("bundle", "a.bundle", "git"), ("tar", "a.tar.zst", "zstd")):
        assert unpack(kind, tmp_path / file, tmp_path / "out", environment={"PATH": str(tmp_path)}) == (1, f"{program} is not installed here")
    assert unpack("bundle", tmp_path / "a.bundle", tmp_path / "out")[0] == 21
    (tmp_path / "a.zip").write_bytes(b"PK")
    assert unpack("zip", tmp_path / "a.zip", tmp_path / "out") == (21, "it is damaged, or no archive of this kind")


def test_a_colon_without_a_letter_names_no_drive(tmp_path):
    names = {"::error::zip", "1:2.h"}
    zipped(tmp_path / "a.zip", *((name, "x") for name in names))
    assert unpack("zip", tmp_path / "a.zip", tmp_path / "out") == (0, "")
    assert {file.name for file in (tmp_path / "out").iterdir()} == names
    zipped(tmp_path / "drive.zip", ("c:x.h", "x"))
    assert unpack("zip", tmp_path / "drive.zip", tmp_path / "out") == (20, '"c:x.h" leaves the folder of the submission')


def test_a_full_disk_is_not_the_students_fault(tmp_path, disk):
    text = os.urandom(200_000).hex()  # which does not get much smaller
    work = repository(tmp_path / "work", cpu_mine=text)
    git("bundle", "create", "-q", tmp_path / "a.bundle", "main", folder=work)
    zipped(tmp_path / "a.zip", ("cpu_mine.cpp", text))
    elsewhere = {**os.environ, "TMPDIR": str(disk.folder)}
    full = (1, "cannot write: No space left on device")
    disk.fill()
    os.truncate(disk.seen / "filler", (disk.seen / "filler").stat().st_size - (64 << 10))
    assert unpack("zip", tmp_path / "a.zip", disk.folder / "out", disk.inside, source_bytes=1 << 20) == full
    shutil.rmtree(disk.seen / "out")
    assert unpack("bundle", tmp_path / "a.bundle", tmp_path / "out", disk.inside, elsewhere) == full, "nothing has a fixed name in /tmp"
    disk.free()
    for kind in ("zip", "bundle"):
        assert unpack(kind, tmp_path / f"a.{kind}", disk.folder / kind, disk.inside, elsewhere, source_bytes=1 << 20) == (0, "")
        assert (disk.seen / kind / "cpu_mine.cpp").read_text() == text
    assert {file.name for file in disk.seen.iterdir()} == {"zip", "bundle"}


def pax(name="x.cpp", text="", **headers):
    info = tarfile.TarInfo(name)
    info.pax_headers, info.size = headers, len(text)
    return info, text


DAMAGED = (21, "it is damaged, or no archive of this kind")
# What extended headers and odd names of a tar archive may say: exit code, message, and the files that are there.
TAR_TRICKS = {
    "a path in a header": (pax(path="../../evil.cpp"), (20, '"../../evil.cpp" leaves the folder of the submission'), set()),
    "a negative size": (pax(size="-5"), (0, ""), {"x.cpp"}),
    "a huge size": (pax(size=str(1 << 62)), DAMAGED, set()),
    "a sparse file elsewhere": (pax(text="1\n0\n0\n" + "\0" * 506, **{"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "../s.cpp",
                                                                    "GNU.sparse.realsize": str(1 << 50)}),
                                (20, '"../s.cpp" leaves the folder of the submission'), set()),
    "many holes": (pax(**{"GNU.sparse.map": "0,1," + ",".join(["1"] * 200_001), "GNU.sparse.size": str(1 << 40)}), (20, "x.cpp: a sparse file"), set()),
    "no numbers": (pax(mtime="nan", uid="9" * 5000), (0, ""), {"x.cpp"}),
    "a long comment": (pax(comment="x" * 20_000_000), (0, ""), {"x.cpp"}),
    "a pipe": ((link("x.cpp", "", tarfile.FIFOTYPE), ""), (20, "x.cpp: a device, pipe or socket"), set()),
    "a link to itself": ((link("x.cpp", "x.cpp", tarfile.LNKTYPE), ""), (20, "x.cpp: a link; hand in the file itself"), set()),
    "the folder": (("..", ""), (20, '".." leaves the folder of the submission'), set()),
    "an escape": (("../a\x1b[2J\n::x.h", ""), (20, '"../a?[2J?::x.h" leaves the folder of the submission'), set()),
    "another case": (("CPU_MINE.CPP", ""), (0, ""), {"CPU_MINE.CPP"}),
    "another form": (("e\u0301.h", ""), (0, ""), {"e\u0301.h"}),
}


@pytest.mark.parametrize("name", TAR_TRICKS)
def test_what_a_tar_archive_may_say(tmp_path, name):
    member, told, there = TAR_TRICKS[name]
    tarred(tmp_path / "a.tar", ("cpu_mine.cpp", ""), member, ("\u00e9.h", ""))
    assert unpack("tar", tmp_path / "a.tar", tmp_path / "out") == told
    if told[0] == 0:
        assert {file.name for file in (tmp_path / "out").iterdir()} == {"cpu_mine.cpp", "\u00e9.h"} | there


def test_only_seconds_of_work_count(tmp_path):
    """64 GiB of zeros take longer than a second of a core, however fast or busy the machine is."""
    info = tarfile.TarInfo("zeros.txt")
    info.size = 64 << 30
    (tmp_path / "a.tar.bz2").write_bytes(bz2.compress(info.tobuf(tarfile.GNU_FORMAT)) + 4096 * bz2.compress(bytes(16 << 20)))
    assert unpack("tar", tmp_path / "a.tar.bz2", tmp_path / "out", cpu_s=1) == (20, "it takes too long to unpack")
