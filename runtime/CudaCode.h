// CUDA C++ to code for a GPU, by NVRTC or from the disk cache.
#pragma once

#include "compiler/CompileCuda.h"
#include "runtime/Cubin.h"
#include "runtime/NvrtcLoader.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace flexsn {

/// One program to compile.
struct CudaJob {
  std::string key;   ///< of all that decides the text
  std::string model; ///< its name: MODEL.cu stands for the text in messages and in a profiler
  std::string label; ///< which of the model's programs it is, for people: "LIF inference f32 linear vector"
  const Source *source;
  int arch; ///< 90 for sm_90
  CudaForm form = CudaForm::Cubin;
  std::function<CudaProgram()> emit; ///< makes the text; called only if no cache has the program. May throw a Failure
};

/// A program that a driver can load, and how it is launched.
struct CudaCode {
  CudaProgram program; ///< without `text` and `lines`
  std::string code;    ///< the cubin, or PTX
  std::string release; ///< of the NVRTC that made it: "13.0.88"; without a disk cache "13.0"
  bool stored = false; ///< came from the disk cache: nothing was compiled

  /// Of a cubin: what its machine code takes, in the order of its symbols.
  std::vector<CubinKernel> kernels;
};

/// The code of a job. Throws a Failure: the emitter's; no NVRTC; an arch that it does not know, with those it does; its
/// refusal of the text, with the call, the log, and lines of the model in place of lines of the text where that can be
/// said. A failure leaves nothing in the cache. Thread-safe.
CudaCode compileCuda(const CudaJob &job, NvrtcLoader &loader, Cache &cache);

/// As many jobs side by side as there are processors. Of several failures the first job's is thrown.
std::vector<CudaCode> compileCuda(std::span<const CudaJob> jobs, NvrtcLoader &loader, Cache &cache);

/// 90 for "sm_90". Throws a Failure for other texts.
int parseCudaArch(std::string_view text);

/// NVRTC's words about a text, each line that names a line of the text with the place in the model that it was made of.
std::string placeLog(std::string_view log, std::string_view textName, const CudaProgram &program, const Source &source);

} // namespace flexsn
