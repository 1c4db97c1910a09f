// Whom an untrusted program runs as.
#pragma once

#include <string>

namespace harness {

/// Root with all user ids at hand. In a rootless container root is an ordinary user who can become nobody else.
bool full_root();
/// A user id that nobody has, another one each time.
std::string unused_uid();

}  // namespace harness
