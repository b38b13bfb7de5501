#include "tests/gpu/Device.h"

#include <fmt/format.h>

#include <stdexcept>
#include <type_traits>
#include <utility>

#include <dlfcn.h>

namespace flexsn::test {

/// As cuda.h declares them; a result of 0 is success.
struct DriverCalls {
  int (*init)(unsigned);
  int (*version)(int *);
  int (*deviceGet)(int *, int);
  int (*deviceName)(char *, int, int);
  int (*deviceAttribute)(int *, int, int);
  int (*retainContext)(void **, int);
  int (*setContext)(void *);
  int (*synchronize)();
  int (*allocate)(uint64_t *, size_t);
  int (*release)(uint64_t);
  int (*toDevice)(uint64_t, const void *, size_t);
  int (*toHost)(void *, uint64_t, size_t);
  int (*copy)(uint64_t, uint64_t, size_t, void *);
  int (*load)(void **, const void *);
  int (*unload)(void *);
  int (*getFunction)(void **, void *, const char *);
  int (*functionAttribute)(int *, int, void *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int (*createEvent)(void **, unsigned);
  int (*destroyEvent)(void *);
  int (*record)(void *, void *);
  int (*waitFor)(void *);
  int (*elapsed)(float *, void *, void *);
  int (*errorName)(int, const char **);

  DriverCalls() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw std::runtime_error(dlerror());
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function)
        throw std::runtime_error(dlerror());
    };
    find(init, "cuInit");
    find(version, "cuDriverGetVersion");
    find(deviceGet, "cuDeviceGet");
    find(deviceName, "cuDeviceGetName");
    find(deviceAttribute, "cuDeviceGetAttribute");
    find(retainContext, "cuDevicePrimaryCtxRetain");
    find(setContext, "cuCtxSetCurrent");
    find(synchronize, "cuCtxSynchronize");
    find(allocate, "cuMemAlloc_v2");
    find(release, "cuMemFree_v2");
    find(toDevice, "cuMemcpyHtoD_v2");
    find(toHost, "cuMemcpyDtoH_v2");
    find(copy, "cuMemcpyDtoDAsync_v2");
    find(load, "cuModuleLoadData");
    find(unload, "cuModuleUnload");
    find(getFunction, "cuModuleGetFunction");
    find(functionAttribute, "cuFuncGetAttribute");
    find(launch, "cuLaunchKernel");
    find(createEvent, "cuEventCreate");
    find(destroyEvent, "cuEventDestroy_v2");
    find(record, "cuEventRecord");
    find(waitFor, "cuEventSynchronize");
    find(elapsed, "cuEventElapsedTime");
    find(errorName, "cuGetErrorName");
  }
};

static const DriverCalls &driver() {
  static const DriverCalls calls;
  return calls;
}

static void succeed(const char *call, int status) {
  const char *name = nullptr;
  if (status != 0)
    throw std::runtime_error(
        fmt::format("{}: {}", call, driver().errorName(status, &name) == 0 && name ? name : "unknown error"));
}

static uint64_t deviceAddress(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

Device::Device() {
  int device = 0, major = 0, minor = 0;
  char text[256] = "";
  void *context = nullptr;
  succeed("cuInit", driver().init(0));
  succeed("cuDeviceGet", driver().deviceGet(&device, 0));
  succeed("cuDeviceGetName", driver().deviceName(text, sizeof text - 1, device));
  succeed("cuDeviceGetAttribute", driver().deviceAttribute(&major, 75, device));
  succeed("cuDeviceGetAttribute", driver().deviceAttribute(&minor, 76, device));
  succeed("cuDevicePrimaryCtxRetain", driver().retainContext(&context, device));
  succeed("cuCtxSetCurrent", driver().setContext(context));
  deviceName = text;
  deviceArch = 10 * major + minor;
}

std::string Device::driverVersion() const {
  int version = 0;
  succeed("cuDriverGetVersion", driver().version(&version));
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

void Device::synchronize() const { succeed("cuCtxSynchronize", driver().synchronize()); }

Buffer::Buffer(size_t bytes) { succeed("cuMemAlloc", driver().allocate(&address, bytes)); }
Buffer::Buffer(std::span<const std::byte> contents) : Buffer(contents.size()) { write(contents); }
Buffer::Buffer(Buffer &&other) noexcept : address(std::exchange(other.address, 0)) {}
Buffer::~Buffer() {
  if (address != 0)
    (void)driver().release(address);
}

void Buffer::read(std::span<std::byte> into) const {
  succeed("cuMemcpyDtoH", driver().toHost(into.data(), address, into.size()));
}
void Buffer::write(std::span<const std::byte> contents) const {
  succeed("cuMemcpyHtoD", driver().toDevice(address, contents.data(), contents.size()));
}
void Buffer::copyFrom(const Buffer &other, size_t bytes) const {
  succeed("cuMemcpyDtoDAsync", driver().copy(address, deviceAddress(other.data()), bytes, nullptr));
}

Module::Module(const std::string &cubin) { succeed("cuModuleLoadData", driver().load(&handle, cubin.data())); }
Module::~Module() { (void)driver().unload(handle); }

void *Module::function(const std::string &symbol) const {
  void *found = nullptr;
  succeed("cuModuleGetFunction", driver().getFunction(&found, handle, symbol.c_str()));
  return found;
}

Module::Facts Module::facts(const std::string &symbol) const {
  void *kernel = function(symbol);
  auto attribute = [&](int number) {
    int value = 0;
    succeed("cuFuncGetAttribute", driver().functionAttribute(&value, number, kernel));
    return value;
  };
  return {attribute(4), attribute(3), attribute(1)};
}

void Module::launch(const std::string &symbol, unsigned blocks, unsigned threads, std::span<std::byte> argument) const {
  size_t bytes = argument.size();
  // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END
  void *extra[] = {reinterpret_cast<void *>(1), argument.data(), reinterpret_cast<void *>(2), &bytes, nullptr};
  succeed("cuLaunchKernel", driver().launch(function(symbol), blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr, extra));
}

Timer::Timer() {
  succeed("cuEventCreate", driver().createEvent(&begin, 0));
  succeed("cuEventCreate", driver().createEvent(&end, 0));
}
Timer::~Timer() {
  (void)driver().destroyEvent(begin);
  (void)driver().destroyEvent(end);
}
void Timer::start() const { succeed("cuEventRecord", driver().record(begin, nullptr)); }
double Timer::stop() const {
  float milliseconds = 0;
  succeed("cuEventRecord", driver().record(end, nullptr));
  succeed("cuEventSynchronize", driver().waitFor(end));
  succeed("cuEventElapsedTime", driver().elapsed(&milliseconds, begin, end));
  return double{milliseconds} * 1e3;
}

} // namespace flexsn::test
