// A library with the functions of the CUDA driver that are asked on the way to a list of devices: it has two, or what
// FAKE_INIT says.
#include <cstddef>
#include <cstring>

#define FAKE extern "C" __attribute__((visibility("default")))

FAKE int cuDriverGetVersion(int *version) {
  *version = 13020;
  return 0;
}
FAKE int cuInit(unsigned) { return FAKE_INIT; }
FAKE int cuDeviceGetCount(int *count) {
  *count = 2;
  return 0;
}
FAKE int cuDeviceGet(int *device, int number) {
  *device = 70 + number;
  return 0;
}
FAKE int cuDeviceGetName(char *name, int, int device) {
  std::strcpy(name, device == 70 ? "First" : "Second");
  return 0;
}
FAKE int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? (device == 70 ? 9 : 12) : attribute == 76 ? 0 : -1;
  return 0;
}
FAKE int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = static_cast<size_t>(device) << 30;
  return 0;
}
FAKE int cuGetErrorName(int status, const char **name) {
  *name = status == 100 ? "CUDA_ERROR_NO_DEVICE" : nullptr;
  return status == 100 ? 0 : 1;
}
