#include "harness/worker/serve.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <utility>

#include "harness/worker/memory.h"
#include "harness/worker/protocol.h"
#include "harness/worker/turns.h"

namespace harness {
namespace {

using namespace protocol;

// A process serves one variant, so its state is global.
int channel = -1;
Op current = Op::open;
lab_cpu_entry cpu_entry = nullptr;
lab_gpu_entry gpu_entry = nullptr;
lab_workspace_entry workspace_entry = nullptr;
lab_launch_entry launch_entry = nullptr;
lab_message_entry message_entry = nullptr;
lab_choice_entry choice_entry = nullptr;
lab_probe_entry probe_entry = nullptr;
const lab_device_ops* device = nullptr;
Turns* turns = nullptr;
Memory memory;
char problem[max_problem_bytes];
double set_up_ms = 0;  // time of the first request for work space, in which libraries are initialised
bool asked = false, first_call = true;

void say(Reply& reply, Outcome outcome, const char* text) {
  reply.outcome = outcome;
  std::snprintf(reply.text, sizeof reply.text, "%s", text ? text : "");
}

void device_failure(Reply& reply) {
  say(reply, device->out_of_memory() ? Outcome::out_of_memory : Outcome::device_error, device->error());
}

uintptr_t object_begin = 0, object_end = 0;  // of the variant

int note_object(dl_phdr_info* info, size_t, void* entry) {
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      end = std::max<uintptr_t>(end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
  const auto address = reinterpret_cast<uintptr_t>(entry);
  if (address < info->dlpi_addr || address >= end) return 0;
  object_begin = info->dlpi_addr;
  object_end = end;
  return 1;
}

// Which instruction of the variant runs, or has called what runs: its offset in the object, or 0. The caller is
// guessed: the first word of the stack that lies in the object.
uint64_t code_of([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  constexpr int most_words = 512;
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto in_object = [](uintptr_t code) { return code > object_begin && code < object_end; };
  const auto code = static_cast<uintptr_t>(registers[REG_RIP]);
  if (in_object(code)) return code - object_begin;
  const auto* stack = reinterpret_cast<const uintptr_t*>(registers[REG_RSP]);
  for (int i = 0; i < most_words && object_end; ++i)
    if (in_object(stack[i])) return stack[i] - 1 - object_begin;
#endif
  return 0;
}

// Answers one more request: what the emulated device saw before a CHECK macro called exit() or abort().
void tell_diagnostics();

// Replies which buffer was touched and by which instruction, then ends the process. Async-signal-safe, except after abort().
void on_fault(int signal, siginfo_t* info, void* context) {
  FaultReply fault;
  fault.reply.op = current;
  fault.reply.outcome = Outcome::fault;
  fault.signal = signal;
  fault.address = reinterpret_cast<uint64_t>(info->si_addr);
  fault.buffer = memory.locate(info->si_addr, fault.byte);
  fault.cause = info->si_code;
  fault.code = code_of(context);
#ifdef __x86_64__
  fault.stack = static_cast<uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#endif
  send(channel, &fault, sizeof fault, MSG_NOSIGNAL);
  if (signal == SIGABRT) tell_diagnostics();
  _exit(128 + signal);
}

void catch_faults() {
  static char stack[64 << 10];
  const stack_t alternative{stack, 0, sizeof stack};
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) sigaction(s, &action, nullptr);
}

template <class T>
T symbol(void* object, const char* prefix, const OpenRequest& request) {
  char name[128];
  std::snprintf(name, sizeof name, "%s%.63s_%.7s", prefix, request.kernel, request.dtype);
  return reinterpret_cast<T>(dlsym(object, name));
}

int does_nothing(const void*, void* const*, void*) { return LAB_OK; }
int launches_nothing(const void*, void* const*, void*, void*) { return LAB_OK; }

void open_variant(const OpenRequest& request, const int* descriptors, int count, OpenReply& answer) {
  if (count > 0) {
    void* shared = mmap(nullptr, sizeof(Turns), PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[0], 0);
    if (shared == MAP_FAILED) return say(answer.reply, Outcome::error, "cannot map the memory of its turns");
    turns = static_cast<Turns*>(shared);
  }
  for (const auto& [resource, bytes] : {std::pair{RLIMIT_DATA, request.data_bytes}, {RLIMIT_AS, request.address_bytes}}) {
    const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    if (bytes > 0) setrlimit(resource, &limit);
  }
  if (!request.object[0]) {
    cpu_entry = does_nothing;
    answer.has_cpu = 1;
    return;
  }
  static char options[512];  // of the emulated device; code of the variant may change the environment
  const char* given = std::getenv("LAB_EMULATED_OPTIONS");
  std::snprintf(options, sizeof options, "%s", given ? given : "");
  void* object = dlopen(request.object, RTLD_NOW | RTLD_LOCAL);
  if (!object) return say(answer.reply, Outcome::error, dlerror());
  probe_entry = reinterpret_cast<lab_probe_entry>(dlsym(object, "lab_probe"));
  cpu_entry = symbol<lab_cpu_entry>(object, "lab_cpu_", request);
  gpu_entry = symbol<lab_gpu_entry>(object, "lab_gpu_", request);
  workspace_entry = symbol<lab_workspace_entry>(object, "lab_workspace_", request);
  launch_entry = symbol<lab_launch_entry>(object, "lab_launch_", request);
  message_entry = reinterpret_cast<lab_message_entry>(dlsym(object, "lab_message"));
  choice_entry = reinterpret_cast<lab_choice_entry>(dlsym(object, "lab_choice"));
  if (cpu_entry) dl_iterate_phdr(note_object, reinterpret_cast<void*>(cpu_entry));
  answer.has_cpu = cpu_entry != nullptr;
  answer.has_gpu = gpu_entry != nullptr;
  if (const auto about = reinterpret_cast<lab_about_entry>(dlsym(object, "lab_about")))
    std::snprintf(answer.about, sizeof answer.about, "%s", about());
  if (request.device < 0 || (!gpu_entry && request.kernel[0])) return;
  device = static_cast<const lab_device_ops*>(dlsym(object, "lab_device"));
  if (!device || device->abi != LAB_ABI_VERSION)
    return say(answer.reply, Outcome::error, "the device glue is missing or of another version");
  if (device->configure) device->configure(options);
  if (device->open(request.device, &answer.device) != 0) return device_failure(answer.reply);
  memory.device = device;
  if (!request.kernel[0]) gpu_entry = launches_nothing;
}

// Asks the variant for launch, choice and work space, and allocates the work space.
Outcome ask_variant(LoadReply& answer) {
  const double start = now_ms();
  const size_t workspace = workspace_entry ? workspace_entry(problem) : 0;
  if (!asked) set_up_ms = now_ms() - start;
  asked = true;
  if (launch_entry) {
    lab_launch shape = {};
    launch_entry(problem, &shape);
    answer.launch = {shape.blocks, shape.threads};
  }
  if (const char* choice = choice_entry ? choice_entry() : nullptr)
    std::snprintf(answer.choice, sizeof answer.choice, "%s", choice);
  return memory.make_workspace(workspace);
}

void close_all(const int* descriptors, int& count) {
  while (count > 0) close(descriptors[--count]);
}

// Before code of the variant runs, the descriptors of the buffers are closed: a copy of one would keep its memory after the case.
void load(const LoadRequest& request, const int* descriptors, int& count, LoadReply& answer) {
  std::memcpy(problem, request.problem, sizeof problem);
  Outcome outcome = memory.load(request, descriptors, count, answer.alloc_ms, answer.in_ms);
  close_all(descriptors, count);
  if (outcome == Outcome::ok) outcome = ask_variant(answer);
  if (outcome == Outcome::ok) return;
  if (device && outcome == Outcome::device_error) return device_failure(answer.reply);
  say(answer.reply, outcome, memory.error);
}

bool called(int outcome, Reply& reply) {
  if (outcome == LAB_OK) return true;
  if (outcome == LAB_OUT_OF_MEMORY)
    say(reply, Outcome::out_of_memory, "the variant ran out of memory (bad_alloc)");
  else if (outcome == LAB_UNSUPPORTED)
    say(reply, Outcome::unsupported, message_entry ? message_entry() : nullptr);
  else
    say(reply, Outcome::exception, "the variant threw an exception");
  return false;
}

// One call of a check. Its time only helps to estimate how long others will take.
void run_on_cpu(RunReply& answer) {
  // Memory from malloc holds 13323083 as f32 then, and memory given back -3.4e-07: who takes either for zeros is wrong.
  mallopt(M_PERTURB, 0xb4);
  const double before = now_ms();
  if (!called(cpu_entry(problem, memory.data, memory.workspace), answer.reply)) return;
  answer.call_ms = now_ms() - before;
  if (!memory.workspace_is_intact()) say(answer.reply, Outcome::out_of_bounds, nullptr);
}

// If the harness was killed, nobody wakes this process or releases its call.
bool harness_is_gone() {
  pollfd polled{channel, 0, 0};
  return poll(&polled, 1, 0) != 0;
}

void take_turns(const TurnsRequest& request, Reply& reply) {
  constexpr timespec second{1, 0};
  constexpr int spins = 10'000'000;  // some tenths of a second
  if (!turns || !cpu_entry || !memory.loaded()) return say(reply, Outcome::error, "nothing is loaded");
  mallopt(M_PERTURB, 0);
  for (uint32_t last = request.after;;) {
    uint32_t turn;
    while ((turn = turns->wake) == last) {
      sleep_while(turns->wake, last, &second);
      if (harness_is_gone()) return;
    }
    if (turn == no_more_turns) return;
    turns->ready = turn;
    for (int i = 0; turns->release != turn; ++i) {
      spin();
      if (turns->shown == turn && turns->touched != turn) {
        memory.read_all();
        turns->touched = turn;
      }
      if (i % spins == spins - 1 && harness_is_gone()) return;
    }
    if (!called(cpu_entry(problem, memory.data, memory.workspace), reply)) return;
    turns->done = turn;
    wake_sleeper(turns->done);
    last = turn;
  }
}

// The flush keeps the device busy while the host queues the events and the call, so that launch latency is not between
// them. Hot: the new data comes after it, as far as L2 holds it. What is computed outside of the events, on a stream that
// does not wait for them, is wrong: a little of the data comes just before the first, and the fingerprint is of the
// output as it is after the second.
void run_on_device(const RunRequest& request, RunReply& answer) {
  const auto refresh = [&] { return !request.refresh || memory.refresh(request.salt) == Outcome::ok; };
  bool fine = request.cache == Cache::cold || device->flush_l2() == 0;
  fine = fine && refresh() && (request.cache == Cache::hot || device->flush_l2() == 0);
  fine = fine && (!request.refresh || memory.touch(request.salt) == Outcome::ok) && device->mark(0) == 0;
  if (fine && !called(gpu_entry(problem, memory.data, memory.workspace, device->stream()), answer.reply)) return;
  fine = fine && device->mark(1) == 0 && memory.fingerprint(answer.fingerprint) == Outcome::ok;
  if (!fine || device->sync() != 0) return device_failure(answer.reply);
  answer.call_ms = device->between_ms();
}

void run(const RunRequest& request, RunReply& answer) {
  if (!memory.loaded()) return say(answer.reply, Outcome::error, "nothing is loaded");
  if (!device) return run_on_cpu(answer);
  if (request.restore && memory.restore() != Outcome::ok) return device_failure(answer.reply);
  if (request.refresh && memory.poison() != Outcome::ok) return device_failure(answer.reply);
  const bool first = std::exchange(first_call, false);
  // The first flush and fingerprint take longer; that time must not count for the variant.
  if (first &&
      (device->flush_l2() != 0 || memory.fingerprint(answer.fingerprint) != Outcome::ok || device->sync() != 0))
    return device_failure(answer.reply);
  const double start = now_ms();
  run_on_device(request, answer);
  if (first) answer.first_ms = set_up_ms + now_ms() - start;
}

void fetch(FetchReply& answer) {
  const Outcome outcome = memory.fetch(answer.out_ms);
  if (outcome == Outcome::ok) return;
  device ? device_failure(answer.reply) : say(answer.reply, outcome, memory.error);
}

void probe(ProbeReply& answer) {
  if (!probe_entry) return say(answer.reply, Outcome::error, "there is no probe in this object");
  if (probe_entry(&answer.result) != 0) say(answer.reply, Outcome::error, answer.result.error);
}

union Request {
  Op op;
  OpenRequest open;
  LoadRequest load;
  RunRequest run;
  TurnsRequest turns;
  Request() {}
};

// A request and the descriptors that came with it; false at the end.
bool receive(Request& request, int* descriptors, int& count) {
  iovec part{&request, sizeof request};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 2 * max_buffers)];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do n = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n < static_cast<ssize_t>(sizeof(Op))) return false;
  count = 0;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
      count = static_cast<int>((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(descriptors, CMSG_DATA(c), static_cast<size_t>(count) * sizeof(int));
    }
  return true;
}

template <class T>
void answer(T& reply, size_t bytes = sizeof(T)) {
  reply.reply.op = current;
  send(channel, &reply, bytes, MSG_NOSIGNAL);
}

template <class T>
void respond(const auto& work) {
  T reply;
  work(reply);
  answer(reply);
}

void answer_with_diagnostics() {
  static DiagnosticsReply reply;
  reply = {};
  if (device && device->diagnostics) reply.count = device->diagnostics(reply.diagnostic, LAB_MAX_DIAGNOSTICS);
  answer(reply, offsetof(DiagnosticsReply, diagnostic) + sizeof(lab_diagnostic) * static_cast<size_t>(reply.count));
}

void tell_diagnostics() {
  if (!device || !device->diagnostics) return;
  static Request request;
  int descriptors[2 * max_buffers], count = 0;
  if (!receive(request, descriptors, count) || request.op != Op::diagnostics) return;
  current = request.op;
  answer_with_diagnostics();
}

void on_exit_of_variant(int status, void*) {
  if (!device || !device->diagnostics) return;
  std::fflush(stdout);  // exit() would do it later
  PlainReply reply;
  reply.reply.outcome = Outcome::exited;
  std::snprintf(reply.reply.text, sizeof reply.reply.text, "%d", status);
  answer(reply);
  tell_diagnostics();
}

void reply_to(const Request& request, const int* descriptors, int& count) {
  switch (current = request.op) {
    case Op::open:
      return respond<OpenReply>([&](auto& reply) { open_variant(request.open, descriptors, count, reply); });
    case Op::load:
      return respond<LoadReply>([&](auto& reply) { load(request.load, descriptors, count, reply); });
    case Op::run:
      return respond<RunReply>([&](auto& reply) { run(request.run, reply); });
    case Op::take_turns:
      return respond<PlainReply>([&](auto& reply) { take_turns(request.turns, reply.reply); });
    case Op::fetch:
      return respond<FetchReply>(fetch);
    case Op::unload:
      return respond<PlainReply>([](auto&) { memory.unload(); });
    case Op::probe:
      return respond<ProbeReply>(probe);
    case Op::diagnostics:
      return answer_with_diagnostics();
  }
}

}  // namespace

int serve(int fd) {
  channel = fd;
  catch_faults();
  on_exit(on_exit_of_variant, nullptr);
  setvbuf(stdout, nullptr, _IOLBF, 0);  // what a variant prints must not stay in the process
  static Request request;
  int descriptors[2 * max_buffers];
  int count = 0;
  while (receive(request, descriptors, count)) {
    reply_to(request, descriptors, count);
    close_all(descriptors, count);
  }
  // No destructors or atexit handlers of the variant: nothing of it runs after the last request.
  _exit(0);
}

}  // namespace harness
