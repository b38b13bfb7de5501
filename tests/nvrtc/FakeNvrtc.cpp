// A library with NVRTC's functions that compiles nothing, so that tests decide what happens. FAKE_MAJOR.FAKE_MINOR is
// its version. A text with `refuse` is refused, with a log that names its second line; the "code" of another is the
// text behind the options. Texts with `code "..."` take what is quoted for the code's bytes in hexadecimal digits.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <string>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

struct Program {
  std::string source, name, code, log;
};
constexpr int archs[] = {90, 80, 75}; // in no order: nobody promises one
std::atomic<int> compilations{0};

std::string bytesOf(const std::string &digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

int give(const std::string &text, size_t *size) {
  *size = text.size();
  return 0;
}

} // namespace

/// How many programs this copy of the library was given to compile.
FAKE int fakeCompilations() { return compilations; }

FAKE int nvrtcVersion(int *major, int *minor) {
  *major = FAKE_MAJOR;
  *minor = FAKE_MINOR;
  return 0;
}
FAKE int nvrtcGetNumSupportedArchs(int *count) {
  *count = std::size(archs);
  return 0;
}
FAKE int nvrtcGetSupportedArchs(int *out) {
  std::memcpy(out, archs, sizeof archs);
  return 0;
}
FAKE int nvrtcCreateProgram(void **out, const char *source, const char *name, int, const char *const *,
                            const char *const *) {
  *out = new Program{source, name, "", ""};
  return 0;
}
FAKE int nvrtcCompileProgram(void *handle, int count, const char *const *options) {
  auto &program = *static_cast<Program *>(handle);
  ++compilations;
  if (program.source.find("refuse") != std::string::npos) {
    program.log = program.name + "(2): error: this is refused\n\n1 error detected.\n";
    return 6;
  }
  constexpr std::string_view quoted = "code \"";
  if (size_t at = program.source.find(quoted); at != std::string::npos) {
    size_t begin = at + quoted.size();
    program.code = bytesOf(program.source.substr(begin, program.source.find('"', begin) - begin));
    return 0;
  }
  for (int i = 0; i < count; ++i)
    program.code += options[i] + std::string("\n");
  program.code += "// release 1.2, V" + std::to_string(FAKE_MAJOR) + "." + std::to_string(FAKE_MINOR) + ".7\n";
  program.code += program.source;
  return 0;
}
FAKE int nvrtcDestroyProgram(void **program) {
  delete static_cast<Program *>(*program);
  *program = nullptr;
  return 0;
}
FAKE int nvrtcGetProgramLogSize(void *program, size_t *size) {
  return give(static_cast<Program *>(program)->log, size);
}
FAKE int nvrtcGetProgramLog(void *program, char *out) {
  const std::string &log = static_cast<Program *>(program)->log;
  std::memcpy(out, log.data(), log.size());
  return 0;
}
FAKE int nvrtcGetPTXSize(void *program, size_t *size) { return give(static_cast<Program *>(program)->code, size); }
FAKE int nvrtcGetPTX(void *program, char *out) {
  const std::string &code = static_cast<Program *>(program)->code;
  std::memcpy(out, code.data(), code.size());
  return 0;
}
FAKE int nvrtcGetCUBINSize(void *program, size_t *size) { return nvrtcGetPTXSize(program, size); }
#ifndef FAKE_INCOMPLETE // a library of that name that lacks a function
FAKE int nvrtcGetCUBIN(void *program, char *out) { return nvrtcGetPTX(program, out); }
#endif
FAKE const char *nvrtcGetErrorString(int status) { return status == 6 ? "NVRTC_ERROR_COMPILATION" : "some error"; }
