"""`python -m reports.unpack BUNDLE FOLDER`: unpacks a bundle that may come from anyone, and checks every file of it.

Uses only the standard library, because a machine that reproduces a bundle may have nothing else.
"""

import hashlib
import json
import stat
import sys
import zipfile
import zlib
from pathlib import Path, PurePosixPath

SCHEMA = "harness/bundle/1"
LARGEST_BYTES = 256 << 20  # of all files together
MOST_FILES = 5000
LONGEST_NAME = 200
MANIFEST = "bundle.json"


class BadBundle(Exception):
    pass


def check_name(name: str) -> None:
    path = PurePosixPath(name)
    if not name.isprintable():
        raise BadBundle(f"it has a file whose name no program can print: {ascii(name)}")
    if not name or path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or str(path) != name:
        raise BadBundle(f'"{name}" leaves the folder of the bundle')
    if len(name) > LONGEST_NAME:
        raise BadBundle(f'"{name[:60]}...": the name is too long')


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:100])


def check_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """What the directory of the archive says, before anything is unpacked."""
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise BadBundle(f"it has {len(entries)} files; the limit is {MOST_FILES}")
    seen: set[str] = set()
    total = 0
    for entry in entries:
        check_name(entry.filename)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise BadBundle(f'"{entry.filename}" is a link or a device; a bundle has only files')
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadBundle(f'"{entry.filename}" is compressed in a way that no bundle of the harness is')
        if entry.flag_bits & 1:
            raise BadBundle(f'"{entry.filename}" is encrypted')
        if entry.filename in seen:
            raise BadBundle(f'"{entry.filename}" is in it twice')
        seen.add(entry.filename)
        total += entry.file_size
        if total > LARGEST_BYTES:
            raise BadBundle(f"it unpacks to more than {LARGEST_BYTES >> 20} MiB")
    for name in seen:
        if any(str(folder) in seen for folder in PurePosixPath(name).parents):
            raise BadBundle(f'"{name}" is in a folder that is also a file')
    return entries


def content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The directory may understate a size: never reads more than it says."""
    try:
        with archive.open(entry) as file:
            data = file.read(entry.file_size + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError):
        raise BadBundle(f'"{entry.filename}" is damaged or was changed') from None
    if len(data) != entry.file_size:
        raise BadBundle(f'"{entry.filename}" is damaged or was changed')
    return data


def manifest(files: dict[str, bytes]) -> dict[str, str]:
    if MANIFEST not in files:
        raise BadBundle(f"it has no {MANIFEST}: no bundle of the harness")
    try:
        described = json.loads(files[MANIFEST])
        schema, hashes = described["schema"], described["files"]
        if not isinstance(schema, str) or not all(isinstance(value, str) for value in hashes.values()):
            raise TypeError
        for name in hashes:
            check_name(name)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadBundle(f'"{MANIFEST}" is damaged or was changed') from None
    if schema != SCHEMA:
        raise BadBundle(f'its format is "{printable(schema)}", and this harness reads "{SCHEMA}"; use the harness that made it or a newer one')
    return hashes


def read(path: Path) -> dict[str, bytes]:
    """The files of a bundle by name. Each has the hash that the manifest says."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError):
        raise BadBundle("it is not a ZIP archive, or not all of one: was the download cut?") from None
    with archive:
        files = {entry.filename: content(archive, entry) for entry in check_entries(archive)}
    hashes = manifest(files)
    for name, wanted in hashes.items():
        if name not in files:
            raise BadBundle(f'"{name}" is missing')
        if hashlib.sha256(files[name]).hexdigest() != wanted:
            raise BadBundle(f'"{name}" was changed: its hash is not that of {MANIFEST}')
    for name in files:
        if name != MANIFEST and name not in hashes:
            raise BadBundle(f'"{name}" was added: {MANIFEST} does not know it')
    return files


def main(arguments: list[str]) -> int:
    bundle, folder = Path(arguments[0]), Path(arguments[1])
    try:
        for name, data in read(bundle).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except BadBundle as error:
        print(f"{bundle}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or bundle}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
