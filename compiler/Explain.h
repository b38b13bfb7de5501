// What was decided about one kernel, as facts for people: what `flexsnc explain` shows. No MLIR header here.
#pragma once

#include "compiler/CompileCuda.h"

#include <optional>
#include <string>
#include <vector>

namespace flexsn {

struct ExplainedOperand {
  KernelOperand operand;
  std::vector<std::string> dims; ///< of a parameter that varies: "channel", ...
  bool used = true;              ///< an input that no step reads costs no memory traffic
};

enum class WorkKind : uint8_t { Arithmetic, Division, Function, Selection, Conversion, Integer };
std::string_view workKindName(WorkKind kind); ///< "arithmetic"

/// Operations of one name in one region.
struct WorkItem {
  std::string name; ///< "add", "div", "exp"
  WorkKind kind;
  unsigned count = 0;
  unsigned each = 1;     ///< operations of a vector that one becomes
  bool platform = false; ///< a call of the platform's function for each lane
};

/// Something worth knowing, with its place in the text if it has one.
struct Remark {
  std::string topic; ///< "division", "function", "spike", "unused"
  std::string text;
  std::optional<Span> span;
};

struct Explanation {
  std::vector<ExplainedOperand> operands;                   ///< params, inputs, initials, outputs, finals
  unsigned tile = 0, width = 0;                             ///< on a CPU
  unsigned neurons = 0, chunk = 0, threads = 0, blocks = 0; ///< on a GPU: V, C, of a block, of a multiprocessor
  unsigned dividing = 0;                                    ///< C of the loop that divides
  bool wide = false;                                        ///< computed in float64
  std::string scheduleReason;
  size_t workspaceBytes = 0;   ///< per thread
  unsigned invariantSlots = 0; ///< values that the prologue computes once a launch
  std::vector<WorkItem> prologue, init, step;
  std::vector<WorkItem> adjoint; ///< of a backward kernel, once a neuron and step
  unsigned every = 0;            ///< of a training kernel: steps between checkpoints; 0: there are none
  std::string plan;              ///< and why
  /// Bytes of a neuron and step if each operation of the step and its adjoint went through memory by itself, and if the
  /// step's results were all saved for the way back.
  size_t bytesAlone = 0, bytesSaved = 0;
  std::vector<Remark> remarks; ///< in the order of the text
};

/// Runs the pipeline up to the schedule and describes what has come out. Errors as compileForCpu.
bool explain(const Model &model, const Request &request, Diagnostics &diagnostics, Explanation &explanation);
/// The same for a GPU. Errors as emitCuda.
bool explainCuda(const Model &model, const Request &request, AccessPath access, Diagnostics &diagnostics,
                 Explanation &explanation);

} // namespace flexsn
