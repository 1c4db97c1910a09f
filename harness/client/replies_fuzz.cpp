// A worker that sends false replies: each reply gives values that are possible, or a failure with a message.
//
// The input is a list of replies: an operation, which fields of the head are corrected, a length, and bytes. They are in
// a real socket before the trusted end sends its request; the process is a real one that has ended.
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>

#include "harness/base/fuzz.h"
#include "harness/client/client.h"
#include "harness/kernel/test_kernel.h"

using namespace harness;

namespace {

std::shared_ptr<Child> ended_child() {
  SandboxRequest request;
  request.command = {"/bin/true"};
  auto child = Child::start(**find_sandbox("none"), request, "/bin/true");
  fuzz::must(child && child->wait(10), "a process has come and gone");
  return std::make_shared<Child>(*std::move(child));
}

/// A 3 x 4 input and a 3 x 2 output.
class SmallProblem : public TestProblem {
 public:
  SmallProblem() : TestProblem(Dtype::f32, {{"m", int64_t{3}}}) {}
  std::span<const std::byte> blob() const override { return blob_; }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }

 private:
  std::vector<std::byte> blob_{8};
  std::vector<BufferSpec> buffers_ = {{"A", Role::input, 3, 4, 5}, {"C", Role::output, 3, 2, 2}};
};

struct Reply {
  protocol::Op op;
  std::string bytes;
};

Reply read_reply(fuzz::Pieces& input) {
  Reply reply{static_cast<protocol::Op>(input.number<uint8_t>() % 7), {}};
  const auto right = input.number<uint8_t>();
  reply.bytes = input.text(input.number<uint16_t>());
  if (right & 1) {
    const uint32_t head[2] = {static_cast<uint32_t>(reply.op), uint32_t{right} >> 1 & 7};
    reply.bytes.resize(std::max(reply.bytes.size(), sizeof(protocol::Reply)));
    std::memcpy(reply.bytes.data(), head, sizeof head);
  }
  return reply;
}

bool is_time(double ms) { return std::isfinite(ms) && ms >= 0; }

template <class T>
bool check(const Tried<T>& tried) {
  if (!tried) fuzz::must_be_message(tried.error().message + " ");  // an exception may have no text
  return bool(tried);
}

void ask(Worker& worker, protocol::Op op, const Inputs& inputs, ReturnedRegions& returned) {
  constexpr double timeout_s = 5;
  switch (op) {
    case protocol::Op::open: {
      const auto opened = worker.open({}, timeout_s);
      if (check(opened))
        fuzz::must(opened->device.multiprocessors >= 0 && opened->device.warp_size >= 0,
                   "numbers of a device are not negative");
      return;
    }
    case protocol::Op::load: {
      const auto loaded = worker.load(inputs, returned, protocol::Placement::mapped, timeout_s);
      if (check(loaded))
        fuzz::must(is_time(loaded->alloc_ms) && is_time(loaded->in_ms) && loaded->launch.blocks >= 0 &&
                       loaded->launch.threads >= 0,
                   "what was loaded can be");
      return;
    }
    case protocol::Op::run: {
      const auto call = worker.run(protocol::Cache::hot, Data{Data::Kind::fresh, 7}, timeout_s);
      if (!check(call)) return;
      fuzz::must(is_time(call->first_ms) && is_time(call->claimed_ms), "a call lasts a time");
      return;
    }
    case protocol::Op::fetch: {
      const auto fetched = worker.fetch(timeout_s);
      if (check(fetched)) fuzz::must(is_time(fetched->out_ms), "a copy lasts a time");
      return;
    }
    case protocol::Op::take_turns:  // no reply but words in shared memory: turns_test.cpp
      return;
    case protocol::Op::unload:
      check(worker.unload(timeout_s));
      return;
    case protocol::Op::probe: {
      const auto limits = worker.probe(timeout_s);
      if (check(limits))
        fuzz::must(is_time(limits->fma_f32) && is_time(limits->fma_f64) && is_time(limits->copy_bytes_per_s) &&
                       strnlen(limits->error, sizeof limits->error) < sizeof limits->error,
                   "limits are numbers");
      return;
    }
    case protocol::Op::diagnostics: {
      const auto found = worker.diagnostics(timeout_s);
      if (!check(found)) return;
      fuzz::must(found->size() <= LAB_MAX_DIAGNOSTICS, "no more diagnostics than there can be");
      for (const lab_diagnostic& f : *found)
        fuzz::must(strnlen(f.kernel, sizeof f.kernel) < sizeof f.kernel, "a kernel's name ends");
      return;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::shared_ptr<Child> child = ended_child();
  static const Inputs inputs = *Inputs::draw(std::make_shared<SmallProblem>(), Fill::integers, 1, Edge::end);
  static ReturnedRegions returned = *ReturnedRegions::make(inputs, protocol::Placement::mapped);
  int pair[2];
  fuzz::must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "a socket can be had");
  {
    Worker worker(child, pair[0]);
    fuzz::Pieces input(data, size);
    for (int i = 0; i < 16 && !input.empty(); ++i) {
      const Reply reply = read_reply(input);
      // An empty packet reads like the end.
      if (send(pair[1], reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) break;
      ask(worker, reply.op, inputs, returned);
    }
  }
  close(pair[1]);
  return 0;
}
