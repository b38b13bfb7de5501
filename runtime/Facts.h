// What `explain` tells through the C interface: the compiler's facts as rows.
#pragma once

#include "compiler/Explain.h"
#include "runtime/CudaCode.h"
#include "runtime/Request.h"

#include <array>
#include <string>
#include <vector>

namespace flexsn {

/// One row; see flexsn_fact.
struct Fact {
  std::string name, category, detail;
  double value = 0;
  Position begin{0, 0}, end{0, 0};
};

class Facts {
public:
  /// Compiles `model` up to its schedule; for a GPU, that is, an `arch` such as sm_90, on to machine code, where there
  /// is an NVRTC. Throws a Failure, as emitText.
  Facts(const Model &model, const RequestOptions &options, const flexsn_emit_options *given);

  /// The rows of a kind; null for an unknown one.
  const std::vector<Fact> *ofKind(int32_t kind) const;

private:
  std::vector<Fact> &rows(flexsn_fact_kind kind) { return all[kind]; }
  void addOperands(const Explanation &explanation);
  void addStates(const Model &model, const RequestOptions &options);
  void addSchedule(const Explanation &explanation, Layout layout);
  void addLimit(const Explanation &explanation);
  void addCode(const CudaJob &job);
  void addMemory(const Explanation &explanation);
  void addWork(const std::vector<WorkItem> &items, flexsn_fact_kind kind);
  void addRemarks(const Explanation &explanation, const Source &source);

  std::array<std::vector<Fact>, FLEXSN_FACT_ADJOINT + 1> all;
};

} // namespace flexsn
