#include "runtime/Program.h"

#include "runtime/CpuJit.h"
#include "runtime/Error.h"

namespace flexsn {

std::shared_ptr<const Program> Program::compile(const Model &model, const Request &request) {
  Diagnostics diagnostics(*model.source);
  CpuProgram compiled;
  if (!compileForCpu(model, request, diagnostics, compiled))
    failModel(findings(diagnostics));

  std::string error;
  std::shared_ptr<const CpuCode> code = CpuCode::load(compiled.object, error);
  auto program = std::make_shared<Program>();
  if (code)
    program->kernel = code->function<CpuKernel>(compiled.kernelSymbol, error);
  if (program->kernel)
    program->prologue = code->function<CpuPrologue>(compiled.prologueSymbol, error);
  if (!program->prologue)
    fail(FLEXSN_ERROR_DEVICE, "{}: the {} kernel's machine code does not load: {}", model.name,
         kernelName(request.kernel), error);
  program->params = std::move(compiled.params);
  program->operands = std::move(compiled.operands);
  program->invariantSlots = compiled.invariantSlots;
  program->tile = compiled.tile;
  program->workspaceBytes = compiled.workspaceBytes;
  program->code = std::move(code);
  return program;
}

} // namespace flexsn
