// The user that an untrusted program runs as.
#pragma once

#include <string>

namespace harness {

/// True for root that can become any user. In a rootless container root is an ordinary user and cannot become another one.
bool full_root();
/// A user id that no user has. Each call returns another one.
std::string unused_uid();

}  // namespace harness
