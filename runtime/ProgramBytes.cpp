#include "runtime/ProgramBytes.h"

#include "runtime/Bytes.h"

namespace flexsn {

/// Raised when the fields below change. The key's build id tells apart what differs in meaning alone.
static constexpr uint32_t version = 2;

static constexpr uint64_t roles = static_cast<uint64_t>(Role::GradParam) + 1,
                          storages = static_cast<uint64_t>(Storage::Bool) + 1;

void writeOperands(ByteWriter &writer, const std::vector<KernelOperand> &operands) {
  writer.number(operands.size(), 4);
  for (const KernelOperand &operand : operands) {
    const auto &[name, role, storage] = operand; // a new field does not compile before it is written
    writer.text(name);
    writer.number(static_cast<uint8_t>(role), 1);
    writer.number(static_cast<uint8_t>(storage), 1);
  }
}

std::vector<KernelOperand> readOperands(ByteReader &reader) {
  std::vector<KernelOperand> operands;
  uint64_t count = reader.number(4);
  for (uint64_t i = 0; i < count && reader.good(); ++i) { // a count that lies ends with the bytes
    std::string name(reader.text());
    Role role = static_cast<Role>(reader.below(roles, 1));
    operands.push_back({std::move(name), role, static_cast<Storage>(reader.below(storages, 1))});
  }
  return operands;
}

std::string serialize(const CpuProgram &program) {
  const auto &[object, kernelSymbol, prologueSymbol, epilogueSymbol, params, operands, gradParams, invariantSlots, tile,
               width, workspaceBytes, every, sums, sumStorage] = program;
  ByteWriter writer;
  writer.number(version, 4);
  writer.text(kernelSymbol);
  writer.text(prologueSymbol);
  writer.text(epilogueSymbol);
  writeOperands(writer, params);
  writeOperands(writer, operands);
  writeOperands(writer, gradParams);
  writer.number(invariantSlots, 4);
  writer.number(tile, 4);
  writer.number(width, 4);
  writer.number(workspaceBytes);
  writer.number(every, 4);
  writer.number(sums, 4);
  writer.number(static_cast<uint8_t>(sumStorage), 1);
  writer.text(object);
  return std::move(writer.bytes);
}

bool deserialize(std::string_view bytes, CpuProgram &program) {
  ByteReader reader(bytes);
  if (reader.number(4) != version)
    return false;
  CpuProgram made;
  made.kernelSymbol = reader.text();
  made.prologueSymbol = reader.text();
  made.epilogueSymbol = reader.text();
  made.params = readOperands(reader);
  made.operands = readOperands(reader);
  made.gradParams = readOperands(reader);
  made.invariantSlots = static_cast<unsigned>(reader.number(4));
  made.tile = static_cast<unsigned>(reader.number(4));
  made.width = static_cast<unsigned>(reader.number(4));
  made.workspaceBytes = reader.number();
  made.every = static_cast<unsigned>(reader.number(4));
  made.sums = static_cast<unsigned>(reader.number(4));
  made.sumStorage = static_cast<Storage>(reader.below(storages, 1));
  made.object = reader.text();
  // A tile of 0 would be an endless loop.
  if (!reader.finished() || made.tile == 0)
    return false;
  program = std::move(made);
  return true;
}

} // namespace flexsn
