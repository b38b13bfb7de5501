#include "tests/conformance/Archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace flexsn::conformance {

reference::Array StoredArray::cells() const {
  using reference::Cell;
  static const std::map<std::string, Cell> cells = {{"f4", Cell::F32},  {"f8", Cell::F64}, {"i4", Cell::I32},
                                                    {"b1", Cell::Bool}, {"f2", Cell::F16}, {"u2", Cell::BF16}};
  auto cell = cells.find(type);
  if (cell == cells.end())
    throw std::runtime_error(fmt::format("no cell holds NumPy's type {}", type));
  reference::Array array;
  array.cell = cell->second;
  array.bytes = bytes;
  return array;
}

namespace {

/// Little-endian fields of a zip archive, each read checked against its end.
class Bytes {
public:
  Bytes(const std::string &path) : path(path) {
    std::ifstream file(path, std::ios::binary);
    data.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || data.empty())
      fail("cannot be read");
  }
  uint64_t number(size_t at, size_t bytes) const {
    need(at, bytes);
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
      value = value << 8 | data[at + i];
    return value;
  }
  std::string text(size_t at, size_t bytes) const {
    need(at, bytes);
    return {data.begin() + static_cast<ptrdiff_t>(at), data.begin() + static_cast<ptrdiff_t>(at + bytes)};
  }
  const uint8_t *range(size_t at, size_t bytes) const {
    need(at, bytes);
    return data.data() + at;
  }
  size_t size() const { return data.size(); }
  [[noreturn]] void fail(const std::string &why) const { throw std::runtime_error(path + ": " + why); }

private:
  void need(size_t at, size_t bytes) const {
    if (at > data.size() || bytes > data.size() - at)
      fail("is cut short");
  }
  std::string path;
  std::vector<uint8_t> data;
};

/// Where the list of files begins, and how many there are: the end record is the last of its kind.
std::pair<size_t, size_t> directory(const Bytes &zip) {
  for (size_t at = zip.size() >= 22 ? zip.size() - 22 : 0; at > 0; --at)
    if (zip.number(at, 4) == 0x06054b50)
      return {zip.number(at + 16, 4), zip.number(at + 10, 2)};
  zip.fail("is no zip archive");
}

std::vector<uint8_t> inflated(const Bytes &zip, const uint8_t *packed, size_t packedSize, size_t size) {
  std::vector<uint8_t> result(size);
  z_stream stream{};
  stream.next_in = const_cast<uint8_t *>(packed);
  stream.avail_in = static_cast<uInt>(packedSize);
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(size);
  bool good = inflateInit2(&stream, -MAX_WBITS) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END;
  inflateEnd(&stream);
  if (!good || stream.total_out != size)
    zip.fail("holds a damaged array");
  return result;
}

/// The value of 'key' in the Python dictionary of a .npy header, up to `end`.
std::string field(const std::string &header, const std::string &key, char begin, char end) {
  size_t at = header.find(begin, header.find(key) + key.size() + 2) + 1;
  return header.substr(at, header.find(end, at) - at);
}

StoredArray parseArray(const Bytes &zip, const std::vector<uint8_t> &npy) {
  if (npy.size() < 10 || std::string(npy.begin() + 1, npy.begin() + 6) != "NUMPY" || npy[6] != 1)
    zip.fail("holds a file that is no .npy of version 1");
  size_t headerEnd = 10 + npy[8] + 256u * npy[9];
  if (headerEnd > npy.size())
    zip.fail("holds a .npy that is cut short");
  std::string header(npy.begin() + 10, npy.begin() + static_cast<ptrdiff_t>(headerEnd));
  if (header.find("'fortran_order': False") == std::string::npos)
    zip.fail("holds an array in Fortran order");
  StoredArray array;
  array.type = field(header, "'descr'", '\'', '\'').substr(1);
  std::string shape = field(header, "'shape'", '(', ')');
  for (size_t at = 0; at < shape.size(); at = std::min(shape.find(',', at), shape.size() - 1) + 1)
    if (shape.find_first_of("0123456789", at) != std::string::npos)
      array.shape.push_back(std::stoll(shape.substr(at)));
  array.bytes.assign(npy.begin() + static_cast<ptrdiff_t>(headerEnd), npy.end());
  return array;
}

} // namespace

std::map<std::string, StoredArray> readArchive(const std::string &path) {
  Bytes zip(path);
  auto [at, count] = directory(zip);
  std::map<std::string, StoredArray> arrays;
  for (size_t i = 0; i < count; ++i) {
    size_t method = zip.number(at + 10, 2), packed = zip.number(at + 20, 4), size = zip.number(at + 24, 4);
    size_t nameSize = zip.number(at + 28, 2), local = zip.number(at + 42, 4);
    std::string name = zip.text(at + 46, nameSize);
    at += 46 + nameSize + zip.number(at + 30, 2) + zip.number(at + 32, 2);
    const uint8_t *data = zip.range(local + 30 + zip.number(local + 26, 2) + zip.number(local + 28, 2), packed);
    if (method != 0 && method != 8)
      zip.fail("uses a compression other than deflate");
    std::vector<uint8_t> npy =
        method == 0 ? std::vector<uint8_t>(data, data + packed) : inflated(zip, data, packed, size);
    arrays[name.substr(0, name.rfind(".npy"))] = parseArray(zip, npy);
  }
  return arrays;
}

} // namespace flexsn::conformance
