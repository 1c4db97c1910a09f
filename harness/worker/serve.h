// The worker's request loop.
#pragma once

namespace harness {

/// Serves requests on `channel` until the other end closes. Returns the exit status.
int serve(int channel);

}  // namespace harness
