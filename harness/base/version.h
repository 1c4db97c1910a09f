#pragma once
// What this program was built from. Defined in the library `version` (cmake/Version.cmake), one generated
// file.

namespace harness {

struct Version {
  const char* version;  // of the project, "0.1.0"
  const char* commit;   // full object name, or "unknown" when built outside a git checkout
  bool dirty;           // tracked files differed from the commit
};

const Version& version();

}  // namespace harness
