// The socket, in a folder that is mounted into a container, at which its first process asks for descriptors.
#pragma once

#include <mutex>
#include <string>

#include "harness/base/files.h"

namespace harness {

class Door {
 public:
  /// Where the folder is inside, and the socket in it.
  static constexpr const char* inside = "/run/harness";
  static constexpr const char* socket_inside = "/run/harness/door";

  Done open();
  Door() = default;
  Door(const Door&) = delete;
  ~Door() { close(); }

  fs::path folder() const { return folder_.path() / "door"; }
  /// Unique on this machine: also the container's.
  std::string name() const { return folder_.path().filename().string(); }

  int listener() const;
  /// To the process that knocks, once; from then on the container lives as long as the connection.
  void hand_over(int output, int channel);
  bool handed_over() const;
  /// Ends the container, or lets it find nobody when it gets that far.
  void close();

 private:
  TemporaryFolder folder_;
  mutable std::mutex mutex_;
  int listener_ = -1, connection_ = -1;
  bool handed_over_ = false;
};

}  // namespace harness
