#include "runtime/ElfExtent.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include <elf.h>
#include <sys/stat.h>

namespace flexsn {

namespace {

/// `count` entries of `size` bytes from `offset` on end within `fileSize` bytes.
bool fits(uint64_t fileSize, uint64_t offset, uint64_t count, uint64_t size) {
  return offset <= fileSize && (size == 0 || count <= (fileSize - offset) / size);
}

std::string truncated(uint64_t size) { return fmt::format("is cut off: it ends after {} bytes", size); }

/// `T` at an offset of the file, if the file goes that far.
template <class T> std::optional<T> readAt(std::ifstream &file, uint64_t offset) {
  T value{};
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char *>(&value), sizeof value))
    return std::nullopt;
  return value;
}

} // namespace

std::string elfFault(const std::string &path) {
  if (path.find('/') == std::string::npos)
    return {};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0)
    return {};
  if (!S_ISREG(status.st_mode)) // to open a fifo would take for ever
    return "is no file";
  auto size = static_cast<uint64_t>(status.st_size);
  std::ifstream file(path, std::ios::binary);
  std::optional<Elf64_Ehdr> header = readAt<Elf64_Ehdr>(file, 0);
  constexpr unsigned char order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != order)
    return {};
  if (!fits(size, header->e_phoff, header->e_phnum, sizeof(Elf64_Phdr)) ||
      !fits(size, header->e_shoff, header->e_shnum, header->e_shentsize))
    return truncated(size);
  for (uint64_t i = 0; i < header->e_phnum; ++i) {
    std::optional<Elf64_Phdr> segment = readAt<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || !fits(size, segment->p_offset, segment->p_filesz, 1))
      return truncated(size);
  }
  return {};
}

} // namespace flexsn
