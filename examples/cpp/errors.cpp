// What can go wrong, and what the program then knows: every mistake of a text with its place and its fix, and calls
// that are refused before anything runs.
#include <flexsn/flexsn.hpp>

#include <cstdio>

namespace {

constexpr const char *wrong = R"(neuron LIF:
  input x
  state v = 0
  param tau = 2.0
  h = v + (x - v) / tua
  s = spike(h - 1.0)
  v = h * (1 - s) && h < 2
  output s
)";

/// A text with mistakes: one exception has them all.
void mistakesOfText() {
  try {
    flexsn::Model::parse(wrong, "lif.fsn");
  } catch (const flexsn::Error &error) {
    std::printf("%zu findings\n", error.diagnostics().size());
    for (const flexsn::Diagnostic &found : error.diagnostics()) {
      std::printf("line %u, column %u: %s\n", found.line, found.column, found.message.c_str());
      if (found.fix)
        std::printf("  write '%s' there\n", found.fix->text.c_str());
    }
    std::printf("\nas people read them:\n%s\n", error.what()); // with source line and caret
  }
}

const char *kindOf(flexsn::Code code) {
  switch (code) {
  case flexsn::Code::value: return "value";
  case flexsn::Code::type: return "type";
  case flexsn::Code::unsupported: return "not supported";
  default: return "other";
  }
}

/// Runs a call that is expected to be refused.
void refused(const char *what, const flexsn::Neuron &neuron, const flexsn::Call &call) {
  try {
    neuron.inference(call);
    std::printf("%s: nobody objected\n", what);
  } catch (const flexsn::Error &error) {
    std::printf("%s (%s):\n  %s\n", what, kindOf(error.code()), error.what());
  }
}

/// Operands are checked by name, shape and type; nothing is written before all of them fit.
void mistakesOfCalls() {
  const flexsn::Neuron lif = flexsn::Model::shipped("LIF").compile();
  std::vector<float> x(6), s(6), few(4);
  std::vector<double> doubles(6);
  flexsn::Call good;
  good.inputs = {flexsn::view(x, {3, 2})};
  good.outputs = {flexsn::view(s, {3, 2})};
  lif.inference(good);

  flexsn::Call call = good;
  call.outputs = {flexsn::view(few, {2, 2})};
  refused("too small an output", lif, call);
  call = good;
  call.inputs = {flexsn::view(doubles, {3, 2})};
  refused("numbers of another type", lif, call);
  call = good;
  call.outputs = good.inputs;
  refused("an output over the input", lif, call);
  call = good;
  call.params = {{"tua", 2.0}};
  refused("a parameter that is none", lif, call);
}

} // namespace

int main() {
  mistakesOfText();
  mistakesOfCalls();
}
