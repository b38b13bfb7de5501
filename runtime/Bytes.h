// Numbers and texts as bytes in a file: little-endian, texts behind their length. Reading trusts nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flexsn {

/// Appends to a string.
class ByteWriter {
public:
  void number(uint64_t value, unsigned width = 8) {
    for (unsigned i = 0; i < width; ++i)
      bytes += static_cast<char>(value >> (8 * i));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes += value;
  }
  void raw(std::string_view value) { bytes += value; }

  std::string bytes;
};

/// Takes bytes from the front. What is not there reads as zero or empty, and makes the reader fail for good.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}

  std::string_view raw(uint64_t size) {
    if (size > rest.size())
      failed = true;
    std::string_view taken = failed ? std::string_view() : rest.substr(0, size);
    rest.remove_prefix(taken.size());
    return taken;
  }
  uint64_t number(unsigned width = 8) {
    uint64_t value = 0;
    std::string_view taken = raw(width);
    for (size_t i = 0; i < taken.size(); ++i)
      value |= uint64_t{static_cast<uint8_t>(taken[i])} << (8 * i);
    return value;
  }
  std::string_view text() { return raw(number()); }
  /// A number that is one of [0, count), for enumerators.
  uint64_t below(uint64_t count, unsigned width) {
    uint64_t value = number(width);
    if (value >= count)
      failed = true;
    return failed ? 0 : value;
  }

  bool good() const { return !failed; }
  size_t left() const { return rest.size(); }
  /// Nothing was missing, and nothing is left.
  bool finished() const { return good() && rest.empty(); }

private:
  std::string_view rest;
  bool failed = false;
};

} // namespace flexsn
