// Keys of programs: all that decides the machine code, and no value, size or stride.
#include "compiler/Compile.h"
#include "compiler/CompileCuda.h"

#include "compiler/BuildId.h"
#include "compiler/emit/cpu/CpuEmitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SHA256.h"

namespace flexsn {

namespace {

/// Hashes fields with their lengths, so that no two lists of fields run together into the same bytes.
class KeyHash {
public:
  void add(std::string_view field) {
    uint8_t length[8];
    for (unsigned i = 0; i < 8; ++i)
      length[i] = static_cast<uint8_t>(uint64_t{field.size()} >> (8 * i));
    hash.update(llvm::ArrayRef(length));
    hash.update(llvm::StringRef(field.data(), field.size()));
  }

  void add(const std::vector<std::string> &fields) {
    add(std::to_string(fields.size()));
    for (const std::string &field : fields)
      add(field);
  }

  std::string hex() { return llvm::toHex(hash.final(), /*LowerCase=*/true); }

private:
  llvm::SHA256 hash;
};

/// Raised when the fields below change their meaning.
constexpr std::string_view schema = "flexsn program 2", cudaSchema = "flexsn CUDA program 2";

std::string_view mathName(MathMode mode) {
  static constexpr std::string_view names[] = {"standard", "strict", "fast"};
  return names[static_cast<size_t>(mode)];
}

/// What decides a program for every target.
void add(KeyHash &hash, const Model &model, const Request &request) {
  hash.add(print(model, /*keyOnly=*/true));
  hash.add(kernelName(request.kernel));
  hash.add(storageName(request.data));
  hash.add(mathName(request.math));
  hash.add(layoutName(request.layout));
  hash.add(request.outputs);
  hash.add(request.int8Outputs);
  hash.add(request.initialStates);
  hash.add(request.finalStates);
  for (const auto *names : {&request.gradFinals, &request.gradInputs, &request.gradInitials, &request.gradParams})
    hash.add(*names);
}

} // namespace

std::string programKey(const Model &model, const Request &request) {
  KeyHash hash;
  hash.add(schema);
  add(hash, model, request);
  hash.add(request.streaming ? "streaming" : "cached");
  Target target = cpu::resolveTarget(request.target);
  hash.add(target.cpu);
  hash.add(target.features);
  hash.add(llvmVersion());
  hash.add(buildId());
  return hash.hex();
}

std::string cudaProgramKey(const Model &model, const Request &request, AccessPath access) {
  KeyHash hash;
  hash.add(cudaSchema);
  add(hash, model, request);
  hash.add(accessName(access));
  hash.add(buildId());
  return hash.hex();
}

Target hostTarget() { return cpu::resolveTarget({}); }

std::string targetProblem(const Target &target) { return cpu::checkTarget(target); }

std::string_view buildId() { return buildIdText; }

std::string_view llvmVersion() { return LLVM_VERSION_STRING; }

} // namespace flexsn
