#include "runtime/CudaJob.h"

#include "runtime/Error.h"

namespace flexsn {

CudaJob cudaJob(const Model &model, const Request &request, AccessPath access, int arch, CudaForm form) {
  CudaJob job;
  job.key = cudaProgramKey(model, request, access);
  job.model = model.name;
  job.label = fmt::format("{} {} {} {} {}", model.name, kernelName(request.kernel), storageName(request.data),
                          layoutName(request.layout), accessName(access));
  job.source = model.source.get();
  job.arch = arch;
  job.form = form;
  job.emit = [&model, request, access] {
    Diagnostics diagnostics(*model.source);
    CudaProgram program;
    if (!emitCuda(model, request, access, diagnostics, program))
      failModel(findings(diagnostics));
    return program;
  };
  return job;
}

} // namespace flexsn
