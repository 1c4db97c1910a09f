"""unpack_submission.py KIND FOLDER ENDINGS [REPOSITORY]: unpacks what a student handed in.

Runs in a sandbox with nothing but the archive, which is descriptor 3. Writes sources and headers (files with one of ENDINGS) into
FOLDER. Of other files mostly only the name: an empty file. Prints why it refuses an archive. Uses only the standard library.
"""

import bz2
import gzip
import lzma
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
import zlib

MOST_FILES = 10_000
LARGEST_SOURCE = 1 << 20  # a longer source is cut after one more byte, and refused later with its name
MOST_SOURCE_BYTES = 16 << 20
MOST_BYTES = 1 << 30  # of all files, also of those that are not kept
MISNAMED = (".cpp", ".cc", ".cxx", ".c", ".cu", ".txt", ".text", ".bak", ".old", ".orig")  # may be sources with a wrong name
REFUSED, UNREADABLE = 2, 4
GIT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
       "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
GIT_OPTIONS = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "protocol.ext.allow=never", "-c", "safe.directory=*",
               "-c", "core.fsmonitor=false", "-c", "core.useReplaceRefs=false"]


class Refused(Exception):
    status = REFUSED


class Unreadable(Exception):
    status = UNREADABLE


def printable(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name)[:200]


class Output:
    """The folder that is written. It decides about each entry of the archive."""

    def __init__(self, folder: str, endings: str):
        self.folder, self.endings = folder, tuple(endings.split(","))
        self.seen: set[str] = set()
        self.bytes = 0

    def path_of(self, name: str) -> str | None:
        """The path below the folder, or None for what does not count: hidden files."""
        name = name.replace("\\", "/")
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if name.startswith("/") or ".." in parts or "\0" in name or (len(name) > 1 and name[1] == ":"):
            raise Refused(f'"{printable(name)}" leaves the folder of the submission')
        if not parts or any(part.startswith(".") or part == "__MACOSX" for part in parts):
            return None
        if max(len(os.fsencode(part)) for part in parts) > 150 or len(os.fsencode(name)) > 1000:
            raise Refused(f"{printable(name)[:60]}...: the name is too long")
        path = "/".join(parts)
        if path in self.seen:
            raise Refused(f'"{printable(path)}" is in it twice')
        self.seen.add(path)
        if len(self.seen) > MOST_FILES:
            raise Refused(f"it has more than {MOST_FILES} files and folders; hand in only the sources")
        return path

    def add(self, name: str, what: str, read) -> None:
        """`what` is "" for a file, else what it is instead; read(n) returns at most n bytes of it."""
        path = self.path_of(name)
        if path is None:
            return
        code = path.endswith(self.endings)
        if what and code:
            raise Refused(f"{printable(path)}: {what}")
        data = read(LARGEST_SOURCE + 1) if code or not what and path.lower().endswith(MISNAMED) else b""
        if not code and (len(data) > LARGEST_SOURCE or self.bytes + len(data) > MOST_SOURCE_BYTES):
            data = b""
        self.bytes += len(data)
        if self.bytes > MOST_SOURCE_BYTES:
            raise Refused(f"its sources are more than {MOST_SOURCE_BYTES >> 20} MiB")
        target = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "xb") as file:
            file.write(data)


def unpack_zip(source, output: Output) -> None:
    with zipfile.ZipFile(source) as archive:
        entries = archive.infolist()
        if len(entries) > 10 * MOST_FILES:
            raise Refused(f"it has more than {MOST_FILES} files and folders; hand in only the sources")
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

            output.add(entry.filename, what, read)


class Bounded:
    """A stream that ends the program after too many bytes: an archive of some KiB may unpack to 100 GB."""

    def __init__(self, stream):
        self.stream, self.bytes = stream, 0

    def read(self, most: int = -1) -> bytes:
        data = self.stream.read(most if most >= 0 else 1 << 20)
        self.bytes += len(data)
        if self.bytes > MOST_BYTES:
            raise Refused(f"it unpacks to more than {MOST_BYTES >> 30} GiB")
        return data


