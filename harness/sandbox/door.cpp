#include "harness/sandbox/door.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace harness {

Done Door::open() {
  const auto failed = [&] {
    return Error{fmt::format("{}: cannot make a socket: {}", folder().string(), std::strerror(errno)),
                 ExitCode::machine};
  };
  TRY(make_folders(folder()));
  // The container may have any user. Other users cannot enter the folder above.
  if (chmod(folder().c_str(), 0755) != 0) return failed();
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = (folder() / "door").string();
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return failed();
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  listener_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      chmod(path.c_str(), 0777) != 0 || listen(listener_, 1) != 0)
    return failed();
  return ok();
}

void Door::hand_over(int output, int channel) {
  const std::lock_guard lock(mutex_);
  if (handed_over_ || listener_ < 0) return;
  connection_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection_ < 0) return;
  const int descriptors[] = {output, channel};
  const size_t bytes = sizeof(int) * (channel >= 0 ? 2 : 1);
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(bytes);
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(bytes);
  std::memcpy(CMSG_DATA(c), descriptors, bytes);
  handed_over_ = sendmsg(connection_, &message, MSG_NOSIGNAL) == 1;
}

int Door::listener() const {
  const std::lock_guard lock(mutex_);
  return listener_;
}

bool Door::handed_over() const {
  const std::lock_guard lock(mutex_);
  return handed_over_;
}

void Door::close() {
  const std::lock_guard lock(mutex_);
  for (int* fd : {&listener_, &connection_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

}  // namespace harness
