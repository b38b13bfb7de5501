#include "runtime/Program.h"

#include "runtime/CpuJit.h"
#include "runtime/Error.h"
#include "runtime/Log.h"
#include "runtime/ProgramBytes.h"
#include "runtime/ProgramFits.h"

#include <chrono>

namespace flexsn {

namespace {

/// Milliseconds since it was made, for the log.
class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Links the machine code. On failure null, with the loader's words in `error`.
std::shared_ptr<Program> load(CpuProgram &&compiled, std::string &error) {
  std::shared_ptr<const CpuCode> code = CpuCode::load(compiled.object, error);
  auto program = std::make_shared<Program>();
  if (code)
    program->kernel = code->function<CpuKernel>(compiled.kernelSymbol, error);
  if (program->kernel)
    program->prologue = code->function<CpuPrologue>(compiled.prologueSymbol, error);
  if (!program->prologue)
    return nullptr;
  if (!compiled.epilogueSymbol.empty()) {
    program->epilogue = code->function<CpuEpilogue>(compiled.epilogueSymbol, error);
    if (!program->epilogue)
      return nullptr;
  }
  program->params = std::move(compiled.params);
  program->operands = std::move(compiled.operands);
  program->gradParams = std::move(compiled.gradParams);
  program->invariantSlots = compiled.invariantSlots;
  program->tile = compiled.tile;
  program->width = compiled.width;
  program->workspaceBytes = compiled.workspaceBytes;
  program->every = compiled.every;
  program->sums = compiled.sums;
  program->sumStorage = compiled.sumStorage;
  program->code = std::move(code);
  return program;
}

/// "LIF inference f32 linear": which of a model's programs it is, as far as people tell them apart.
std::string labelOf(const Model &model, const Request &request) {
  return fmt::format("{} {} {} {}{}", model.name, kernelName(request.kernel), storageName(request.data),
                     layoutName(request.layout), request.streaming ? " streaming" : "");
}

} // namespace

std::shared_ptr<const Program> Program::fromCache(const std::string &key, const Model &model, const Request &request,
                                                  Cache &cache) {
  Stopwatch watch;
  std::optional<std::string> bytes = cache.get(key);
  if (!bytes)
    return nullptr;
  CpuProgram compiled;
  std::string error = "its program is no program of this version";
  std::shared_ptr<Program> program;
  if (deserialize(*bytes, compiled) && fits(compiled, model, request))
    program = load(std::move(compiled), error);
  if (!program) {
    cache.discard(key, error);
    return nullptr;
  }
  program->stored = true;
  log(LogLevel::Debug, "loaded from the disk cache in {:.1f} ms", watch.milliseconds());
  return program;
}

std::shared_ptr<const Program> Program::obtain(const std::string &key, const Model &model, const Request &request,
                                               Cache &cache) {
  if (auto program = fromCache(key, model, request, cache))
    return program;
  CacheClaim claim = cache.claim(key);
  if (claim) // another process may have been at work
    if (auto program = fromCache(key, model, request, cache))
      return program;

  Stopwatch watch;
  Diagnostics diagnostics(*model.source);
  CpuProgram compiled;
  if (!compileForCpu(model, request, diagnostics, compiled))
    failModel(findings(diagnostics));
  std::string label = labelOf(model, request);
  std::string bytes = serialize(compiled), error;
  std::shared_ptr<const Program> program = load(std::move(compiled), error);
  if (!program)
    fail(FLEXSN_ERROR_DEVICE, "{}: the {} kernel's machine code does not load: {}", model.name,
         kernelName(request.kernel), error);
  log(LogLevel::Debug, "{} compiled in {:.1f} ms", label, watch.milliseconds());
  cache.put({key, std::move(label), std::move(bytes)});
  return program;
}

} // namespace flexsn
