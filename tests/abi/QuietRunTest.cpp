// Bound::run() of a call of no great size allocates nothing, takes no lock and calls no system: a child process in the
// kernel's strict mode, where any system call but read, write and exit kills it, and with an allocator and a lock that
// kill it too.
#include <flexsn/flexsn.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
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

extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  if (forbidden)
    __builtin_trap();
  static auto *next = reinterpret_cast<int (*)(pthread_mutex_t *)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return next(mutex);
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

/// A bound call of `steps` steps of `neurons` neurons, with states given and wanted, runs quietly.
static bool runsQuietly(const flexsn::Neuron &neuron, int64_t steps, int64_t neurons) {
  std::vector<float> x(steps * neurons, 0.7f), s(steps * neurons), v(neurons);
  flexsn::Call call;
  call.inputs = {flexsn::view(x, {steps, neurons})};
  call.outputs = {flexsn::view(s, {steps, neurons})};
  call.initial_states = {{"v", flexsn::view(v, {neurons})}};
  call.final_states = {{"v", flexsn::view(v, {neurons})}};
  flexsn::Bound bound = neuron.bind(call);
  bool quiet = survives([&] {
    for (int i = 0; i < 10; ++i)
      if (!bound.run())
        __builtin_trap();
  });
  if (!quiet)
    std::printf("Bound::run() of %d x %d allocated, locked or called the system\n", static_cast<int>(steps),
                static_cast<int>(neurons));
  return quiet;
}

int main() {
  flexsn::Neuron neuron = flexsn::Model::shipped("LIF").compile();
  bool quiet = runsQuietly(neuron, 1, 256) && runsQuietly(neuron, 100, 250) && runsQuietly(neuron, 1, 1);
  // The traps work: what they are to catch is caught.
  bool allocates = survives([] { free(malloc(1)); });
  bool locks = survives([] {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
  });
  bool calls = survives([] { (void)syscall(SYS_getppid); });
  if (allocates || locks || calls)
    std::puts("the test does not notice allocations, locks or system calls");
  return quiet && !allocates && !locks && !calls ? EXIT_SUCCESS : EXIT_FAILURE;
}
