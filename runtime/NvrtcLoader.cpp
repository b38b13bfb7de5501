#include "runtime/NvrtcLoader.h"

#include "runtime/Bytes.h"
#include "runtime/Error.h"
#include "runtime/Hash.h"

#include <sys/stat.h>

namespace flexsn {

namespace {

/// A file as it was when it was looked at: another one in its place differs in some of these.
struct FileMark {
  std::string path;
  uint64_t size = 0, inode = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileMark &) const = default;

  static FileMark of(const std::string &path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
      return {path};
    return {path, static_cast<uint64_t>(status.st_size), status.st_ino, static_cast<uint64_t>(status.st_mtim.tv_sec),
            static_cast<uint64_t>(status.st_mtim.tv_nsec)};
  }
};

/// What the disk cache remembers of a search.
struct Note {
  FileMark mark;
  std::string release;

  std::string bytes() const {
    ByteWriter writer;
    writer.text(mark.path);
    for (uint64_t number : {mark.size, mark.inode, mark.seconds, mark.nanoseconds})
      writer.number(number);
    writer.text(release);
    return std::move(writer.bytes);
  }

  static std::optional<Note> from(std::string_view bytes) {
    ByteReader reader(bytes);
    Note note;
    note.mark.path = reader.text();
    for (uint64_t *number : {&note.mark.size, &note.mark.inode, &note.mark.seconds, &note.mark.nanoseconds})
      *number = reader.number();
    note.release = reader.text();
    return reader.finished() && !note.release.empty() ? std::optional(note) : std::nullopt;
  }
};

/// A note is found by what decides a search, so that users with other variables have other notes.
std::string noteKey(const NvrtcSearch &search) {
  ByteWriter fields;
  fields.text("flexsn NVRTC note 1");
  fields.text(search.named);
  fields.number(search.byName, 1);
  for (const std::string &folder : search.folders)
    fields.text(folder);
  return hexadecimal(sha256(fields.bytes));
}

} // namespace

NvrtcLoader &NvrtcLoader::ofProcess() {
  static auto *loader = new NvrtcLoader(NvrtcSearch::from(Environment::ofProcess()));
  return *loader;
}

NvrtcLoader::~NvrtcLoader() {
  delete opened.load();
  delete openedRelease.load();
}

/// Keeps what the first thread brings. Later ones bring the same, or something as good.
template <class T> static const T &keepFirst(std::atomic<const T *> &kept, std::unique_ptr<const T> mine) {
  const T *first = nullptr;
  return kept.compare_exchange_strong(first, mine.get()) ? *mine.release() : *first;
}

const Nvrtc *NvrtcLoader::find(std::vector<std::string> &tried) {
  if (const Nvrtc *known = opened.load())
    return known;
  std::unique_ptr<const Nvrtc> found = Nvrtc::find(search, tried);
  return found ? &keepFirst(opened, std::move(found)) : nullptr;
}

const Nvrtc &NvrtcLoader::get() {
  std::vector<std::string> tried;
  if (const Nvrtc *nvrtc = find(tried))
    return *nvrtc;
  std::string places = fmt::format("  {}\n", fmt::join(tried, "\n  "));
  if (!search.named.empty())
    fail(FLEXSN_ERROR_DEVICE, "FLEXSN_NVRTC names no NVRTC that can be used:\n{}", places);
  fail(FLEXSN_ERROR_DEVICE,
       "there is no NVRTC, which compiles CUDA C++; install the CUDA toolkit, or the Python package nvidia-cuda-nvrtc "
       "and name its libnvrtc.so.13 by FLEXSN_NVRTC; tried were:\n{}",
       places);
}

std::string NvrtcLoader::release(Cache &cache) {
  if (const std::string *known = openedRelease.load())
    return *known;
  std::string key = noteKey(search);
  std::optional<Note> note;
  if (std::optional<std::string> bytes = cache.get(key))
    note = Note::from(*bytes);
  if (!opened.load() && note && note->mark == FileMark::of(note->mark.path))
    return note->release;
  std::vector<std::string> tried;
  const Nvrtc *nvrtc = find(tried);
  if (!nvrtc)
    return note ? note->release : "";
  FileMark mark = FileMark::of(nvrtc->path());
  if (!note || note->mark != mark) {
    note = {mark, nvrtc->release()};
    cache.put({key, "NVRTC " + note->release, note->bytes()});
  }
  return keepFirst(openedRelease, std::make_unique<const std::string>(note->release));
}

} // namespace flexsn
