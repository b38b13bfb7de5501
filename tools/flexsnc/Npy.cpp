#include "tools/flexsnc/Npy.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace flexsn::cli {

static constexpr std::string_view npyMagic = "\x93NUMPY";
static constexpr size_t headerLimit = 65536; // numpy.load itself stops at 10,000

static void readExactly(const ReadBytes &read, char *data, size_t size, const std::string &name, const char *what) {
  size_t count = read(data, size);
  if (count != size)
    failWrong(fmt::format("'{}' is cut off: {} of {} bytes of its {} are there", name, count, size, what));
}

static std::string readHeader(const ReadBytes &read, const std::string &name) {
  char prefix[8];
  size_t count = read(prefix, sizeof prefix);
  std::string_view magic(prefix, std::min(count, npyMagic.size()));
  if (count >= 2 && std::string_view(prefix, 2) == "PK")
    failWrong(fmt::format("'{}' is an .npz archive; expected one .npy array", name),
              "save the array alone with numpy.save");
  if (magic != npyMagic)
    failWrong(fmt::format("'{}' is no .npy file: it does not begin with \\x93NUMPY", name),
              "arrays are read as numpy.save writes them");
  if (count != sizeof prefix)
    failWrong(fmt::format("'{}' is cut off within its first 8 bytes", name));
  int major = static_cast<unsigned char>(prefix[6]), minor = static_cast<unsigned char>(prefix[7]);
  if (major < 1 || major > 3 || minor != 0)
    failWrong(fmt::format("'{}' has .npy version {}.{}; versions 1.0, 2.0 and 3.0 are read", name, major, minor));
  unsigned char lengthBytes[4] = {0, 0, 0, 0};
  readExactly(read, reinterpret_cast<char *>(lengthBytes), major == 1 ? 2 : 4, name, "header length");
  size_t length =
      lengthBytes[0] | size_t(lengthBytes[1]) << 8 | size_t(lengthBytes[2]) << 16 | size_t(lengthBytes[3]) << 24;
  if (length > headerLimit)
    failWrong(fmt::format("'{}' claims a header of {} bytes; at most {} are read", name, grouped(length),
                          grouped(headerLimit)));
  std::string header(length, '\0');
  readExactly(read, header.data(), length, name, "header");
  return header;
}

/// Reads the elements in pieces, so that a claimed size costs memory only as far as the bytes are there.
static std::vector<char> readData(const ReadBytes &read, uint64_t size, const NpyHeader &header,
                                  const std::string &name) {
  constexpr uint64_t piece = uint64_t(16) << 20;
  std::vector<char> bytes;
  while (bytes.size() < size) {
    size_t begin = bytes.size();
    size_t wanted = static_cast<size_t>(std::min<uint64_t>(size - begin, piece));
    try {
      bytes.resize(begin + wanted);
    } catch (const std::bad_alloc &) {
      throw Failure(ExitStatus::Failed,
                    fmt::format("out of memory for '{}', whose data takes {}", name, bytesText(size)));
    }
    size_t count = read(bytes.data() + begin, wanted);
    if (count != wanted)
      failWrong(fmt::format("'{}' is cut off: shape {} of {} needs {} bytes of data, {} are there", name,
                            shapeText(header.shape), elementName(header.element), grouped(size),
                            grouped(begin + count)));
  }
  char extra;
  if (read(&extra, 1) != 0)
    failWrong(fmt::format("'{}' goes on after its array: shape {} of {} needs {} bytes of data", name,
                          shapeText(header.shape), elementName(header.element), grouped(size)));
  return bytes;
}

static void checkBools(const Array &array, const std::string &name) {
  auto bad = std::find_if(array.bytes.begin(), array.bytes.end(), [](char byte) { return byte != 0 && byte != 1; });
  if (bad != array.bytes.end())
    failWrong(fmt::format("'{}' is of type b1, but byte {} of its data is {}; a bool is 0 or 1", name,
                          bad - array.bytes.begin(), static_cast<unsigned char>(*bad)));
}

Array readNpy(const ReadBytes &read, const std::string &name) {
  NpyHeader header = parseNpyHeader(readHeader(read, name), name);
  uint64_t size = 0;
  if (!arrayBytes(header.element, header.shape, size))
    failWrong(fmt::format("'{}' claims the shape {}, which no memory holds", name, shapeText(header.shape)));
  Array array{header.element, header.shape, readData(read, size, header, name)};
  if (array.element == Element::Bool)
    checkBools(array, name);
  array.fortranOrder = header.fortranOrder && header.shape.size() > 1;
  return array;
}

Array readNpyFile(const std::string &path) {
  InputFile file(path);
  return readNpy([&](char *data, size_t size) { return file.read(data, size); }, file.name());
}

std::string npyBytes(const Array &array) {
  bool single = elementBytes(array.element) == 1;
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}{}), }}", single ? '|' : '<',
                                   elementName(array.element), array.fortranOrder ? "True" : "False",
                                   fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  // The data begins at a multiple of 64 bytes, for those who map the file.
  constexpr size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(npyMagic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  bytes += header;
  bytes.append(array.bytes.data(), array.bytes.size());
  return bytes;
}

} // namespace flexsn::cli
