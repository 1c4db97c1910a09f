// The device as a whole: its limits, its last error, where code and threads of it are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/device/errors.h"
#include "emulator/device/types.h"
#include "lab/diagnostics.h"

// Made by the linker: where the shared object begins.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));

namespace lab::emulated {

// Those of current NVIDIA devices (CUDA C++ Programming Guide, technical specifications by compute
// capability).
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
inline constexpr unsigned max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
inline constexpr size_t static_shared_bytes = 48 << 10, shared_bytes_opt_in = 227 << 10;
inline constexpr size_t constant_bytes = 64 << 10;

/// The last error, and whether the context is lost with it.
cudaError_t set_error(cudaError_t error, const std::string& detail = {});
/// What set_error was told with the last error, or nothing.
const std::string& error_detail();
cudaError_t take_error();
cudaError_t last_error();
/// From now on every call answers with this error.
void lose_context(cudaError_t error, const std::string& where);
cudaError_t context_error();
/// What lose_context was told, or nothing.
const std::string& lost_where();

/// A code address as an offset from the start of the shared object.
inline uint64_t code_offset(const void* address) {
  return static_cast<uint64_t>(static_cast<const char*>(address) - __ehdr_start);
}
/// A variable of the shared object (__constant__, __device__, literals)?
bool in_module(const void* p);

/// "kernel gemm, block (0,1,0), thread (3,0,0)"
std::string describe(const char* kernel, const lab_origin& origin);

}  // namespace lab::emulated
