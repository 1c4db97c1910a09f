"""unpack_submission.py KIND FOLDER LIMITS [REPOSITORY]: unpacks what a student handed in.

Runs in a sandbox with nothing but the archive, which is descriptor 3. Writes the files into FOLDER: all sources and headers, and others as
long as there is room, because a source may include them. A file without room is written without its text, and too long for a source.
LIMITS is JSON from archive.cpp. Ends with REFUSED or UNREADABLE, and prints why, if the archive is to blame. Any other exit code is a
failure of the machine. Uses only the standard library.
"""

import bz2
import errno
import gzip
import json
import lzma
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from typing import NamedTuple

REFUSED, UNREADABLE = 20, 21  # Python itself ends with 1 or 2
GIT = {"PATH": os.environ.get("PATH", ""), "HOME": "/tmp", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
       "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
GIT_OPTIONS = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "protocol.ext.allow=never", "-c", "safe.directory=*",
               "-c", "core.fsmonitor=false", "-c", "core.useReplaceRefs=false"]
DAMAGED = "it is damaged, or no archive of this kind"
TOO_LONG = "it takes too long to unpack"


class Limits(NamedTuple):
    code: list[str]  # endings of sources and headers
    files: int
    source_bytes: int  # a longer source is cut after one more byte, and refused later with its name
    sources_bytes: int  # of all sources; of other files four times as much is read
    unpacked_bytes: int  # of all files, also of those that are not kept
    cpu_s: int


class Refused(Exception):
    status = REFUSED


class Unreadable(Exception):
    status = UNREADABLE


def printable(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name)[:200]


class Output:
    """The folder that is written. It decides about each entry of the archive."""

    def __init__(self, folder: str, limits: Limits):
        self.folder, self.limits = folder, limits
        self.seen: set[str] = set()
        self.bytes = {True: 0, False: 0}  # of sources and headers, and of other files

    def path_of(self, name: str) -> str | None:
        """The path below the folder, or None for what does not count: hidden files."""
        name = name.replace("\\", "/")
        parts = [part for part in name.split("/") if part not in ("", ".")]
        has_drive = name[:1].isalpha() and name[1:2] == ":"  # of Windows
        if name.startswith("/") or ".." in parts or "\0" in name or has_drive:
            raise Refused(f'"{printable(name)}" leaves the folder of the submission')
        if not parts or any(part.startswith(".") or part == "__MACOSX" for part in parts):
            return None
        if max(len(os.fsencode(part)) for part in parts) > 150 or len(os.fsencode(name)) > 1000:
            raise Refused(f"{printable(name)[:60]}...: the name is too long")
        path = "/".join(parts)
        if path in self.seen:
            raise Refused(f'"{printable(path)}" is in it twice')
        self.seen.add(path)
        self.check_count(len(self.seen))
        return path

    def check_count(self, files: int) -> None:
        if files > self.limits.files:
            raise Refused(f"it has more than {self.limits.files} files and folders; hand in only the sources")

    def add(self, name: str, what: str, read) -> None:
        """`what` is "" for a file, else what it is instead; read(n) returns at most n bytes of it."""
        path = self.path_of(name)
        if path is None:
            return
        code = path.endswith(tuple(self.limits.code))
        if what and code:
            raise Refused(f"{printable(path)}: {what}")
        longest = self.limits.source_bytes
        room = self.limits.sources_bytes * (1 if code else 4) - self.bytes[code]  # 4: reports and pictures may come first
        data = read(longest + 1) if not what and (code or room > 0) else b""
        self.bytes[code] += len(data)
        if code and len(data) > room:
            raise Refused(f"its sources are more than {self.limits.sources_bytes >> 20} MiB")
        # What cannot be a source must not pass for an empty one: it is made too long.
        unfit = not code and (bool(what) or len(data) > longest or room <= 0)
        if unfit:
            data = b""
        self.write(os.path.join(self.folder, path), data, longest + 1 if unfit else len(data))

    @staticmethod
    def write(target: str, data: bytes, size: int) -> None:
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "xb") as file:
                file.write(data)
                file.truncate(size)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise Refused("a file of it is also a folder") from None
        except OSError as error:
            sys.exit(f"cannot write: {error.strerror}")


