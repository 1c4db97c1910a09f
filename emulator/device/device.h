// The device as a whole: its limits, its last error, its code addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/device/errors.h"
#include "emulator/device/types.h"
#include "lab/diagnostics.h"

// Defined by the linker: the start of the shared object.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));

namespace lab::emulated {

// The limits of current NVIDIA devices (CUDA C++ Programming Guide, technical specifications by compute
// capability).
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
inline constexpr unsigned max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
inline constexpr size_t static_shared_bytes = 48 << 10, shared_bytes_opt_in = 227 << 10;
inline constexpr size_t constant_bytes = 64 << 10;

/// Remembers the error, which CUDA calls the last error, with a detail for the message.
cudaError_t set_error(cudaError_t error, const std::string& detail = {});
/// The detail of the last error, or nothing.
const std::string& error_detail();
cudaError_t take_error();
cudaError_t last_error();
/// From now on every call returns this error.
void lose_context(cudaError_t error, const std::string& where);
cudaError_t context_error();
/// Where the context was lost, or nothing.
const std::string& lost_where();

/// A code address as an offset from the start of the shared object.
inline uint64_t code_offset(const void* address) {
  return static_cast<uint64_t>(static_cast<const char*>(address) - __ehdr_start);
}
/// Is it a variable of the shared object (__constant__, __device__, a literal)?
bool in_module(const void* p);

/// True while the harness itself copies.
extern bool harness_copies;

/// "kernel gemm, block (0,1,0), thread (3,0,0)"
std::string describe(const char* kernel, const lab_origin& origin);

}  // namespace lab::emulated
