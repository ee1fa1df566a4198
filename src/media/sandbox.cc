#include "media/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "media/files.h"

namespace waybill::media {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

constexpr rlim_t open_files_max = 64;

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "name this machine's AUDIT_ARCH_ for the filter of system calls"
#endif

constexpr uint32_t first_x32_call = 0x40000000;

constexpr std::array forbidden_calls = {
    __NR_execve,
    __NR_execveat,
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kill,
    __NR_pidfd_open,
    __NR_pidfd_send_signal,
    __NR_mount,
    __NR_umount2,
    __NR_chroot,
    __NR_pivot_root,
    __NR_unshare,
    __NR_setns,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_userfaultfd,
    __NR_io_uring_setup,
    __NR_open_by_handle_at,
    __NR_init_module,
    __NR_finit_module,
    __NR_kexec_load,
    __NR_setuid,
    __NR_setgid,
};

Error refused(const char* what) {
  return {ErrorKind::unavailable,
          std::string("the process cannot bound itself: ") + what + ": " + std::strerror(errno),
          {}};
}

Status set_limit(__rlimit_resource resource, rlim_t value, const char* name) {
  const rlimit limit{value, value};
  return ::setrlimit(resource, &limit) == 0 ? Status() : Status(refused(name));
}

sock_filter statement(int code, uint32_t value) {
  return {static_cast<uint16_t>(code), 0, 0, value};
}

sock_filter jump_if_equal(uint32_t value, std::size_t then, std::size_t otherwise) {
  return {BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint8_t>(then), static_cast<uint8_t>(otherwise), value};
}

// Calls of another architecture or of x32, by whose numbers the list could be passed by, end the process.
std::vector<sock_filter> filter() {
  std::vector<sock_filter> program = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      jump_if_equal(architecture, 1, 0),
      statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      {BPF_JMP | BPF_JGE | BPF_K, 0, 1, first_x32_call},
      statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  for (std::size_t i = 0; i < forbidden_calls.size(); ++i) {
    const std::size_t to_refusal = forbidden_calls.size() - i;
    program.push_back(jump_if_equal(static_cast<uint32_t>(forbidden_calls[i]), to_refusal, 0));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  return program;
}

}  // namespace

Status enter_sandbox() {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    return refused("PR_SET_PDEATHSIG");
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return refused("PR_SET_NO_NEW_PRIVS");
  }
  // A write beyond the largest file is to fail like one on a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  WAYBILL_TRY(set_limit(RLIMIT_NOFILE, open_files_max, "RLIMIT_NOFILE"));
  if (is_sanitized) {
    return {};
  }
  // Without this a core is still handed to the program that a machine may have for them.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    return refused("PR_SET_DUMPABLE");
  }
  return set_limit(RLIMIT_CORE, 0, "RLIMIT_CORE");
}

Status bound_process(const Limits& limits) {
  WAYBILL_TRY(set_limit(RLIMIT_FSIZE, static_cast<rlim_t>(limits.output_bytes_max), "RLIMIT_FSIZE"));
  return is_sanitized ? Status()
                      : set_limit(RLIMIT_AS, static_cast<rlim_t>(limits.memory_bytes_max), "RLIMIT_AS");
}

Status forbid_system_calls() {
  auto program = filter();
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0 ? Status()
                                                                         : Status(refused("seccomp"));
}

void silence_output() {
  if (is_sanitized) {
    return;
  }
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (null.is_open()) {
    ::dup2(null.number(), STDOUT_FILENO);
    ::dup2(null.number(), STDERR_FILENO);
  }
}

Status allow_cpu_seconds(int64_t seconds_max) {
  rusage used{};
  rlimit limit{};
  if (::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &limit) != 0) {
    return refused("RLIMIT_CPU");
  }
  const auto seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2;
  limit.rlim_cur = std::min(static_cast<rlim_t>(seconds + seconds_max), limit.rlim_max);
  return ::setrlimit(RLIMIT_CPU, &limit) == 0 ? Status() : Status(refused("RLIMIT_CPU"));
}

}  // namespace waybill::media
