// How long a file of 2,000 lines takes to be parsed and checked: the best of 20 runs, printed. Not a test, for a busy
// machine would make it fail.
#include "compiler/frontend/Frontend.h"

#include <chrono>

using namespace flexsn;

static std::string longFile(unsigned lines) {
  std::string text;
  for (unsigned line = 0, model = 0; line < lines; ++model) {
    text += fmt::format("neuron N{}:\n  input x\n  state v = 0, w = 0\n  param tau = 2.0, v_th = 1.0\n", model);
    line += 4;
    for (unsigned i = 0; i < 40; ++i, ++line)
      text += fmt::format("  h{0} = v + (x - (v - 0.5*w))/tau + exp(-{0}*v) if v > {0} else max(w, v*{0})\n", i);
    text += "  s = spike(h39 - v_th)\n";
    for (unsigned i = 0; i < 39; ++i)
      text += fmt::format("  w = w + h{}\n", i);
    text += "  v = h39*(1 - s)\n  output s\n";
    line += 42;
  }
  return text;
}

int main() {
  const auto source = std::make_shared<const Source>("long.fsn", longFile(2000));
  double best = 1e9;
  size_t findings = 0, models = 0;
  for (int run = 0; run < 20; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    Diagnostics diagnostics(*source);
    const syntax::File file = parse(*source, diagnostics);
    models = check(source, file, {}, diagnostics).size();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    findings = diagnostics.sorted().size();
  }
  const auto lines = source->position(static_cast<uint32_t>(source->text().size())).line - 1;
  fmt::print("{} lines, {} bytes, {} models, {} findings: {:.2f} ms\n", lines, source->text().size(), models, findings,
             best);
  return models != 0 && findings == 0 ? 0 : 1;
}
