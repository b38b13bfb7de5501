// Names and sizes of the enumerations of Compile.h.
#include "compiler/CompileCuda.h"

#include "llvm/Support/ErrorHandling.h"

namespace flexsn {

size_t storageBytes(Storage storage) {
  switch (storage) {
  case Storage::I8:
  case Storage::Bool: return 1;
  case Storage::F16:
  case Storage::BF16: return 2;
  case Storage::F32:
  case Storage::I32: return 4;
  case Storage::F64: return 8;
  }
  llvm_unreachable("all storages are covered");
}

std::string_view storageName(Storage storage) {
  static constexpr std::string_view names[] = {"f16", "bf16", "f32", "f64", "i8", "i32", "bool"};
  return names[static_cast<size_t>(storage)];
}

std::string_view roleName(Role role) {
  static constexpr std::string_view names[] = {"param",      "input",      "initial",      "output",
                                               "final",      "lengths",    "checkpoint",   "grad_output",
                                               "grad_final", "grad_input", "grad_initial", "grad_param"};
  return names[static_cast<size_t>(role)];
}

bool isSequence(Role role) {
  return role == Role::Input || role == Role::Output || role == Role::GradOutput || role == Role::GradInput;
}

bool isWritten(Role role) {
  return role == Role::Output || role == Role::Final || role == Role::GradInput || role == Role::GradInitial ||
         role == Role::GradParam;
}

std::string_view layoutName(Layout layout) { return layout == Layout::Linear ? "linear" : "strided"; }

std::string_view kernelName(KernelKind kind) {
  static constexpr std::string_view names[] = {"inference", "final_state", "forward", "backward"};
  return names[static_cast<size_t>(kind)];
}

bool isTraining(KernelKind kind) { return kind == KernelKind::Forward || kind == KernelKind::Backward; }

std::string_view accessName(AccessPath access) { return access == AccessPath::Vector ? "vector" : "scalar"; }

} // namespace flexsn
