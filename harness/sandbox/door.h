// A socket in a folder that is mounted into a container. The first process of the container connects to it and receives
// its descriptors from the harness.
#pragma once

#include <mutex>
#include <string>

#include "harness/base/files.h"

namespace harness {

class Door {
 public:
  /// Paths inside the container: the folder, and the socket in it.
  static constexpr const char* inside = "/run/harness";
  static constexpr const char* socket_inside = "/run/harness/door";

  Done open();
  Door() = default;
  Door(const Door&) = delete;
  ~Door() { close(); }

  fs::path folder() const { return folder_.path() / "door"; }
  /// Unique on this machine. The container has the same name.
  std::string name() const { return folder_.path().filename().string(); }

  int listener() const;
  /// Sends the descriptors to the first process that connects. The container ends when this connection is closed.
  void hand_over(int output, int channel);
  bool handed_over() const;
  /// Ends the container. If its first process has not connected yet, it cannot connect any more and ends then.
  void close();

 private:
  TemporaryFolder folder_;
  mutable std::mutex mutex_;
  int listener_ = -1, connection_ = -1;
  bool handed_over_ = false;
};

}  // namespace harness
