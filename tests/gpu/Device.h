// One GPU through the driver's interface, as far as these tests need it. Whatever fails throws with the call's name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace flexsn::test {

/// The driver's functions, loaded at run time.
struct DriverCalls;

/// The first GPU, with its primary context current in the thread that made this. One thread.
class Device {
public:
  Device();
  Device(const Device &) = delete;

  const std::string &name() const { return deviceName; }
  int arch() const { return deviceArch; }
  std::string driverVersion() const;
  void synchronize() const;

private:
  std::string deviceName;
  int deviceArch = 0;
};

/// Device memory of exactly these bytes, so that a memory checker sees the first byte behind it.
class Buffer {
public:
  explicit Buffer(size_t bytes);
  explicit Buffer(std::span<const std::byte> contents);
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer();

  void *data() const { return reinterpret_cast<void *>(address); }
  void read(std::span<std::byte> into) const;
  void write(std::span<const std::byte> contents) const;
  /// Copies the first `bytes` of another buffer, not waiting for the end.
  void copyFrom(const Buffer &other, size_t bytes) const;

private:
  uint64_t address = 0;
};

/// A loaded cubin.
class Module {
public:
  explicit Module(const std::string &cubin);
  Module(const Module &) = delete;
  ~Module();

  struct Facts {
    int registers, localBytes, sharedBytes;
  };
  /// What the driver says of a kernel.
  Facts facts(const std::string &symbol) const;
  /// Launches with the bytes of the kernel's one argument; does not wait.
  void launch(const std::string &symbol, unsigned blocks, unsigned threads, std::span<std::byte> argument) const;

private:
  void *function(const std::string &symbol) const;
  void *handle = nullptr;
};

/// Time between two points of the device's work.
class Timer {
public:
  Timer();
  Timer(const Timer &) = delete;
  ~Timer();
  void start() const;
  /// Waits; microseconds since `start`.
  double stop() const;

private:
  void *begin = nullptr, *end = nullptr;
};

} // namespace flexsn::test
