#include "harness/client/how_it_ended.h"

#include <fmt/format.h>

#include <csignal>

#include "harness/base/text.h"

namespace harness {
namespace {

using namespace protocol;

std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic error (integer division by zero?)";
    case SIGILL:
      return "illegal instruction (built for a CPU this machine is not?)";
    case SIGSYS:
      return "forbidden system call";
    case SIGABRT:
      return "abort (a failed assertion, a corrupted heap, an uncaught exception, or a std::thread that is not joined or cannot be started)";
    case SIGKILL:
      return "killed";
    default:
      return fmt::format("signal {}", signal);
  }
}

// Beyond the end of a stack. What lies above its pointer is part of it, so an address there is missing only if it is full.
bool fills_stack(const FaultReply& reply) {
  constexpr uint64_t below = 64 << 10, above = uint64_t{1} << 30;
  return reply.signal == SIGSEGV && reply.stack > below && reply.address >= reply.stack - below &&
         reply.address < reply.stack + above;
}

// The launcher lets only these system calls raise SIGSYS.
Failure starts_too_much(Rights rights) {
  if (rights == Rights::compute)
    return {.status = Status::MISTRUSTED,
            .message = "it starts a thread or a process, but this case has one thread: the config's axis \"threads\" gives more",
            .starts_threads = true};
  return {Status::MISTRUSTED, "it starts a process: a variant may only start threads"};
}

Failure of_fault(const FaultReply& reply, Rights rights, const Problem* problem) {
  const std::string when = doing(reply.reply.op);
  if (reply.signal == SIGSYS) return starts_too_much(rights);
  const std::string name = signal_name(reply.signal);
  constexpr int64_t farthest = int64_t{1} << 62;
  const bool possible = -farthest < reply.byte && reply.byte < farthest;
  if (problem && possible && reply.buffer >= 0 && reply.buffer < static_cast<int>(problem->buffers().size())) {
    const BufferSpec& spec = problem->buffers()[static_cast<size_t>(reply.buffer)];
    const int64_t bytes = spec.bytes(problem->dtype());
    const auto width = static_cast<int64_t>(size_of(problem->dtype()));
    if (reply.byte >= 0 && reply.byte < bytes && spec.role == Role::input)
      return {Status::INPUT_MODIFIED, fmt::format("it wrote to its input {}, at row {}, column {}", spec.name,
                                                  reply.byte / width / spec.ld, reply.byte / width % spec.ld)};
    if (reply.byte < 0)
      return {Status::OUT_OF_BOUNDS,
              fmt::format("it touched memory {} bytes before the start of {}", -reply.byte, spec.name)};
    if (reply.byte >= bytes)
      return {Status::OUT_OF_BOUNDS, fmt::format("it touched memory {} bytes past the end of {} ({} x {}, {} bytes)",
                                                 reply.byte - bytes, spec.name, spec.rows, spec.cols, bytes)};
  }
  // The processor does not report the address of a misaligned vector.
  const bool protection = reply.signal == SIGSEGV && reply.cause == SI_KERNEL;
  const char* hint = protection ? ": a misaligned vector load or store, a pointer that was never set, or an array on the stack that was written past its end?"
                     : reply.address < 4096 && reply.signal == SIGSEGV ? ": a null pointer?"
                     : fills_stack(reply) ? ": is the stack full, by a large array in a function or by endless recursion?"
                                          : "";
  return {Status::CRASHED, fmt::format("{} {}{}", name, when, hint)};
}

}  // namespace

const char* doing(Op op) {
  switch (op) {
    case Op::open:
      return "while it was loaded";
    case Op::load:
      return "while its buffers were set up";
    case Op::run:
    case Op::take_turns:
      return "while it ran";
    default:
      return "after it ran";
  }
}

Failure how_it_ended(const Ended& ended, Rights rights, Op op) {
  const std::string when = doing(op);
  if (ended.flooded)
    return {Status::CRASHED, fmt::format("it printed more than {} and was stopped", human_bytes(Child::flood_bytes))};
  if (ended.signal == SIGKILL)
    return {Status::OUT_OF_MEMORY, fmt::format("the process was killed {}: out of memory?", when)};
  if (ended.signal == SIGSYS) return starts_too_much(rights);
  if (ended.signal == SIGXFSZ) return {Status::CRASHED, fmt::format("it wrote a file beyond the size limit {}", when)};
  if (ended.signal) return {Status::CRASHED, fmt::format("{} {}", signal_name(ended.signal), when)};
  return {Status::CRASHED, fmt::format("the process ended by itself with exit status {} {}", ended.exit, when)};
}

Failure describe_fault(const FaultReply& reply, Rights rights, const Problem* problem) {
  Failure failure = of_fault(reply, rights, problem);
  failure.code = reply.code;
  return failure;
}

}  // namespace harness
