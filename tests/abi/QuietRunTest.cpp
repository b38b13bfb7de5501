// Bound::run() allocates nothing and calls no system: a child process in the kernel's strict mode, where any system
// call but read, write and exit kills it, and with an allocator that kills it too.
#include <flexsn/flexsn.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool forbidden = false;

// The library's allocations come here too: its operator new calls the process's malloc.
extern "C" void *malloc(size_t size) {
  if (forbidden)
    __builtin_trap();
  static auto *next = reinterpret_cast<void *(*)(size_t)>(dlsym(RTLD_NEXT, "malloc"));
  return next(size);
}

/// Runs `body` in a child in strict mode; true if it lived to the end.
template <class Body> static bool survives(Body body) {
  pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
      _exit(2);
    forbidden = true;
    body();
    syscall(SYS_exit, 0); // exit_group is not allowed
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == 2)) {
    std::puts("no child in strict mode: nothing was tested");
    std::exit(EXIT_FAILURE);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main() {
  constexpr int64_t T = 100, N = 1000;
  std::vector<float> x(T * N, 0.7f), s(T * N), v(N);
  flexsn::Call call;
  call.inputs = {flexsn::view(x, {T, N})};
  call.outputs = {flexsn::view(s, {T, N})};
  call.initial_states = {{"v", flexsn::view(v, {N})}};
  call.final_states = {{"v", flexsn::view(v, {N})}};
  flexsn::Bound bound = flexsn::Model::shipped("LIF").compile().bind(call);

  bool quiet = survives([&] {
    for (int i = 0; i < 10; ++i)
      if (!bound.run())
        __builtin_trap();
  });
  // The traps work: what they are to catch is caught.
  bool allocates = survives([] { free(malloc(1)); });
  bool calls = survives([] { (void)syscall(SYS_getppid); });
  if (!quiet)
    std::puts("Bound::run() allocated or called the system");
  if (allocates || calls)
    std::puts("the test does not notice allocations or system calls");
  return quiet && !allocates && !calls ? EXIT_SUCCESS : EXIT_FAILURE;
}
