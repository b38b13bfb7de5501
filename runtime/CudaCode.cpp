#include "runtime/CudaCode.h"

#include "runtime/Bytes.h"
#include "runtime/CudaBytes.h"
#include "runtime/Error.h"
#include "runtime/Hash.h"
#include "runtime/Log.h"
#include "runtime/SideBySide.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace flexsn {

namespace {

std::string archName(int arch) { return fmt::format("sm_{}", arch); }

/// What compiled code is kept under: all that decides its bytes.
std::string keyOf(const CudaJob &job, const std::string &release) {
  ByteWriter fields;
  fields.text("flexsn CUDA code 1");
  fields.text(job.key);
  fields.text(release);
  for (const std::string &option : nvrtcOptions(release, job.arch, job.form)) // form and arch are among them
    fields.text(option);
  return hexadecimal(sha256(fields.bytes));
}

std::optional<CudaCode> fromCache(const std::string &key, const CudaJob &job, Cache &cache) {
  std::optional<std::string> bytes = cache.get(key);
  if (!bytes)
    return std::nullopt;
  CudaCode code;
  if (!deserialize(*bytes, job.form, code)) {
    cache.discard(key, "its program is no program of this version");
    return std::nullopt;
  }
  code.stored = true;
  return code;
}

/// Throws unless the library compiles for the job's architecture.
void requireArch(const Nvrtc &nvrtc, int arch) {
  if (nvrtc.knows(arch))
    return;
  int oldest = nvrtc.archs().front(), newest = nvrtc.archs().back();
  std::string library = fmt::format("NVRTC {} ({})", nvrtc.version(), nvrtc.path()), advice;
  if (arch < oldest)
    advice = "an older NVRTC may know it: install the Python package nvidia-cuda-nvrtc-cu12, which begins at sm_50, "
             "and name its libnvrtc.so.12 by FLEXSN_NVRTC";
  else if (arch > newest)
    advice = fmt::format("install a newer CUDA toolkit, or Python package nvidia-cuda-nvrtc; until then PTX for {} "
                         "serves newer devices too, whose driver compiles it",
                         archName(newest));
  std::vector<std::string> known;
  for (int each : nvrtc.archs())
    known.push_back(archName(each));
  fail(FLEXSN_ERROR_DEVICE, "{} is not among the architectures that {} compiles for, which are {}{}{}", archName(arch),
       library, fmt::join(known, ", "), advice.empty() ? "" : "; ", advice);
}

CudaCode compileNow(const CudaJob &job, const Nvrtc &nvrtc) {
  CudaCode made;
  made.program = job.emit();
  std::string name = job.model + ".cu";
  NvrtcResult result = nvrtc.compile(made.program.text, name, job.arch, job.form);
  std::string about = fmt::format("{} for {}", job.label, archName(job.arch));
  if (!result.call.empty())
    fail(FLEXSN_ERROR_DEVICE, "{}: {} (NVRTC {}, {})\n{}", about, result.call, nvrtc.version(), nvrtc.path(),
         placeLog(result.log, name, made.program, *job.source));
  made.program.text.clear();
  made.program.lines.clear();
  made.code = std::move(result.code);
  if (job.form == CudaForm::Cubin) {
    std::optional<std::vector<CubinKernel>> kernels = readCubinOf(made.code, made.program.kernelSymbol);
    if (!kernels)
      fail(FLEXSN_ERROR_DEVICE, "{}: the cubin of NVRTC {} ({}) has no kernel that can be read", about, nvrtc.version(),
           nvrtc.path());
    made.kernels = std::move(*kernels);
  }
  return made;
}

} // namespace

CudaCode compileCuda(const CudaJob &job, NvrtcLoader &loader, Cache &cache) {
  bool keeps = cache.settings().mode != CacheMode::Off;
  if (keeps) {
    std::string release = loader.release(cache);
    if (!release.empty())
      if (std::optional<CudaCode> code = fromCache(keyOf(job, release), job, cache))
        return std::move(*code);
  }
  const Nvrtc &nvrtc = loader.get();
  requireArch(nvrtc, job.arch);
  // Nobody has to know the build where nothing is kept.
  std::string release = keeps ? loader.release(cache) : nvrtc.version(), key = keyOf(job, release);
  CacheClaim claim = cache.claim(key);
  if (claim) // another process may have been at work
    if (std::optional<CudaCode> code = fromCache(key, job, cache))
      return std::move(*code);
  auto begin = std::chrono::steady_clock::now();
  CudaCode code = compileNow(job, nvrtc);
  code.release = release;
  log(LogLevel::Debug, "{} for {} compiled in {:.1f} ms", job.label, archName(job.arch),
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  cache.put({key, fmt::format("{} {}", job.label, archName(job.arch)), serialize(code)});
  return code;
}

std::vector<CudaCode> compileCuda(std::span<const CudaJob> jobs, NvrtcLoader &loader, Cache &cache) {
  std::vector<CudaCode> codes(jobs.size());
  sideBySide(jobs.size(), [&](size_t i) { codes[i] = compileCuda(jobs[i], loader, cache); });
  return codes;
}

int parseCudaArch(std::string_view text) {
  int arch = 0;
  std::string_view digits = text.starts_with("sm_") ? text.substr(3) : "";
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), arch);
  std::string_view letter(end, static_cast<size_t>(digits.data() + digits.size() - end));
  if (error == std::errc() && (letter == "a" || letter == "f"))
    fail(FLEXSN_ERROR_ARGUMENT,
         "'{}': architectures with a letter are not supported; kernels use nothing of theirs, "
         "write sm_{}",
         printable(excerpt(text)), arch);
  bool whole = error == std::errc() && end == digits.data() + digits.size() && !digits.starts_with('0');
  if (!whole || digits.empty() || arch < 10 || arch > 999)
    fail(FLEXSN_ERROR_ARGUMENT, "'{}' is no architecture of a GPU; write sm_ and its number, as in sm_90",
         printable(excerpt(text)));
  return arch;
}

/// "LIF.cu(12): error: words" -> the number 12 and where the words begin; 0 for other lines.
static std::pair<unsigned, size_t> lineNumber(std::string_view line, std::string_view textName) {
  if (!line.starts_with(textName) || line.substr(textName.size(), 1) != "(")
    return {0, 0};
  const char *begin = line.data() + textName.size() + 1, *end = line.data() + line.size();
  unsigned number = 0;
  auto [rest, error] = std::from_chars(begin, end, number);
  bool ends = std::string_view(rest, end).starts_with("): ");
  return error == std::errc() && ends ? std::pair(number, static_cast<size_t>(rest - line.data()) + 3)
                                      : std::pair(0u, size_t{0});
}

std::string placeLog(std::string_view log, std::string_view textName, const CudaProgram &program,
                     const Source &source) {
  std::string placed;
  while (!log.empty()) {
    std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    auto [number, words] = lineNumber(line, textName);
    auto origin = std::lower_bound(program.lines.begin(), program.lines.end(), number,
                                   [](const LineOrigin &each, unsigned wanted) { return each.line < wanted; });
    if (number != 0 && origin != program.lines.end() && origin->line == number) {
      Position place = source.position(origin->span.begin);
      placed += fmt::format("{}:{}:{}: {} (line {} of {})\n", source.name(), place.line, place.column,
                            line.substr(words), number, textName);
    } else if (!line.empty()) {
      placed += fmt::format("{}\n", line);
    }
  }
  return placed;
}

} // namespace flexsn
