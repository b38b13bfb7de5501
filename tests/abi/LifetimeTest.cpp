// Who keeps what alive: nothing that is in use dies with the handle it came from.
#include "tests/abi/Support.h"

#include <memory>

namespace flexsn::test {
namespace {

TEST(Lifetime, AModelOutlivesItsTextAndFile) {
  auto text = std::make_unique<std::string>(lif);
  auto file = std::make_unique<File>(File::parse(*text));
  text.reset();
  Model model = file->model();
  file.reset();
  EXPECT_EQ(model.inputs()[0].name, "x");
  Options options; // checks the text again
  options.surrogate = "sigmoid";
  model.compile(Device::cpu(), options).prepare();
}

TEST(Lifetime, ABoundCallOutlivesItsNeuronItsModelAndItsArguments) {
  std::vector<float> x = currents(12), s(12), v(3, 0);
  auto model = std::make_unique<Model>(Model::parse(lif));
  auto neuron = std::make_unique<Neuron>(model->compile());
  model.reset();
  auto call = std::make_unique<Call>();
  call->inputs = {view(x, {4, 3})};
  call->outputs = {view(s, {4, 3})};
  call->initial_states = {{"v", 0.25}};
  call->final_states = {{"v", view(v, {3})}};
  Bound bound = neuron->bind(*call);
  neuron.reset();
  call.reset();
  ASSERT_TRUE(bound.run());
  EXPECT_EQ(s, expected(x, 4, 3, 2, 0.25f).s);
  EXPECT_EQ(v, expected(x, 4, 3, 2, 0.25f).v);
}

TEST(Lifetime, HandlesMove) {
  Neuron first = Model::parse(lif).compile();
  Neuron second = std::move(first);
  second.prepare();
  std::vector<float> x(3), s(3);
  Call call;
  call.inputs = {view(x, {3})};
  call.outputs = {view(s, {3})};
  std::vector<Bound> bounds;
  for (int i = 0; i < 10; ++i)
    bounds.push_back(second.bind(call));
  for (Bound &bound : bounds)
    EXPECT_TRUE(bound.run());
}

TEST(Lifetime, AnErrorOutlivesTheCallsAfterIt) {
  Error error = errorOf([] { Model::parse("neuron A:\n  input x\n  s = spke(x)\n  output s\n", "a.fsn"); });
  std::string message = error.message();
  Model::parse(lif);
  errorOf([] { Model::parse("nonsense"); });
  EXPECT_EQ(error.message(), message);
  EXPECT_EQ(error.diagnostics().at(0).file, "a.fsn");
}

} // namespace
} // namespace flexsn::test
