// One row per kind of diagnostic: its name, its meaning for the case, and its sentences for the student.
#include "emulator/diagnostics/diagnostics.h"

namespace harness {

const std::vector<DiagnosticKind>& diagnostic_kinds() {
  using enum Severity;
  static const std::vector<DiagnosticKind> all = {
      {lab_race_shared, "race_shared", mistake, Status::WRONG,
       "thread {thread} {does}{at} what thread {other_thread} {other_does}{other_at}, and there is no "
       "barrier between them (block {block})",
       "put __syncthreads() between the two, reached by every thread of the block"},
      {lab_race_global, "race_global", mistake, Status::WRONG,
       "thread {thread} {does}{at} global memory that thread {other_thread} {other_does}{other_at}, and "
       "there is no barrier between them (block {block})",
       "put __syncthreads() between the two, or let each thread keep to elements of its own"},
      {lab_race_blocks, "race_blocks", mistake, Status::WRONG,
       "block {block} {does}{at} what block {other_block} {other_does}{other_at}: blocks of one launch run "
       "in any order",
       "give every element to one block, add to it with atomicAdd on both sides, or make two launches of it"},
      {lab_out_of_bounds, "out_of_bounds", mistake, Status::OUT_OF_BOUNDS,
       "thread {thread} of block {block} {does} {bytes} bytes{at}, {where}",
       "compare the index with the size of the matrix before it is used: the last blocks reach beyond the "
       "edge"},
      {lab_freed, "freed", mistake, Status::OUT_OF_BOUNDS,
       "thread {thread} of block {block} {does} {bytes} bytes{at} of memory that was given back with cudaFree",
       "call cudaFree after the last kernel that uses the memory"},
      {lab_shared_bounds, "shared_bounds", mistake, Status::OUT_OF_BOUNDS,
       "thread {thread} of block {block} {does} {bytes} bytes of shared memory{at}, {where}",
       "compare the index with the size of the shared array, and the size with the one given at the launch"},
      {lab_misaligned, "misaligned", mistake, Status::CRASHED,
       "thread {thread} of block {block} {does} {bytes} bytes{at} at an address that is no multiple of "
       "{bytes}",
       "use float4 and other vector types only where the index of the first element is a multiple of their length"},
      {lab_uninitialised_shared, "uninitialised_shared", mistake, std::nullopt,
       "thread {thread} of block {block} reads shared memory{at} that no thread has written",
       "write every element that is read, zeros beyond the edge of the matrix too; has the block as many threads as the tile needs?"},
      {lab_uninitialised_global, "uninitialised_global", mistake, std::nullopt,
       "thread {thread} of block {block} reads global memory{at} that nothing has written",
       "write it first: an output is not zero at the start, and with beta = 0 the old C must not be read"},
      {lab_host_pointer, "host_pointer", mistake, Status::CRASHED,
       "thread {thread} of block {block} {does}{at} memory of the host in a kernel",
       "pass pointers from cudaMalloc to the kernel, and values instead of references or captured variables"},
      {lab_device_pointer, "device_pointer", mistake, Status::CRASHED,
       "host code {does}{at} memory of the device",
       "only kernels and cudaMemcpy can use a device pointer; a kernel is called with <<<grid, block>>>"},
      {lab_barrier_exited, "barrier_exited", mistake, std::nullopt,
       "thread {thread} waits at the barrier{at}, but thread {other_thread} has left the kernel{other_at} "
       "(block "
       "{block})",
       "let no thread return before the last __syncthreads(), and put none inside an if: skip the work instead, not the barrier"},
      {lab_barrier_differs, "barrier_places", mistake, Status::WRONG,
       "thread {thread} waits at the barrier{at} while thread {other_thread} waits at another one{other_at} "
       "(block "
       "{block})",
       "move __syncthreads() out of the if: every thread of the block must reach the same one"},
      {lab_barrier_warps, "barrier_warps", mistake, std::nullopt,
       "the warp of thread {thread} waits at the barrier{at} while that of thread {other_thread} waits at another "
       "one{other_at} (block {block})",
       "GPUs count the warps that arrive, so it works, but CUDA C++ does not promise it: let all warps reach the same "
       "__syncthreads(), or use a named barrier (bar.sync, cuda::barrier)"},
      {lab_lanes_missing, "lanes_missing", mistake, Status::WRONG,
       "thread {thread} of block {block} calls a warp function{at} with lanes in its mask that never call it",
       "call warp functions where all lanes of the mask arrive, outside of branches that only some of them "
       "take"},
      {lab_shuffle_range, "shuffle_range", mistake, std::nullopt,
       "thread {thread} of block {block} reads{at} the value of a lane that does not take part",
       "take values only from lanes that call the same function and are named in its mask"},
      {lab_lane_not_in_mask, "lane_not_in_mask", mistake, Status::WRONG,
       "thread {thread} of block {block} calls a warp function{at} whose mask does not name its own lane",
       "name all lanes that make the call in the mask (0xffffffff: the whole warp), or let only the lanes of the mask make it"},
      {lab_input_written, "input_written", mistake, Status::INPUT_MODIFIED,
       "thread {thread} of block {block} writes{at} to {input}",
       "write to the output only; inputs are const"},
      {lab_illegal_address, "illegal_address", mistake, Status::CRASHED,
       "thread {thread} of block {block} follows {pointer}{at}",
       "check that the pointer was set, that its cudaMalloc found memory (is all of it freed?) and that its index is in range "
       "(not negative, no int overflow)"},
      {lab_stack_overflow, "stack_overflow", mistake, Status::CRASHED,
       "thread {thread} of block {block} runs out of stack{at}",
       "use smaller arrays inside the kernel and no deep recursion"},
      {lab_local_bounds, "local_bounds", mistake, Status::OUT_OF_BOUNDS,
       "thread {thread} of block {block} uses memory{at} that lies outside its own local variables",
       "compare the index with the size of the array in the kernel; also look at its size where a function gets it; a thread "
       "cannot use a local variable of another one"},
      {lab_endless, "endless", mistake, Status::TIMEOUT,
       "the kernel had not ended at its time limit: {ended} of {blocks} blocks had, and thread {thread} of block "
       "{block} was still{at_or_running}",
       "look for a loop whose condition never changes, a thread that waits for another block, or a pipeline with too few "
       "stages or without consumer_release(); if there is none, take a smaller size or a longer \"case_time\""},
      {lab_barrier_arrivals, "barrier_arrivals", mistake, Status::TIMEOUT,
       "thread {thread} of block {block} waits for ever{at}: the cuda::barrier expects {blocks} arrivals in each phase, and "
       "{ended} have come",
       "call init() once with the number of threads that arrive, let all of them arrive in each phase, and call "
       "arrive_and_drop() before one leaves the kernel"},
      {lab_copy_pending, "copy_pending", mistake, Status::WRONG,
       "thread {thread} of block {block} {does}{at} bytes of an asynchronous copy that is still under way",
       "wait for it (__pipeline_wait_prior, pipe.consumer_wait, barrier.wait) and then meet at __syncthreads() before the "
       "bytes are used, unless all threads have waited at the barrier"},
      {lab_library_call, "library_call", mistake, Status::CRASHED,
       "a library was given memory{at} that it may not touch, {where}",
       "check the sizes and leading dimensions of the call: cuBLAS matrices are stored by columns"},
      {lab_division, "division", mistake, Status::CRASHED,
       "thread {thread} of block {block} divides an integer by zero{at}",
       "test the divisor first: a real GPU does not stop here but continues with a meaningless number"},
      {lab_trap, "trap", mistake, Status::CRASHED,
       "thread {thread} of block {block} stops{at}: an assertion or a trap",
       "the condition of the assertion does not hold: print the values that it compares"},
      {lab_side_stream, "side_stream", mistake, Status::WRONG,
       "{kernel} runs{at} on a stream of its own, and the stream of the call does not wait for it",
       "use the stream that the function is given, or record an event behind the work and call cudaStreamWaitEvent"},
      {lab_input_read_back, "input_read_back", mistake, Status::MISTRUSTED,
       "host code reads an input, or a copy of one{at}", "compute the result in a kernel or with a library, from the inputs on the device"},
      {lab_result_of_host, "result_of_host", mistake, Status::MISTRUSTED,
       "the output has values that no kernel and no library wrote", "compute the result in a kernel or with a library"},
      {lab_refused, "refused", mistake, std::nullopt, "the device refused a call{at}: {detail}",
       "check what every call returns, and cudaGetLastError() after each launch"},
      {lab_grid_launch, "grid_launch", mistake, Status::CRASHED,
       "thread {thread} of block {block} calls grid.sync(){at}, but this is no cooperative launch",
       "launch the kernel with cudaLaunchCooperativeKernel"},
      {lab_grid_exited, "grid_exited", mistake, Status::TIMEOUT,
       "block {block} waits for all blocks{at}, but block {other_block} has left the kernel: a GPU waits for ever",
       "let every block reach grid.sync() equally often: skip the work instead, not the barrier"},
      {lab_uncoalesced, "uncoalesced", advice, std::nullopt,
       "each request of a warp touches {have_each} blocks of 32 bytes where {ideal_each} would do: {position} "
       "uses "
       "{percent} % of what it fetches",
       "let neighbouring threads (threadIdx.x) use neighbouring elements, 32 of them in a row", 1.25},
      {lab_bank_conflicts, "bank_conflicts", advice, std::nullopt,
       "each request of a warp takes {have_each} turns at shared memory where {ideal_each} would do: at "
       "{position} lanes "
       "want different words of the same bank",
       "let neighbouring threads use neighbouring words, or make the rows of the shared array one element "
       "longer",
       1.25},
      {lab_divergence, "divergence", advice, std::nullopt,
       "{have_each} of {ideal_each} lanes of a warp take part at {position}: the others wait in another branch",
       "branch on what is the same for a whole warp, or give the threads work such that neighbours do the "
       "same",
       1.25},
      {lab_contention, "contention", advice, std::nullopt,
       "{have_each} lanes of a warp update one address atomically at {position}, one after the other",
       "add the values of a warp or of a block first (__reduce_add_sync, shared memory), and update the address once", 2},
      {lab_redundant_traffic, "redundant_traffic", advice, std::nullopt,
       "the kernel asks global memory for {have_size}, {ratio} times the {ideal_size} that it touches",
       "load what several threads need into shared memory once, or into registers", 2},
      {lab_idle_lanes, "idle_lanes", advice, std::nullopt,
       "each block fills {have_each} of the {ideal_each} lanes of its warps", "start blocks of a multiple of 32 threads", 1.25},
  };
  return all;
}

const DiagnosticKind* find_diagnostic_kind(uint32_t id) {
  for (const DiagnosticKind& kind : diagnostic_kinds())
    if (static_cast<uint32_t>(kind.id) == id) return &kind;
  return nullptr;
}

const DiagnosticKind* find_diagnostic_kind(std::string_view name) {
  for (const DiagnosticKind& kind : diagnostic_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace harness
