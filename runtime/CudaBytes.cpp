#include "runtime/CudaBytes.h"

#include "runtime/Bytes.h"
#include "runtime/ProgramBytes.h"

namespace flexsn {

/// Raised when the fields below change. The key tells apart what differs in meaning alone.
static constexpr uint32_t version = 3;

std::string serialize(const CudaCode &code) {
  const auto &[text, kernelSymbol, prologueSymbol, reduceSymbol, gatherSymbol, shareSymbol, epilogueSymbol, params,
               operands, gradParams, invariantSlots, neurons, chunk, every, sums, sumStorage, threads, lines] =
      code.program; // a new field does not compile before it is written
  ByteWriter writer;
  writer.number(version, 4);
  for (const std::string &symbol :
       {kernelSymbol, prologueSymbol, reduceSymbol, gatherSymbol, shareSymbol, epilogueSymbol})
    writer.text(symbol);
  for (const std::vector<KernelOperand> &list : {params, operands, gradParams})
    writeOperands(writer, list);
  for (unsigned number : {invariantSlots, neurons, chunk, every, sums, static_cast<unsigned>(sumStorage), threads})
    writer.number(number, 4);
  writer.text(code.release);
  writer.text(code.code);
  return std::move(writer.bytes);
}

bool deserialize(std::string_view bytes, CudaForm form, CudaCode &code) {
  ByteReader reader(bytes);
  if (reader.number(4) != version)
    return false;
  CudaCode made;
  CudaProgram &program = made.program;
  for (std::string *symbol : {&program.kernelSymbol, &program.prologueSymbol, &program.reduceSymbol,
                              &program.gatherSymbol, &program.shareSymbol, &program.epilogueSymbol})
    *symbol = reader.text();
  for (std::vector<KernelOperand> *list : {&program.params, &program.operands, &program.gradParams})
    *list = readOperands(reader);
  unsigned sumStorage = 0;
  for (unsigned *number : {&program.invariantSlots, &program.neurons, &program.chunk, &program.every, &program.sums,
                           &sumStorage, &program.threads})
    *number = static_cast<unsigned>(reader.number(4));
  bool sumsAreFloats =
      sumStorage == static_cast<unsigned>(Storage::F32) || sumStorage == static_cast<unsigned>(Storage::F64);
  program.sumStorage = static_cast<Storage>(sumStorage);
  made.release = reader.text();
  made.code = reader.text();
  // A launch divides by these.
  if (!reader.finished() || !sumsAreFloats || made.code.empty() || program.neurons == 0 || program.chunk == 0 ||
      program.threads == 0)
    return false;
  if (form == CudaForm::Cubin) {
    std::optional<std::vector<CubinKernel>> kernels = readCubinOf(made.code, program.kernelSymbol);
    if (!kernels)
      return false;
    made.kernels = std::move(*kernels);
  }
  code = std::move(made);
  return true;
}

} // namespace flexsn
