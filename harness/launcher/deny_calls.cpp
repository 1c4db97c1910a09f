#include "harness/launcher/deny_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

namespace harness {
namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "which system calls are there?"
#endif
// Numbers are the same on all architectures from here on; older headers lack them.
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

constexpr long denied[] = {
    // Access to other processes: memory, registers, descriptors.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp,
    // Programs in the kernel, and counters of other processes.
    SYS_bpf, SYS_perf_event_open, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    // Memory whose content is written when it is first read.
    SYS_userfaultfd,
    // Another filter like this one, whose signals would be taken for those of this one.
    SYS_seccomp,
    // Keys, which outlive a process.
    SYS_add_key, SYS_request_key, SYS_keyctl,
    // Mounts and namespaces.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
    SYS_fspick, SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_open_by_handle_at,
    // The machine itself.
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime};

// Shared memory, which RLIMIT_DATA does not count. (The size of /tmp limits its files.)
constexpr long shared_memory[] = {SYS_memfd_create, SYS_memfd_secret, SYS_shmget, SYS_semget, SYS_msgget};

// Signals at a later time, also SIGCONT for a process that is stopped: from timers, and from what happens to a file or a
// connection (the network sends data with a delay).
constexpr long later_signals[] = {SYS_setitimer, SYS_timer_create, SYS_mq_open, SYS_socket, SYS_socketpair};
#if defined(__x86_64__)
constexpr long alarms[] = {SYS_alarm};
#else
constexpr long alarms[] = {-1};
#endif
constexpr uint32_t signals_of_files[] = {F_SETSIG, F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY};  // of fcntl()

// The Linux kernel works through a list of any length in these calls. It handles no signal meanwhile, not even SIGKILL.
constexpr long no_signal_ends[] = {SYS_move_pages, SYS_migrate_pages, SYS_mincore, SYS_io_setup, SYS_io_submit};

// Of socket(): others do not belong to a network namespace, such as AF_VSOCK, which reaches a virtual machine's host.
constexpr uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

// Calls that send a signal, and which argument is its number. A SIGCONT at once would undo the harness's SIGSTOP before
// the process has stopped.
constexpr struct {
  long call;
  size_t argument;
} senders[] = {{SYS_kill, 1},           {SYS_tkill, 1},          {SYS_tgkill, 2},
               {SYS_rt_sigqueueinfo, 1}, {SYS_rt_tgsigqueueinfo, 2}, {SYS_pidfd_send_signal, 1}};

#if defined(__x86_64__)
constexpr long new_processes[] = {SYS_fork, SYS_vfork};
#else
constexpr long new_processes[] = {-1};  // arm64 has only clone
#endif

constexpr uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                    CLONE_NEWPID | CLONE_NEWNET;

constexpr uint32_t field(size_t offset) { return static_cast<uint32_t>(offset); }
constexpr uint32_t errno_of(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }

struct Filter {
  sock_filter step[320];
  unsigned short length = 0;

  void add(sock_filter one) {
    if (length == std::size(step)) std::abort();  // a longer list of calls needs more room
    step[length++] = one;
  }
  void load(size_t offset) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, field(offset))); }
  void give(uint32_t action) { add(BPF_STMT(BPF_RET | BPF_K, action)); }
  /// The next `steps` apply only if the loaded value equals `value`, or has one of `bits`.
  void if_equal(uint32_t value, uint8_t steps) { add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps)); }
  void if_any(uint32_t bits, uint8_t steps) { add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, steps)); }
  void deny(long call) {
    if_equal(static_cast<uint32_t>(call), 1);
    give(errno_of(EPERM));
  }
  void keep(uint32_t bits) { add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
};

// Shared pages that belong to no file, and pages of a stack: RLIMIT_DATA counts neither.
void deny_shared_memory(Filter& f) {
  for (const long call : shared_memory) f.deny(call);
  f.if_equal(SYS_mmap, 7);
  f.load(offsetof(seccomp_data, args) + 3 * sizeof(uint64_t));
  f.if_any(MAP_GROWSDOWN, 1);
  f.give(errno_of(EPERM));
  f.keep(MAP_SHARED | MAP_ANONYMOUS);
  f.if_equal(MAP_SHARED | MAP_ANONYMOUS, 1);
  f.give(errno_of(EPERM));
  f.give(SECCOMP_RET_ALLOW);
}