def decompressed(source):
    begin = os.pread(source.fileno(), 6, 0)  # zstd gets the descriptor, not what was read from it
    if begin.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=source)
    if begin.startswith(b"BZh"):
        return bz2.BZ2File(source)
    if begin.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(source)
    if begin.startswith(b"\x28\xb5\x2f\xfd"):
        if not shutil.which("zstd"):
            raise Unreadable("zstd is not installed here, which its ending .zst asks for")
        return subprocess.Popen(["zstd", "-dcq"], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return source


def unpack_tar(source, output: Output) -> None:
    with tarfile.open(fileobj=Bounded(decompressed(source)), mode="r|") as archive:
        for member in archive:
            archive.members = []  # else it keeps all of them
            if member.isdir():
                continue
            what = "a link; hand in the file itself" if member.issym() or member.islnk() else \
                "a sparse file" if member.issparse() else "" if member.isfile() else "a device, pipe or socket"
            output.add(member.name, what, lambda most, member=member: archive.extractfile(member).read(most))


def git(repository: str, *words: str, **more) -> bytes:
    ran = subprocess.run(["git", *GIT_OPTIONS, "--git-dir", repository, *words], env=GIT, capture_output=True, **more)
    if ran.returncode:
        raise Unreadable(f"git cannot read it: {printable(ran.stderr.decode(errors='replace').strip().rpartition(chr(10))[2])}")
    return ran.stdout


def unpack_bundle(source, output: Output) -> None:
    bundle, repository = "/tmp/submission.bundle", "/tmp/submission.git"
    with open(bundle, "wb") as file:
        shutil.copyfileobj(source, file)
    subprocess.run(["git", *GIT_OPTIONS, "init", "-q", "--bare", repository], env=GIT, check=True)
    heads = [line.split(" ", 1) for line in git(repository, "bundle", "unbundle", bundle).decode(errors="replace").splitlines()]
    branches = {name: commit for commit, name in heads}
    for name in ("HEAD", "refs/heads/main", "refs/heads/master", *branches):
        if name in branches:
            return unpack_commit(repository, branches[name], output)
    raise Unreadable("it has no branch")


def unpack_commit(repository: str, commit: str, output: Output) -> None:
    """Reads the files as they are stored: no checkout, so no filters, no hooks and no submodules."""
    listed = git(repository, "ls-tree", "-r", "-z", commit + "^{tree}")
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    with subprocess.Popen(["git", *GIT_OPTIONS, "--git-dir", repository, "cat-file", "--batch"], env=GIT, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as reader:
        def read(most: int, object_name: bytes) -> bytes:
            reader.stdin.write(object_name + b"\n")
            reader.stdin.flush()
            header = reader.stdout.readline().split()
            if len(header) != 3:
                raise Unreadable("git cannot read it: an object is missing")
            size, kept = int(header[2]), b""
            if size > MOST_BYTES:
                raise Refused(f"it unpacks to more than {MOST_BYTES >> 30} GiB")
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


def main(kind: str, folder: str, endings: str, repository: str = "") -> int:
    output = Output(folder, endings)
    try:
        if kind == "repository":
            unpack_commit(repository, git(repository, "rev-parse", "--verify", "-q", "HEAD^{commit}").decode().strip(), output)
        else:
            with os.fdopen(3, "rb") as source:
                {"zip": unpack_zip, "tar": unpack_tar, "bundle": unpack_bundle}[kind](source, output)
    except (Refused, Unreadable) as error:
        print(error)
        return error.status
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        print("a file of it is also a folder")
        return REFUSED
    except MemoryError:
        print("it takes too much memory to unpack")
        return REFUSED
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError,
            OSError, RecursionError):
        print("it is damaged, or no archive of this kind")
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")
    sys.exit(main(*sys.argv[1:]))
