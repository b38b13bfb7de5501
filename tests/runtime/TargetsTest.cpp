// One program generated for several processors: the emulated ones, with instructions masked away, give the bits of this
// machine's own, for every type of data, side by side and strided.
#include "runtime/Cache.h"
#include "runtime/Invocation.h"
#include "tests/runtime/Support.h"

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

namespace flexsn::test {
namespace {

constexpr int64_t steps = 3, rows = 3, columns = 7; // 21 neurons: ragged for every vector
/// SSE2 alone; AVX2 and FMA, without AVX-512. This machine's own is the empty name.
const std::vector<std::string> processors = {"x86-64", "x86-64-v3"};

/// Dense memory of an operand as the C interface describes it; `transposed` swaps rows and columns.
struct Operand {
  Operand(Storage storage, bool sequence, bool transposed) : storage(storage) {
    shape = {steps, rows, columns};
    strides = {rows * columns, transposed ? 1 : columns, transposed ? rows : 1};
    if (!sequence) {
      shape.erase(shape.begin());
      strides.erase(strides.begin());
    }
    bytes.resize(static_cast<size_t>((sequence ? steps : 1) * rows * columns) * storageBytes(storage));
  }
  Operand(const Operand &) = delete;

  /// Any numbers of a moderate size.
  void fill(unsigned seed) {
    std::minstd_rand random(seed);
    for (size_t i = 0, item = storageBytes(storage); i < bytes.size(); i += item) {
      double number = static_cast<double>(random() % 4096) / 1024 - 0.75;
      auto put = [&](auto value) { std::memcpy(bytes.data() + i, &value, sizeof value); };
      auto narrow = static_cast<float>(number);
      uint32_t bits;
      std::memcpy(&bits, &narrow, sizeof bits);
      switch (storage) {
      case Storage::F64: put(number); break;
      case Storage::F32: put(narrow); break;
      case Storage::BF16: put(static_cast<uint16_t>(bits >> 16)); break;
      case Storage::F16: put(static_cast<uint16_t>(random() % 0x4200)); break; // up to 3, subnormals too
      case Storage::I32: put(static_cast<int32_t>(number)); break;
      default: put(static_cast<uint8_t>(random() % 2));
      }
    }
  }
  const DLTensor *tensor() {
    static constexpr DLDataType types[] = {{kDLFloat, 16, 1}, {kDLBfloat, 16, 1}, {kDLFloat, 32, 1}, {kDLFloat, 64, 1},
                                           {kDLInt, 8, 1},    {kDLInt, 32, 1},    {kDLBool, 8, 1}};
    view = {bytes.data(),
            {kDLCPU, 0},
            static_cast<int32_t>(shape.size()),
            types[static_cast<size_t>(storage)],
            shape.data(),
            strides.data(),
            0};
    return &view;
  }

  Storage storage;
  std::vector<int64_t> shape, strides;
  std::vector<uint8_t> bytes;
  DLTensor view{};
};

/// What a model's kernel for one processor writes, from the same operands each time.
std::vector<uint8_t> results(const Model &model, const RequestOptions &options, bool strided,
                             const std::string &processor) {
  std::vector<WantedOutput> outputs = wantedOutputs(model, options);
  std::vector<std::unique_ptr<Operand>> inputs, written, finals;
  std::vector<const DLTensor *> inputTensors, outputTensors;
  std::vector<flexsn_named> initialStates, finalStates;
  auto add = [](auto &list, Storage storage, bool sequence, bool transposed) {
    return list.emplace_back(std::make_unique<Operand>(storage, sequence, transposed)).get();
  };
  for (const Input &input : model.inputs) {
    Operand *operand = add(inputs, storageOf(input.value->type, options.data), true, strided && inputs.size() % 2 == 0);
    operand->fill(static_cast<unsigned>(inputs.size()));
    inputTensors.push_back(operand->tensor());
  }
  for (const WantedOutput &output : outputs)
    outputTensors.push_back(add(written, output.storage, true, false)->tensor());
  for (const State &state : model.states) {
    Operand *operand = add(finals, stateStorage(state.value->type, options.data), false, false);
    operand->fill(static_cast<unsigned>(100 + finals.size())); // its own initial state
    initialStates.push_back({state.value->name.c_str(), operand->tensor(), 0});
    finalStates.push_back(initialStates.back());
  }
  flexsn_call call{};
  call.struct_size = sizeof call;
  call.inputs = inputTensors.data();
  call.input_count = inputTensors.size();
  call.outputs = outputTensors.data();
  call.output_count = outputTensors.size();
  call.initial_states = initialStates.data();
  call.initial_state_count = initialStates.size();
  call.final_states = finalStates.data();
  call.final_state_count = finalStates.size();

  CallOperands operands = readCall({model, outputs, options.data}, call);
  EXPECT_EQ(operands.layout, strided ? Layout::Strided : Layout::Linear) << model.name;
  Request request = makeRequest(
      model, options, {.layout = operands.layout, .initial = operands.initialGiven, .final = operands.finalGiven});
  request.target.cpu = processor;
  static Cache none(CacheSettings{.mode = CacheMode::Off, .folder = {}, .problem = {}});
  auto program = Program::obtain(programKey(model, request), model, request, none);
  BoundCall bound = boundCall(*program, model, std::move(operands));
  Invocation(std::move(program), std::move(bound)).run();
  std::vector<uint8_t> all;
  for (const auto &list : {&written, &finals})
    for (const auto &operand : *list)
      all.insert(all.end(), operand->bytes.begin(), operand->bytes.end());
  return all;
}

/// Models of the zoo with an input, which decides the order.
std::vector<std::shared_ptr<const Model>> zoo() {
  std::ifstream file(FLEXSN_ZOO);
  std::stringstream text;
  text << file.rdbuf();
  auto source = std::make_shared<const Source>("zoo.fsn", text.str());
  Diagnostics diagnostics(*source);
  syntax::File parsed = parse(*source, diagnostics);
  std::vector<std::shared_ptr<const Model>> models = check(source, parsed, {}, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors());
  std::erase_if(models, [](const auto &model) { return model->inputs.empty(); });
  return models;
}

class Targets : public testing::TestWithParam<Storage> {};

TEST_P(Targets, GiveTheSameBits) {
  size_t covered = 0;
  for (const auto &model : zoo()) {
    RequestOptions options;
    options.data = GetParam();
    options.int8Outputs = covered % 4 == 0;
    Diagnostics diagnostics(*model->source);
    std::string unused;
    std::vector<bool> none(model->states.size());
    Request request = makeRequest(*model, options, {.initial = none, .final = none});
    if (!emit(*model, request, EmitForm::Mlir, "schedule", diagnostics, unused))
      continue; // not compiled yet
    if (++covered % 2 == 0)
      continue; // every second one: each is compiled six times a type
    for (bool strided : {false, true}) {
      std::vector<uint8_t> own = results(*model, options, strided, "");
      for (const std::string &processor : processors)
        EXPECT_EQ(results(*model, options, strided, processor), own)
            << model->name << (strided ? ", strided, " : ", ") << processor;
    }
  }
  EXPECT_GE(covered, 20U);
}

INSTANTIATE_TEST_SUITE_P(Types, Targets, testing::Values(Storage::F16, Storage::BF16, Storage::F32, Storage::F64),
                         [](const auto &info) { return std::string(storageName(info.param)); });

} // namespace
} // namespace flexsn::test
