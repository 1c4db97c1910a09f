#include "harness/client/client.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "device/refresh_host.h"
#include "harness/base/parallel.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/client/how_it_ended.h"
#include "harness/client/possible_reply.h"

namespace harness {
namespace {

using namespace protocol;

constexpr const char* nonsense = "its process answered nonsense: did it write to descriptor 3?";

// One line: the rest of a variant's message could look like lines of the harness.
std::string text_of(const char* field, size_t size) {
  std::string text = printable({field, strnlen(field, size)}, size);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Does not wait: a worker that cannot take a request of a few kilobytes has stopped reading.
bool send_all(int channel, const void* bytes, size_t size, const std::vector<int>& descriptors) {
  iovec part{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 2 * max_buffers)] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(c), descriptors.data(), sizeof(int) * descriptors.size());
  }
  return sendmsg(channel, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(size);
}

// A reply and the process that sent it. The process number comes from the Linux kernel, not from the sender.
ssize_t receive(int channel, void* buffer, size_t size, pid_t& sender) {
  iovec part{buffer, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t n = recvmsg(channel, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  for (cmsghdr* c = n >= 0 ? CMSG_FIRSTHDR(&message) : nullptr; c; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
      ucred who;
      std::memcpy(&who, CMSG_DATA(c), sizeof who);
      sender = who.pid;
    }
  return n;
}

Failure of_the_machine(const std::string& message) {
  Failure failure{Status::CRASHED, message};
  failure.whose = Failure::Whose::machine;
  return failure;
}

}  // namespace

Worker::Descriptor::~Descriptor() { close(fd); }

Worker::Worker(std::shared_ptr<Child> child, int channel)
    : child_(std::move(child)), channel_(std::make_unique<Descriptor>(channel)) {}

Worker::~Worker() {
  if (!channel_) return;  // it was moved from
  hang_up();
  child_.reset();
  wait_until_gone();
}

// `child_` is the guard or the sandbox. It can be gone while a killed worker still holds the memory of a device, and
// the next worker would find none. If somebody else killed the sandbox, a worker that is stopped would stay for good.
void Worker::wait_until_gone() {
  constexpr int longest_ms = 10'000;
  if (!process_) return;
  syscall(SYS_pidfd_send_signal, process_->fd, SIGKILL, nullptr, 0);
  pollfd gone{process_->fd, POLLIN, 0};
  poll(&gone, 1, longest_ms);
  process_.reset();
}

void Worker::hang_up() {
  code_watch_.reset();
  stop_turns();
  channel_.reset();
  if (child_ && grace_s_ > 0) child_->wait(grace_s_);
}

void Worker::kill_child() {
  child_->kill();
  child_->wait(30);  // the container program removes the container first
}

std::string Worker::end() {
  hang_up();
  kill_child();
  wait_until_gone();
  return child_->output();
}

Failure Worker::ended(Op op) {
  child_->wait(2);
  kill_child();
  if (!child_->ended().began)
    return of_the_machine(fmt::format("its container did not start: {}", trim(child_->output())));
  return how_it_ended(child_->ended(), rights_, op);
}

// A signal makes a process that hangs report which instruction it executes.
Failure Worker::too_late(double timeout_s, Op op) {
  Failure failure{Status::TIMEOUT, fmt::format("no answer after {} {}", human_time(timeout_s), doing(op))};
  FaultReply reply;
  pid_t sender = 0;
  if (process_ && syscall(SYS_pidfd_send_signal, process_->fd, SIGXCPU, nullptr, 0) == 0 &&
      wait_for_reply(channel_->fd, 1) == Wait::ready &&
      receive(channel_->fd, &reply, sizeof reply, sender) == sizeof reply && reply.signal == SIGXCPU)
    failure.code = reply.code;
  child_->kill();
  return failure;
}

template <class Reply, class Request>
Tried<Reply> Worker::ask(const Request& request, const std::vector<int>& descriptors, double timeout_s) {
  if (in_turns_) TRY(end_turns(timeout_s));  // during its turns it does not read requests
  go_on();
  if (!send_all(channel_->fd, &request, sizeof request, descriptors)) {
    if (errno == EAGAIN) return Failure{Status::CRASHED, nonsense};  // a reply without a request
    return ended(request.op);
  }
  const Wait waited = wait_for_reply(channel_->fd, timeout_s);
  if (waited != Wait::ready) return no_answer(waited, timeout_s, request.op);
  auto reply = receive_reply<Reply>(request.op);
  pause();
  TRY(wait_until_paused());
  return reply;
}

Failure Worker::no_answer(Wait waited, double timeout_s, Op op) {
  if (waited == Wait::timeout) return too_late(timeout_s, op);
  child_->kill();
  return {Status::CANCELLED, "interrupted"};
}

Tried<size_t> Worker::receive_ok(Op op, DiagnosticsReply& buffer) {
  static_assert(sizeof(FaultReply) <= sizeof buffer);
  pid_t sender = 0;
  const ssize_t n = receive(channel_->fd, &buffer, sizeof buffer, sender);
  const bool is_empty_message = n == 0 && sender != 0;  // at the end of the channel there is no sender
  if (n <= 0 && !is_empty_message) return ended(op);
  if (pid_ != 0 && sender != pid_)
    return Failure{Status::MISTRUSTED, "another process than that of the worker answered for it"};
  pid_ = sender;
  const auto& head = *reinterpret_cast<const protocol::Reply*>(&buffer);
  const std::string said = text_of(head.text, sizeof head.text);
  if (static_cast<size_t>(n) < sizeof head) return Failure{Status::CRASHED, nonsense};
  // A thread that goes on after a reply may crash before the next request.
  if (head.op != op && head.outcome != Outcome::fault) return Failure{Status::CRASHED, nonsense};
  switch (head.outcome) {
    case Outcome::ok:
      return static_cast<size_t>(n);
    case Outcome::fault: {
      FaultReply fault_reply;
      std::memcpy(static_cast<void*>(&fault_reply), &buffer, sizeof fault_reply);
      if (fault_reply.signal != SIGABRT) child_->wait(2);  // after an abort it may still be asked for diagnostics
      return describe_fault(fault_reply, rights_, problem_.get());
    }
    case Outcome::out_of_memory:
      return Failure{Status::OUT_OF_MEMORY, said};
    case Outcome::unsupported:
      return Failure{Status::SKIPPED,
                     "the variant does not support it: " + (said.empty() ? "it does not say why" : said)};
    case Outcome::out_of_bounds:
      return Failure{Status::OUT_OF_BOUNDS, "it wrote past the end of its work space: is the size that it asks for large enough, and in bytes?"};
    case Outcome::exited: {
      Ended by_itself;
      by_itself.exit = static_cast<int>(std::strtol(said.c_str(), nullptr, 10));
      return how_it_ended(by_itself, rights_, op);
    }
    case Outcome::device_error:
      return Failure{said.find("IllegalAddress") != std::string::npos ? Status::OUT_OF_BOUNDS : Status::CRASHED, said};
    default:
      return Failure{Status::CRASHED, said};
  }
}

template <class Reply>
Tried<Reply> Worker::receive_reply(Op op) {
  static_assert(sizeof(Reply) <= sizeof(DiagnosticsReply));
  const auto buffer = std::make_unique<DiagnosticsReply>();
  TRY_ASSIGN(const size_t bytes, receive_ok(op, *buffer));
  Reply reply;
  std::memcpy(static_cast<void*>(&reply), buffer.get(), std::min(sizeof reply, bytes));
  return reply;
}

Tried<Worker> Worker::start(const WorkerSetup& setup) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    return of_the_machine(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  SandboxRequest request = static_cast<const SandboxRequest&>(setup);
  request.command = setup.wrap;
  request.command.insert(request.command.end(), {setup.program.string(), "serve"});
  if (!setup.wrap.empty()) request.rights = Rights::trace;
  for (const char* name : {"LAB_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    request.environment.push_back(fmt::format("{}={}", name, setup.threads));
  request.mounts = {{setup.program, Access::read}};
  if (!setup.object.empty()) request.mounts.push_back({setup.object.parent_path(), Access::read});
  request.channel = pair[1];
  auto child = Child::start(*setup.sandbox, request, setup.launcher);
  close(pair[1]);
  const int yes = 1;
  setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  if (!child) {
    close(pair[0]);
    return of_the_machine(child.error().message);
  }
  Worker worker(std::make_shared<Child>(*std::move(child)), pair[0]);

  if (!setup.wrap.empty()) worker.grace_s_ = 30;
  worker.rights_ = setup.rights;
  worker.pauses_ = setup.devices.empty() && setup.wrap.empty();
  for (const int cpu : usable_cpus())
    if (std::find(setup.cpus.begin(), setup.cpus.end(), cpu) == setup.cpus.end()) worker.spare_cpus_.push_back(cpu);

  if (!setup.gpu) {
    auto memory = Region::make(sizeof(Turns), Edge::start, 0);
    if (!memory) return of_the_machine(memory.error().message);
    worker.turns_memory_ = *std::move(memory);
    new (worker.turns_memory_->data()) Turns{};
  }
  return worker;
}

std::optional<Mapped> Worker::mappings() const {
  auto now = mapped(pid_);
  if (!now || !code_watch_) return now;
  std::set<std::string> before = code_watch_->seen();
  now->files.insert(before.begin(), before.end());
  now->code.merge(before);
  return now;
}

Tried<Opened> Worker::open(const WorkerSetup& setup, double timeout_s) {
  OpenRequest request;
  request.device = setup.gpu ? setup.device : -1;
  request.data_bytes = setup.variant_data_bytes;
  request.address_bytes = setup.variant_address_bytes;
  fmt::format_to_n(request.object, sizeof request.object - 1, "{}", setup.object.string());
  fmt::format_to_n(request.kernel, sizeof request.kernel - 1, "{}", setup.kernel);
  fmt::format_to_n(request.dtype, sizeof request.dtype - 1, "{}", to_string(setup.dtype));
  std::vector<int> descriptors;
  if (turns_memory_) descriptors.push_back(turns_memory_->fd());
  auto answer = ask<OpenReply>(request, descriptors, timeout_s);
  if (const auto fd = pid_ > 0 ? static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)) : -1; fd >= 0)
    process_ = std::make_unique<Descriptor>(fd);
  TRY_ASSIGN(const OpenReply reply, std::move(answer));
  const std::string type = request.dtype;
  if (*request.kernel && !reply.has_cpu && !reply.has_gpu)
    return Failure{Status::COMPILE_ERROR,
                   fmt::format("it defines no entry point for {0}; write one with LAB_{1}_CPU({2}) or LAB_{1}_GPU({2})",
                               type, upper(request.kernel), source_name(parse_enum<Dtype>(type).value_or(Dtype::f32)))};
  if (reply.has_cpu && reply.has_gpu)
    return Failure{Status::COMPILE_ERROR,
                   fmt::format("it defines two entry points for {}, one for the CPU and one for the GPU; a variant is "
                               "one file with one",
                               type)};
  if (!is_possible(reply.device)) return Failure{Status::CRASHED, nonsense};
  if (setup.watch_code) code_watch_ = std::make_unique<CodeWatch>(pid_, spare_cpus_);
  pause();
  return Opened{text_of(reply.about, sizeof reply.about), reply.device};
}

Tried<Loaded> Worker::load(const Inputs& inputs, ReturnedRegions& returned, Placement placement, double timeout_s) {
  problem_ = inputs.problem_ptr();
  LoadRequest request;
  request.placement = placement;
  request.buffers = static_cast<int32_t>(inputs.regions().size());
  request.element_bytes = static_cast<int32_t>(size_of(problem_->dtype()));
  const auto blob = problem_->blob();
  if (blob.size() > sizeof request.problem) return of_the_machine("the problem is too large for the worker");
  std::memcpy(request.problem, blob.data(), blob.size());
  std::vector<int> descriptors;
  for (size_t i = 0; i < inputs.regions().size(); ++i) {
    const Region& source = inputs.regions()[i];
    const Role role = problem_->buffers()[i].role;
    Buffer& buffer = request.buffer[i];
    buffer.is_input = role == Role::input;
    buffer.counted = role != Role::output;
    buffer.region_bytes = source.bytes();
    buffer.data_offset = source.offset();
    buffer.data_bytes = problem_->buffers()[i].bytes(problem_->dtype());
    buffer.source_fd = static_cast<int32_t>(descriptors.size());
    descriptors.push_back(source.fd());
    if (!returned.regions()[i]) continue;
    buffer.result_fd = static_cast<int32_t>(descriptors.size());
    descriptors.push_back(returned.regions()[i]->fd());
  }
  TRY_ASSIGN(const LoadReply reply, ask<LoadReply>(request, descriptors, timeout_s));
  if (!is_possible(reply)) return Failure{Status::CRASHED, nonsense};
  return Loaded{reply.alloc_ms, reply.in_ms, reply.launch, text_of(reply.choice, sizeof reply.choice)};
}

Tried<Answered> Worker::run(Cache cache, Data data, double timeout_s) {
  RunRequest request;
  request.cache = cache;
  request.restore = data.kind == Data::Kind::restored;
  request.refresh = data.kind == Data::Kind::fresh;
  request.salt = data.salt;
  const Stopwatch watch;
  TRY_ASSIGN(const RunReply reply, ask<RunReply>(request, {}, timeout_s));
  const double outside_ms = watch.ms();
  if (!is_possible(reply)) return Failure{Status::CRASHED, nonsense};
  fingerprint_ = reply.fingerprint;
  return Answered{reply.call_ms, reply.first_ms, outside_ms};
}

Tried<Fetched> Worker::fetch(double timeout_s) {
  TRY_ASSIGN(const FetchReply reply, ask<FetchReply>(PlainRequest{Op::fetch}, {}, timeout_s));
  if (!is_possible(reply)) return Failure{Status::CRASHED, nonsense};
  return Fetched{reply.out_ms};
}

Tried<Unit> Worker::verify_fingerprint(ReturnedRegions& returned) const {
  const BufferSpec& spec = problem_->output();
  const auto width = static_cast<int>(size_of(problem_->dtype()));
  if (lab::fingerprint(returned.output().data(), spec.elements(), width) == fingerprint_) return Unit{};
  return Failure{Status::MISTRUSTED,
                 fmt::format("{} changed after the call had returned: does work go on, on another stream?", spec.name)};
}

Tried<Unit> Worker::start_turns() {
  if (std::exchange(in_turns_, true)) return Unit{};
  TurnsRequest request;
  request.after = turn_;
  if (!send_all(channel_->fd, &request, sizeof request, {})) return ended(request.op);
  return Unit{};
}

Tried<Unit> Worker::receive_end_of_turns() {
  TRY(receive_reply<PlainReply>(Op::take_turns));
  return Unit{};
}

Tried<lab_probe_result> Worker::probe(double timeout_s) {
  TRY_ASSIGN(const ProbeReply reply, ask<ProbeReply>(PlainRequest{Op::probe}, {}, timeout_s));
  if (!is_possible(reply.result)) return Failure{Status::CRASHED, nonsense};
  return reply.result;
}

Tried<std::vector<lab_diagnostic>> Worker::diagnostics(double timeout_s) {
  TRY_ASSIGN(const DiagnosticsReply reply, ask<DiagnosticsReply>(PlainRequest{Op::diagnostics}, {}, timeout_s));
  auto found = possible_diagnostics(reply);
  if (!found) return Failure{Status::CRASHED, nonsense};
  return *std::move(found);
}

Tried<Unit> Worker::unload(double timeout_s) {
  TRY(ask<PlainReply>(PlainRequest{Op::unload}, {}, timeout_s));
  return Unit{};
}

}  // namespace harness