def true_name(entry: zipfile.ZipInfo) -> str:
    """macOS writes names in UTF-8 and a Chinese Windows in GBK, and neither says so; zipfile then takes them for code page 437."""
    if entry.flag_bits & 0x800:
        return entry.filename
    for encoding in ("utf-8", "gbk"):
        try:
            return entry.filename.encode("cp437").decode(encoding)
        except UnicodeError:
            continue
    return entry.filename


def unpack_zip(source, output: Output) -> None:
    with zipfile.ZipFile(source) as archive:
        entries = archive.infolist()
        output.check_count(len(entries) // 10)
        for entry in entries:
            if entry.is_dir():
                continue
            kind = stat.S_IFMT(entry.external_attr >> 16)
            what = "a link; hand in the file itself" if kind == stat.S_IFLNK else "" if kind in (0, stat.S_IFREG) else "a device, pipe or socket"

            def read(most: int, entry=entry) -> bytes:
                if entry.flag_bits & 1:
                    raise Unreadable(f"{printable(entry.filename)}: is encrypted")
                with archive.open(entry) as file:
                    return file.read(most)

            output.add(true_name(entry), what, read)


class Bounded:
    """A stream that ends the program after too many bytes: an archive of some KiB may unpack to 100 GB."""

    def __init__(self, stream, most: int):
        self.stream, self.most, self.bytes = stream, most, 0

    def read(self, most: int = -1) -> bytes:
        data = self.stream.read(most if most >= 0 else 1 << 20)
        self.bytes += len(data)
        if self.bytes > self.most:
            raise Refused(f"it unpacks to more than {self.most >> 30} GiB")
        return data


def need(program: str) -> None:
    if not shutil.which(program):
        sys.exit(f"{program} is not installed here")


def decompressed(source):
    begin = os.pread(source.fileno(), 6, 0)  # zstd gets the descriptor, not what was read from it
    if begin.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=source)
    if begin.startswith(b"BZh"):
        return bz2.BZ2File(source)
    if begin.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(source)
    if begin.startswith(b"\x28\xb5\x2f\xfd"):
        need("zstd")
        return subprocess.Popen(["zstd", "-dcq"], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return source


def unpack_tar(source, output: Output) -> None:
    with tarfile.open(fileobj=Bounded(decompressed(source), output.limits.unpacked_bytes), mode="r|") as archive:
        for member in archive:
            archive.members = []  # else it keeps all of them
            if member.isdir():
                continue
            what = "a link; hand in the file itself" if member.issym() or member.islnk() else \
                "a sparse file" if member.issparse() else "" if member.isfile() else "a device, pipe or socket"
            output.add(member.name, what, lambda most, member=member: archive.extractfile(member).read(most))


def git(repository: str, *words: str) -> bytes:
    ran = subprocess.run(["git", *GIT_OPTIONS, "--git-dir", repository, *words], env=GIT, capture_output=True)
    why = printable(ran.stderr.decode(errors="replace").strip().rpartition("\n")[2])
    if ran.returncode == -signal.SIGXCPU:
        raise Refused(TOO_LONG)
    if ran.returncode and b"No space left on device" in ran.stderr and words[:2] == ("bundle", "unbundle"):  # only this one writes
        with open(words[2], "rb") as file:
            if b"No space left" not in file.read():  # git repeats what the student wrote
                sys.exit(f"git: {why}")
    if ran.returncode:
        raise Unreadable(f"git cannot read it: {why}")
    return ran.stdout


def first_of(refs: str) -> str:
    """The commit of the branch that counts. Each line of `refs` is a commit and its name."""
    branches = {name: commit for commit, name in (line.split(" ", 1) for line in refs.splitlines())}
    for name in ("HEAD", "refs/heads/main", "refs/heads/master", *branches):
        if name in branches:
            return branches[name]
    raise Unreadable("it has no branch")


def unpack_bundle(source, output: Output) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bundle, repository = f"{folder}/submission.bundle", f"{folder}/submission.git"
        try:
            with open(bundle, "wb") as file:
                shutil.copyfileobj(source, file)
        except OSError as error:
            sys.exit(f"cannot write: {error.strerror}")
        made = subprocess.run(["git", *GIT_OPTIONS, "init", "-q", "--bare", repository], env=GIT, capture_output=True, text=True)
        if made.returncode:
            sys.exit(f"git init: {made.stderr}")
        unpack_commit(repository, first_of(git(repository, "bundle", "unbundle", bundle).decode(errors="replace")), output)


def unpack_repository(repository: str, output: Output) -> None:
    for folder, folders, files in os.walk(repository):
        for path in [folder, *(os.path.join(folder, name) for name in folders + files)]:
            if not os.path.islink(path) and not os.access(path, os.R_OK):
                sys.exit(f"{path}: only its owner may read it, and git runs as another user; allow it: chmod -R a+rX '{repository}'")
        for name in files:  # git would wait for a pipe
            if not stat.S_ISREG(os.stat(path := os.path.join(folder, name), follow_symlinks=False).st_mode) and not os.path.islink(path):
                raise Refused(f"{printable(os.path.relpath(path, repository))}: a device, pipe or socket")
    head = subprocess.run(["git", *GIT_OPTIONS, "--git-dir", repository, "rev-parse", "--verify", "-q", "HEAD^{commit}"], env=GIT,
                          capture_output=True, text=True)
    # HEAD may name a branch without commits.
    listed = git(repository, "for-each-ref", "--sort=-committerdate", "--format=%(objectname) %(refname)", "refs/heads").decode(errors="replace")
    unpack_commit(repository, first_of((f"{head.stdout.strip()} HEAD\n" if head.returncode == 0 else "") + listed), output)


def unpack_commit(repository: str, commit: str, output: Output) -> None:
    """Reads the files as they are stored: no checkout, so no filters, no hooks and no submodules."""
    listed = git(repository, "ls-tree", "-r", "-z", commit + "^{tree}")
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    with subprocess.Popen(["git", *GIT_OPTIONS, "--git-dir", repository, "cat-file", "--batch"], env=GIT, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as reader:
        total = 0

        def read(most: int, object_name: bytes) -> bytes:
            nonlocal total
            reader.stdin.write(object_name + b"\n")
            reader.stdin.flush()
            header = reader.stdout.readline().split()
            if len(header) != 3:
                raise Unreadable("git cannot read it: an object is missing")
            size = int(header[2])
            total += size
            if total > output.limits.unpacked_bytes:
                raise Refused(f"it unpacks to more than {output.limits.unpacked_bytes >> 30} GiB")
            kept = reader.stdout.read(min(size, most))
            rest = size - len(kept) + 1
            while rest > 0 and (data := reader.stdout.read(min(rest, 1 << 20))):
                rest -= len(data)
            return kept

        for about, name in entries:
            mode, kind, object_name = about.split()
            if kind != b"blob":
                continue  # a submodule
            what = "a link; hand in the file itself" if mode == b"120000" else ""
            output.add(os.fsdecode(name), what, lambda most, name=object_name: read(most, name))


def too_long(*_) -> None:
    raise Refused(TOO_LONG)


def unpack(kind: str, folder: str, limits: Limits, repository: str) -> None:
    # Seconds of work, not of waiting: a busy machine must not refuse anybody.
    signal.signal(signal.SIGXCPU, too_long)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 30))
    if kind in ("bundle", "repository"):
        need("git")
    output = Output(folder, limits)
    if kind == "repository":
        return unpack_repository(repository, output)
    with os.fdopen(3, "rb") as source:
        {"zip": unpack_zip, "tar": unpack_tar, "bundle": unpack_bundle}[kind](source, output)


def main(kind: str, folder: str, given: str, repository: str = "") -> int:
    limits = Limits(**json.loads(given))
    try:
        unpack(kind, folder, limits, repository)
    except (Refused, Unreadable) as error:
        print(error)
        return error.status
    except MemoryError:  # the limit of the sandbox
        print("it takes too much memory to unpack")
        return REFUSED
    except NotImplementedError:  # Python knows fewer methods than other programs
        print("it is compressed by a method that the harness does not read; make an ordinary zip or a tar.gz")
        return UNREADABLE
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError,
            OverflowError, struct.error):
        print(DAMAGED)
        return UNREADABLE
    except OSError as error:  # the decompressors raise some without a number; of a size that cannot be there it is EINVAL
        if error.errno not in (None, errno.EINVAL, errno.EPIPE):
            sys.exit(str(error))
        print(DAMAGED)
        return UNREADABLE
    except Exception as error:  # the libraries raise more than they document, and the archive is to blame, not the machine
        print(f"it cannot be read: {type(error).__name__}: {error}")
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")
    sys.exit(main(*sys.argv[1:]))
