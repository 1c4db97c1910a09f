#include "emulator/device/device.h"

#include <atomic>
#include <mutex>

// Defined by the linker: the end of the shared object.
extern "C" const char _end[] __attribute__((visibility("hidden")));

namespace lab::emulated {
namespace {

// Several processors may fail at the same time.
std::atomic<cudaError_t> the_last_error = cudaSuccess;
std::atomic<cudaError_t> lost = cudaSuccess;
std::mutex losing;
std::string& text_of_detail() {
  static std::string text;
  return text;
}
std::string& where_lost() {
  static std::string text;
  return text;
}

}  // namespace

cudaError_t set_error(cudaError_t error, const std::string& detail) {
  if (error == cudaSuccess) return error;
  const std::lock_guard lock(losing);
  the_last_error = error;
  text_of_detail() = detail;
  return error;
}
const std::string& error_detail() { return text_of_detail(); }

cudaError_t last_error() { return lost != cudaSuccess ? lost : the_last_error; }

cudaError_t take_error() {
  const cudaError_t error = last_error();
  the_last_error = cudaSuccess;
  return error;
}

void lose_context(cudaError_t error, const std::string& where) {
  const std::lock_guard lock(losing);
  if (lost != cudaSuccess) return;
  where_lost() = where;
  lost = error;
}
cudaError_t context_error() { return lost; }
const std::string& lost_where() { return where_lost(); }

bool harness_copies = false;

bool in_module(const void* p) { return p >= __ehdr_start && p < _end; }

std::string describe(const char* kernel, const lab_origin& origin) {
  const auto triple = [](const uint32_t* v) {
    return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
  };
  return std::string("kernel ") + kernel + ", block " + triple(origin.block) + ", thread " +
         triple(origin.thread);
}

}  // namespace lab::emulated