void deny_other_families(Filter& f) {
  f.if_equal(SYS_socket, 2 * std::size(families) + 2);
  f.load(offsetof(seccomp_data, args));
  for (const uint32_t family : families) {
    f.if_equal(family, 1);
    f.give(SECCOMP_RET_ALLOW);
  }
  f.give(errno_of(EPERM));
}

void deny_later_signals(Filter& f) {
  for (const long call : later_signals) f.deny(call);
  for (const long call : alarms) f.deny(call);
  f.if_equal(SYS_fcntl, 2 * std::size(signals_of_files) + 2);
  f.load(offsetof(seccomp_data, args) + sizeof(uint64_t));
  for (const uint32_t command : signals_of_files) f.deny(command);
  f.give(SECCOMP_RET_ALLOW);
}

void deny_going_on(Filter& f) {
  for (const auto& [call, argument] : senders) {
    f.if_equal(static_cast<uint32_t>(call), 4);
    f.load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
    f.deny(SIGCONT);
    f.give(SECCOMP_RET_ALLOW);
  }
}

}  // namespace

bool deny_calls(Calls calls) {
  static Filter f;
  f.length = 0;
  constexpr size_t first_argument = offsetof(seccomp_data, args);  // its lower half: little-endian
  f.load(offsetof(seccomp_data, arch));
  f.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  f.give(errno_of(EPERM));  // system calls of 32-bit programs have other numbers
  f.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  f.if_any(0x40000000, 1);  // those of x32 too
  f.give(errno_of(EPERM));
#endif
  for (const long call : denied) f.deny(call);
  // OpenMP pins threads with it, and starts none where it fails.
  if (calls == Calls::no_threads) f.deny(SYS_sched_setaffinity);
  if (calls >= Calls::no_processes) {
    for (const long call : new_processes) {
      f.if_equal(static_cast<uint32_t>(call), 1);
      f.give(SECCOMP_RET_TRAP);
    }
    f.if_equal(SYS_clone, calls == Calls::no_threads ? 1 : 5);
    if (calls != Calls::no_threads) {
      f.load(first_argument);
      f.keep(CLONE_THREAD | CLONE_VFORK);  // a thread that waits in vfork() does not stop, and the others go on
      f.if_equal(CLONE_THREAD, 1);
      f.give(SECCOMP_RET_ALLOW);
    }
    f.give(SECCOMP_RET_TRAP);
    for (const long call : no_signal_ends) f.deny(call);
    deny_later_signals(f);
    deny_going_on(f);
    deny_shared_memory(f);
  }
  deny_other_families(f);
  // The flags of clone3 are in memory, which a filter cannot read. The C library uses clone() instead.
  f.if_equal(SYS_clone3, 1);
  f.give(errno_of(ENOSYS));
  f.if_equal(SYS_clone, 4);
  f.load(first_argument);
  f.if_any(new_namespaces, 1);
  f.give(errno_of(EPERM));
  f.give(SECCOMP_RET_ALLOW);
  // The harness could not read the memory of a process that is not dumpable.
  f.if_equal(SYS_prctl, 6);
  f.load(first_argument);
  f.deny(PR_SET_DUMPABLE);
  f.deny(PR_SET_SECCOMP);
  f.give(SECCOMP_RET_ALLOW);
  f.if_equal(SYS_personality, 5);
  f.load(first_argument);
  f.if_equal(0xffffffff, 1);  // only a question
  f.give(SECCOMP_RET_ALLOW);
  f.if_any(ADDR_NO_RANDOMIZE, 1);
  f.give(errno_of(EPERM));
  f.give(SECCOMP_RET_ALLOW);
  sock_fprog program = {f.length, f.step};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace harness
