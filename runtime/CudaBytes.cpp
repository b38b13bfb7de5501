#include "runtime/CudaBytes.h"

#include "runtime/Bytes.h"
#include "runtime/ProgramBytes.h"

namespace flexsn {

/// Raised when the fields below change. The key tells apart what differs in meaning alone.
static constexpr uint32_t version = 1;

std::string serialize(const CudaCode &code) {
  const auto &[text, kernelSymbol, prologueSymbol, params, operands, invariantSlots, neurons, chunk, threads, lines] =
      code.program; // a new field does not compile before it is written
  ByteWriter writer;
  writer.number(version, 4);
  writer.text(kernelSymbol);
  writer.text(prologueSymbol);
  writeOperands(writer, params);
  writeOperands(writer, operands);
  for (unsigned number : {invariantSlots, neurons, chunk, threads})
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
  program.kernelSymbol = reader.text();
  program.prologueSymbol = reader.text();
  program.params = readOperands(reader);
  program.operands = readOperands(reader);
  for (unsigned *number : {&program.invariantSlots, &program.neurons, &program.chunk, &program.threads})
    *number = static_cast<unsigned>(reader.number(4));
  made.release = reader.text();
  made.code = reader.text();
  // A launch divides by these.
  if (!reader.finished() || made.code.empty() || program.neurons == 0 || program.chunk == 0 || program.threads == 0)
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
