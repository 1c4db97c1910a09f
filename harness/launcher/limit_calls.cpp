#include "harness/launcher/limit_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <span>

namespace harness {
namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "which system calls are there?"
#endif
// These numbers are the same on all architectures; older headers lack them.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

// What compilers and GPU workers may not call. A GPU's driver needs too many calls to list those that are permitted.
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

// What socket() may ask for. A network namespace does not hold back the others: AF_VSOCK reaches the host of a virtual
// machine.
constexpr uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

// All that a variant on the CPU may call. The calls that are missing could do work while the process is stopped (timers,
// connections), continue a stopped process (terminals, signals of files), run for long without handling a signal (lists
// of pages), or hold memory that no limit counts (shared memory).
constexpr long computing[] = {
    // Threads, signals, the end. clone() and kill() are below.
    SYS_futex, SYS_sched_yield, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_membarrier, SYS_gettid,
    SYS_getpid, SYS_getppid, SYS_sched_getaffinity, SYS_sched_getscheduler, SYS_sched_getparam, SYS_getcpu,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,
    SYS_restart_syscall, SYS_exit, SYS_exit_group,
    // Memory. mmap() and madvise() are below.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_get_mempolicy, SYS_set_mempolicy,
    // Clocks and waiting.
    SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times, SYS_nanosleep, SYS_clock_nanosleep, SYS_ppoll,
    SYS_pselect6,
    // Files.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_openat, SYS_close,
    SYS_close_range, SYS_dup, SYS_dup3, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
    SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fadvise64, SYS_ftruncate, SYS_umask,
    SYS_msync, SYS_fsync, SYS_fdatasync, SYS_unlinkat, SYS_mkdirat, SYS_renameat, SYS_renameat2, SYS_pipe2,
    // The worker's channel.
    SYS_recvmsg, SYS_sendmsg, SYS_recvfrom, SYS_sendto,
    // Facts and limits of the process and the machine.
    SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrlimit, SYS_setrlimit, SYS_prlimit64, SYS_getrandom, SYS_getuid,
    SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getpriority,
    // The launcher starts the worker with it.
    SYS_execve,
#if defined(__x86_64__)
    SYS_arch_prctl, SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2,
    SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_rename, SYS_poll, SYS_select, SYS_pause, SYS_time, SYS_pipe,
#endif
};
constexpr uint32_t commands_of_fcntl[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD,
                                          F_GETFL, F_SETFL,         F_GETLK, F_SETLK};
constexpr uint32_t commands_of_ioctl[] = {TCGETS, TIOCGWINSZ, FIONREAD};
constexpr uint32_t options_of_prctl[] = {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_VMA};

// Calls that send a signal, and which argument is its number. A SIGCONT at once would undo the harness's SIGSTOP before
// the process has stopped.
constexpr struct {
  long call;
  size_t argument;
} senders[] = {{SYS_kill, 1}, {SYS_tkill, 1}, {SYS_tgkill, 2}};

#if defined(__x86_64__)
constexpr long new_processes[] = {SYS_fork, SYS_vfork};
#else
constexpr long new_processes[] = {-1};  // arm64 has only clone
#endif

constexpr uint32_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

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
  void load_argument(size_t i) { load(offsetof(seccomp_data, args) + i * sizeof(uint64_t)); }  // its lower half
  void allow(long call) {
    if_equal(static_cast<uint32_t>(call), 1);
    give(SECCOMP_RET_ALLOW);
  }
  void deny(long call) {
    if_equal(static_cast<uint32_t>(call), 1);
    give(errno_of(EPERM));
  }
  void allow_only(long call, size_t argument, std::span<const uint32_t> values) {
    if_equal(static_cast<uint32_t>(call), static_cast<uint8_t>(2 * values.size() + 2));
    load_argument(argument);
    for (const uint32_t value : values) allow(value);
    give(errno_of(EPERM));
  }
  void keep(uint32_t bits) { add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
};

// A filter for the number of the call, which is loaded.
Filter for_this_architecture() {
  Filter f;
  f.load(offsetof(seccomp_data, arch));
  f.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  f.give(errno_of(EPERM));  // system calls of 32-bit programs have other numbers
  f.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  f.if_any(0x40000000, 1);  // those of x32 too
  f.give(errno_of(EPERM));
#endif
  // The flags of clone3 are in memory, which a filter cannot read. The C library uses clone() instead.
  f.if_equal(SYS_clone3, 1);
  f.give(errno_of(ENOSYS));
  return f;
}

void personality_is_a_question(Filter& f) { f.allow_only(SYS_personality, 0, std::array{0xffffffffu}); }

Filter leave_out_dangerous() {
  Filter f = for_this_architecture();
  for (const long call : denied) f.deny(call);
  f.allow_only(SYS_socket, 0, families);
  f.if_equal(SYS_clone, 4);
  f.load_argument(0);
  f.if_any(new_namespaces, 1);
  f.give(errno_of(EPERM));
  f.give(SECCOMP_RET_ALLOW);
  // The harness could not read the memory of a process that is not dumpable.
  f.if_equal(SYS_prctl, 6);
  f.load_argument(0);
  f.deny(PR_SET_DUMPABLE);
  f.deny(PR_SET_SECCOMP);
  f.give(SECCOMP_RET_ALLOW);
  personality_is_a_question(f);
  f.give(SECCOMP_RET_ALLOW);
  return f;
}

Filter allow_computing(Calls calls, Pinning pinning) {
  Filter f = for_this_architecture();
  for (const long call : computing) f.allow(call);
  for (const long call : new_processes) {
    f.if_equal(static_cast<uint32_t>(call), 1);
    f.give(SECCOMP_RET_TRAP);
  }
  f.if_equal(SYS_clone, calls == Calls::no_threads ? 1 : 5);
  if (calls != Calls::no_threads) {
    f.load_argument(0);
    f.keep(CLONE_THREAD | CLONE_VFORK);  // a thread that waits in vfork() does not stop, and the others go on
    f.if_equal(CLONE_THREAD, 1);
    f.give(SECCOMP_RET_ALLOW);
  }
  f.give(SECCOMP_RET_TRAP);
  // The only thread of a program has its core already. A program that pins it must not fail for that, so it hears that this worked.
  const bool pins = calls != Calls::no_threads && pinning == Pinning::works;
  f.if_equal(SYS_sched_setaffinity, 1);
  f.give(pins ? SECCOMP_RET_ALLOW : errno_of(0));
  // Shared pages that belong to no file, and pages of a stack: RLIMIT_DATA counts neither.
  f.if_equal(SYS_mmap, 7);
  f.load_argument(3);
  f.if_any(MAP_GROWSDOWN, 1);
  f.give(errno_of(EPERM));
  f.keep(MAP_SHARED | MAP_ANONYMOUS);
  f.if_equal(MAP_SHARED | MAP_ANONYMOUS, 1);
  f.give(errno_of(EPERM));
  f.give(SECCOMP_RET_ALLOW);
  // MADV_REMOVE and MADV_COLLAPSE change pages that the variant shares with the harness and with other variants: the first takes
  // them away, the second makes them huge. A filter cannot tell those from pages of its own.
  f.if_equal(SYS_madvise, 6);
  f.load_argument(2);
  f.deny(MADV_REMOVE);
  f.deny(MADV_COLLAPSE);
  f.give(SECCOMP_RET_ALLOW);
  for (const auto& [call, argument] : senders) {
    f.if_equal(static_cast<uint32_t>(call), 4);
    f.load_argument(argument);
    f.deny(SIGCONT);
    f.give(SECCOMP_RET_ALLOW);
  }
  f.allow_only(SYS_fcntl, 1, commands_of_fcntl);
  f.allow_only(SYS_ioctl, 1, commands_of_ioctl);
  f.allow_only(SYS_prctl, 0, options_of_prctl);
  personality_is_a_question(f);
  f.give(errno_of(EPERM));
  return f;
}

}  // namespace

bool limit_calls(Calls calls, Pinning pinning) {
  Filter f = calls == Calls::no_dangerous ? leave_out_dangerous() : allow_computing(calls, pinning);
  sock_fprog program = {f.length, f.step};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace harness
