// A program of a model as a job for NVRTC.
#pragma once

#include "runtime/CudaCode.h"

namespace flexsn {

/// The job that compiles one program of `model` for sm_`arch`. The model must live until the job is done; `streaming`
/// and `target` of the request mean nothing here. The job's emit throws a Failure with the model's findings.
CudaJob cudaJob(const Model &model, const Request &request, AccessPath access, int arch,
                CudaForm form = CudaForm::Cubin);

} // namespace flexsn
