#include "runtime/DriverFacts.h"

#include "runtime/ElfExtent.h"
#include "runtime/Symbols.h"

#include <fmt/format.h>

#include <dlfcn.h>

namespace flexsn {

namespace {

/// The driver's functions that are needed here, as cuda.h declares them; a result of 0 is success.
struct Driver {
  int (*getVersion)(int *) = nullptr;
  int (*init)(unsigned) = nullptr;
  int (*deviceCount)(int *) = nullptr;
  int (*deviceGet)(int *, int) = nullptr;
  int (*deviceName)(char *, int, int) = nullptr;
  int (*deviceAttribute)(int *, int, int) = nullptr;
  int (*deviceMemory)(size_t *, int) = nullptr;
  int (*errorName)(int, const char **) = nullptr;

  bool resolve(void *library) {
    Symbols symbols(library);
    symbols.find(getVersion, "cuDriverGetVersion");
    symbols.find(init, "cuInit");
    symbols.find(deviceCount, "cuDeviceGetCount");
    symbols.find(deviceGet, "cuDeviceGet");
    symbols.find(deviceName, "cuDeviceGetName");
    symbols.find(deviceAttribute, "cuDeviceGetAttribute");
    symbols.find(deviceMemory, "cuDeviceTotalMem_v2");
    symbols.find(errorName, "cuGetErrorName");
    return symbols.complete();
  }
};

constexpr int capabilityMajor = 75, capabilityMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*

class Survey {
public:
  Survey(const Driver &driver, DriverFacts &facts) : driver(driver), facts(facts) {}

  void run() {
    int version = 0, count = 0;
    if (!succeeds("cuDriverGetVersion", driver.getVersion(&version)))
      return;
    facts.version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    if (!succeeds("cuInit", driver.init(0)) || !succeeds("cuDeviceGetCount", driver.deviceCount(&count)))
      return;
    for (int i = 0; i < count; ++i)
      if (!add(i))
        return;
    if (count == 0)
      facts.problem = "cuDeviceGetCount: 0";
  }

private:
  bool add(int number) {
    CudaDevice device;
    int handle = 0, major = 0, minor = 0;
    char name[256] = "";
    size_t memory = 0;
    bool good = succeeds("cuDeviceGet", driver.deviceGet(&handle, number)) &&
                succeeds("cuDeviceGetName", driver.deviceName(name, sizeof name - 1, handle)) &&
                succeeds("cuDeviceGetAttribute", driver.deviceAttribute(&major, capabilityMajor, handle)) &&
                succeeds("cuDeviceGetAttribute", driver.deviceAttribute(&minor, capabilityMinor, handle)) &&
                succeeds("cuDeviceTotalMem", driver.deviceMemory(&memory, handle));
    if (good)
      facts.devices.push_back({name, 10 * major + minor, memory});
    return good;
  }

  bool succeeds(const char *call, int status) {
    const char *name = nullptr;
    if (status != 0 && driver.errorName(status, &name) == 0 && name)
      facts.problem = fmt::format("{}: {}", call, name);
    else if (status != 0)
      facts.problem = fmt::format("{}: error {}", call, status);
    return status == 0;
  }

  const Driver &driver;
  DriverFacts &facts;
};

} // namespace

DriverFacts driverFacts(const std::string &library) {
  DriverFacts facts;
  if (std::string fault = elfFault(library); !fault.empty()) {
    facts.problem = fmt::format("{}: {}", library, fault);
    return facts;
  }
  void *opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  Driver driver;
  if (!opened) {
    const char *why = dlerror();
    facts.problem = why ? why : library;
  } else if (!driver.resolve(opened)) {
    facts.problem = fmt::format("{} is no CUDA driver", library);
  } else {
    Survey(driver, facts).run(); // the library stays: a driver does not survive being unloaded
  }
  return facts;
}

} // namespace flexsn
