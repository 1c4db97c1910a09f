"""A file system that is slow, and has a quota: python3 awkward_mount.py SOURCE TARGET MILLISECONDS, with Debian's python3-fusepy.

Each operation takes that long. While the file SOURCE.exceeded exists, nothing more can be written."""

import errno
import os
import sys
import time

from fusepy import FUSE, FuseOSError, Operations


class Awkward(Operations):
    """SOURCE, seen at TARGET."""

    def __init__(self, source, delay_s):
        self.source, self.delay_s = source, delay_s

    def __call__(self, operation, path, *rest):
        time.sleep(self.delay_s)
        if not hasattr(self, operation):
            raise FuseOSError(errno.ENOSYS)
        if operation in ("create", "mkdir", "symlink", "write") and os.path.exists(self.source + ".exceeded"):
            raise FuseOSError(errno.EDQUOT)
        return getattr(self, operation)(self.source + path, *rest)

    def getattr(self, path, handle=None):
        found = os.lstat(path)
        return {key: getattr(found, key) for key in ("st_mode", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime")}

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(path)]

    def readlink(self, path):
        return os.readlink(path)

    def symlink(self, link, to):
        os.symlink(to, link)

    def rename(self, old, new):
        os.rename(old, self.source + new)

    def mkdir(self, path, mode):
        os.mkdir(path, mode)

    def rmdir(self, path):
        os.rmdir(path)

    def unlink(self, path):
        os.unlink(path)

    def chmod(self, path, mode):
        os.chmod(path, mode)

    def chown(self, path, user, group):
        os.lchown(path, user, group)

    def utimens(self, path, times=None):
        os.utime(path, times, follow_symlinks=False)

    def statfs(self, path):
        found = os.statvfs(path)
        return {key: getattr(found, key) for key in ("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree", "f_namemax")}

    def create(self, path, mode):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode)

    def open(self, path, flags):
        return os.open(path, flags)

    def read(self, path, size, offset, handle):
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None):
        os.truncate(path, length)

    def fsync(self, path, data_only, handle):
        os.fsync(handle)

    def release(self, path, handle):
        os.close(handle)


source, target, milliseconds = sys.argv[1:]
FUSE(Awkward(source, float(milliseconds) / 1000), target, foreground=True)
