// A cubin is an ELF file: a kernel is a function symbol with a section `.text.NAME`. Its registers and its stack frame
// are attributes in `.nv.info`, its shared memory is the size of `.nv.shared.NAME`. NVIDIA does not document the
// attributes; a test compares with the words of ptxas for every architecture.
#include "runtime/Cubin.h"

#include "runtime/Bytes.h"

#include <algorithm>
#include <map>
#include <set>

namespace flexsn {

namespace {

constexpr uint64_t cudaMachine = 190;
constexpr uint64_t typeSymbols = 2; // SHT_SYMTAB
constexpr uint64_t functionSymbol = 2;
constexpr uint64_t entryFlag = 0x10; // STO_CUDA_ENTRY, in a symbol's `other`
constexpr uint32_t reservedShared = 1024;

/// The function that a kernel `$NAME` calls to reduce a large float64 argument of a sine, and the array that it fills.
constexpr std::string_view reductionSuffix = "$__internal_trig_reduction_slowpathd";
constexpr uint32_t reductionBytes = 40;

/// Attributes of `.nv.info`. Those with a size are followed by as many bytes: here {symbol, value}.
constexpr uint64_t formatSized = 4, attributeRegisters = 0x2f, attributeFrame = 0x11;

struct Section {
  std::string_view name, bytes;
  uint64_t type, size, link;
};

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return {};
  return bytes.substr(offset, size);
}

/// The text at an offset of a string table.
std::string_view textAt(std::string_view table, uint64_t offset) {
  std::string_view rest = part(table, offset, table.size() - std::min<uint64_t>(offset, table.size()));
  return rest.substr(0, rest.find('\0'));
}

/// Empty for what is no 64-bit little-endian ELF file of the CUDA machine.
std::vector<Section> readSections(std::string_view file) {
  ByteReader header(file);
  if (header.raw(6) != std::string_view("\177ELF\2\1", 6))
    return {};
  header.raw(12);
  if (header.number(2) != cudaMachine)
    return {};
  header.raw(20);
  uint64_t table = header.number();
  header.raw(10);
  uint64_t entrySize = header.number(2), count = header.number(2), nameTable = header.number(2);
  if (!header.good() || entrySize != 64)
    return {};
  ByteReader reader(part(file, table, count * entrySize));
  std::vector<Section> sections;
  std::vector<uint64_t> names;
  for (uint64_t i = 0; i < count; ++i) {
    names.push_back(reader.number(4));
    uint64_t type = reader.number(4);
    reader.raw(16); // flags, address
    uint64_t offset = reader.number(), size = reader.number(), link = reader.number(4);
    reader.raw(20); // info, alignment, entry size
    sections.push_back({{}, part(file, offset, size), type, size, link});
  }
  if (!reader.finished() || nameTable >= sections.size())
    return {};
  for (uint64_t i = 0; i < count; ++i)
    sections[i].name = textAt(sections[nameTable].bytes, names[i]);
  return sections;
}

/// By name, the first of each; found in time that does not grow with the square of what a file pretends to have.
using Named = std::map<std::string, const Section *, std::less<>>;

const Section *find(const Named &sections, std::string_view name) {
  auto at = sections.find(name);
  return at == sections.end() ? nullptr : at->second;
}

/// Kernels by the number of their symbol.
using Numbered = std::map<uint64_t, CubinKernel>;

/// The kernels, and into `reducing` the names of those that reduce arguments of a float64 sine.
Numbered readKernels(const std::vector<Section> &sections, std::set<std::string_view> &reducing) {
  Numbered kernels;
  auto symbols = std::find_if(sections.begin(), sections.end(), [](const Section &s) { return s.type == typeSymbols; });
  if (symbols == sections.end() || symbols->link >= sections.size())
    return kernels;
  ByteReader reader(symbols->bytes);
  for (uint64_t number = 0; reader.good() && reader.left() != 0; ++number) {
    std::string_view name = textAt(sections[symbols->link].bytes, reader.number(4));
    uint64_t info = reader.number(1), other = reader.number(1);
    reader.raw(18); // section, value, size
    if (!reader.good() || (info & 15) != functionSymbol)
      continue;
    if ((other & entryFlag) != 0)
      kernels[number].symbol = name;
    else if (name.starts_with('$') && name.ends_with(reductionSuffix))
      reducing.insert(name.substr(1, name.size() - reductionSuffix.size() - 1));
  }
  return kernels;
}

/// False if the attributes make no sense.
bool readAttributes(std::string_view bytes, Numbered &kernels) {
  ByteReader reader(bytes);
  while (reader.good() && reader.left() != 0) {
    uint64_t format = reader.number(1), attribute = reader.number(1), value = reader.number(2);
    if (format != formatSized)
      continue;
    ByteReader fields(reader.raw(value));
    auto at = kernels.find(fields.number(4));
    uint64_t amount = fields.number(4);
    if (at != kernels.end() && attribute == attributeRegisters)
      at->second.registers = static_cast<uint32_t>(amount);
    if (at != kernels.end() && attribute == attributeFrame)
      at->second.localBytes = static_cast<uint32_t>(amount);
  }
  return reader.good();
}

} // namespace

std::optional<std::vector<CubinKernel>> readCubin(std::string_view cubin) {
  std::vector<Section> sections = readSections(cubin);
  Named named;
  for (const Section &section : sections)
    named.try_emplace(std::string(section.name), &section);
  const Section *info = find(named, ".nv.info");
  std::set<std::string_view> reducing;
  Numbered numbered = readKernels(sections, reducing);
  if (!info || !readAttributes(info->bytes, numbered))
    return std::nullopt;
  uint64_t reserved = find(named, ".nv.shared.reserved.0") ? reservedShared : 0;
  std::vector<CubinKernel> kernels;
  for (auto &[number, kernel] : numbered) {
    if (kernel.registers == 0 || !find(named, ".text." + kernel.symbol))
      return std::nullopt; // the attributes are not where they were in every version up to now
    if (const Section *shared = find(named, ".nv.shared." + kernel.symbol))
      kernel.sharedBytes = static_cast<uint32_t>(shared->size - std::min(shared->size, reserved));
    if (reducing.contains(kernel.symbol))
      kernel.arrayBytes = std::min(kernel.localBytes, reductionBytes);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

const CubinKernel *findKernel(const std::vector<CubinKernel> &kernels, std::string_view symbol) {
  auto at = std::find_if(kernels.begin(), kernels.end(), [&](const CubinKernel &k) { return k.symbol == symbol; });
  return at == kernels.end() ? nullptr : &*at;
}

std::optional<std::vector<CubinKernel>> readCubinOf(std::string_view cubin, std::string_view symbol) {
  std::optional<std::vector<CubinKernel>> kernels = readCubin(cubin);
  return kernels && findKernel(*kernels, symbol) ? std::move(kernels) : std::nullopt;
}

} // namespace flexsn
