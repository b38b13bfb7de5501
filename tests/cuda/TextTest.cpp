// The emitted text itself: whole texts under review, what leaves no trace in it, and where its lines come from.
#include "compiler/CompileCuda.h"
#include "compiler/emit/cuda/CodeText.h"
#include "compiler/emit/cuda/Literals.h"
#include "compiler/emit/cuda/Names.h"
#include "tests/compiler/Testing.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

namespace flexsn {
namespace {

using namespace testing;

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

CudaProgram emitted(const Model &model, const Request &request, AccessPath access = AccessPath::Vector) {
  Diagnostics diagnostics(*model.source);
  CudaProgram program;
  EXPECT_TRUE(emitCuda(model, request, access, diagnostics, program))
      << fmt::format("{}", fmt::join(errors(diagnostics), "\n"));
  return program;
}

/// FLEXSN_UPDATE_GOLDEN=1 writes the files anew, for review.
TEST(CudaText, WholeTextsAreAsReviewed) {
  std::string text = readFile(FLEXSN_SOURCE_DIR "/tests/cuda/golden/models.fsn");
  auto source = std::make_shared<const Source>("models.fsn", text);
  Diagnostics diagnostics(*source);
  syntax::File parsed = parse(*source, diagnostics);
  auto models = check(source, parsed, {}, diagnostics);
  ASSERT_EQ(models.size(), 3u);
  for (const auto &model : models) {
    Request request;
    for (const Output &output : model->outputs)
      request.outputs.push_back(output.name);
    if (model->name == "Izhikevich") {
      request.data = Storage::BF16;
      request.layout = Layout::Strided;
      request.initialStates = request.finalStates = {"v", "u"};
    }
    std::string found = emitted(*model, request).text;
    std::string path = fmt::format("{}/tests/cuda/golden/{}.cu", FLEXSN_SOURCE_DIR, model->name);
    if (std::getenv("FLEXSN_UPDATE_GOLDEN"))
      std::ofstream(path, std::ios::binary) << found;
    EXPECT_EQ(found, readFile(path)) << model->name;
  }
}

TEST(CudaText, TrainingTextsAreAsReviewed) {
  std::string text = readFile(FLEXSN_SOURCE_DIR "/examples/models/PLIF.fsn");
  auto source = std::make_shared<const Source>("PLIF.fsn", text);
  Diagnostics diagnostics(*source);
  syntax::File parsed = parse(*source, diagnostics);
  std::shared_ptr<const Model> model = check(source, parsed, {}, diagnostics).front();
  Request request = spikes();
  request.gradInputs = {"x"};
  request.gradParams = {model->params.front().operandName()};
  for (KernelKind kernel : {KernelKind::Forward, KernelKind::Backward}) {
    request.kernel = kernel;
    std::string found = emitted(*model, request).text;
    std::string path = fmt::format("{}/tests/cuda/golden/{}_{}.cu", FLEXSN_SOURCE_DIR, model->name, kernelName(kernel));
    if (std::getenv("FLEXSN_UPDATE_GOLDEN"))
      std::ofstream(path, std::ios::binary) << found;
    EXPECT_EQ(found, readFile(path)) << path;
  }
}

TEST(CudaText, CommentsBlankLinesAndSemicolonsLeaveNoTrace) {
  const std::string plain = "neuron M:\n  input x\n  state v = 0\n  h = v + x\n  s = spike(h - 1)\n  v = h*(1 - s)\n  "
                            "output s\n";
  const std::string other =
      "# a neuron\nneuron M:\n  input x; state v = 0  # both\n\n\n  h = (v + x); s = spike(h - 1.0)"
      "\n\n  v = h * (1-s)\n  output s # the end\n\n";
  EXPECT_EQ(emitted(*checked(plain), spikes()).text, emitted(*checked(other), spikes()).text);
}

TEST(CudaText, ThreadsPrintTheSame) {
  std::shared_ptr<const Model> model = checked(lif);
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string &text : texts)
    threads.emplace_back([&] { text = emitted(*model, spikes()).text; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    EXPECT_EQ(text, texts.front());
}

TEST(CudaText, DescribesTheProgram) {
  Request request = spikes();
  request.initialStates = request.finalStates = {"v"};
  CudaProgram program = emitted(*checked(lif), request, AccessPath::Scalar);
  EXPECT_EQ(program.kernelSymbol, "LIF_inference");
  EXPECT_EQ(program.prologueSymbol, "LIF_inference_prologue");
  EXPECT_EQ(program.invariantSlots, 2u);
  EXPECT_EQ(program.params.size(), 3u);
  EXPECT_EQ(program.operands.size(), 4u);
  EXPECT_EQ(program.neurons * program.chunk, 32u);
  EXPECT_EQ(program.threads, 128u);
  EXPECT_EQ(program.text.find("#include"), std::string::npos);
  EXPECT_EQ(program.text.find("double "), program.text.find("double wide")) << "the prelude's conversions alone";
}

/// By a constant: a product where its reciprocal is exact, else the product refined, in the one loop that there is.
TEST(CudaText, DivisionsByConstants) {
  auto textOf = [](std::string_view divisor) {
    return emitted(*checked(fmt::format("neuron M:\n  input x\n  param p = 3\n  state v = 0\n  v = v + (x - v) / {}\n"
                                        "  output v\n",
                                        divisor)),
                   [] {
                     Request request;
                     request.outputs = {"v"};
                     return request;
                   }())
        .text;
  };
  auto has = [](const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; };
  std::string three = textOf("3"), four = textOf("4"), both = textOf("3 / p"), odd = textOf("1e-30");
  EXPECT_TRUE(has(three, "divide<false>(in.x - state.v, 3.f, 0.33333334f)")) << three;
  EXPECT_TRUE(has(three, "plainQuotient") && has(three, "divides = false"));
  EXPECT_TRUE(has(four, "(in.x - state.v) * 0.25f") && !has(four, "plainQuotient")) << four;
  EXPECT_TRUE(has(both, "divide<false>(") && has(both, "divide<exact>(") && has(both, "divides = true")) << both;
  EXPECT_TRUE(has(odd, "(in.x - state.v) / 1e-30f") && !has(odd, "plainQuotient")) << "its reciprocal is of no use";
}

/// Lines that their parts make long: names, many divisors, a statement without a space.
TEST(CudaText, LinesEnd) {
  std::string params, sum = "x", nested = "x";
  for (int i = 0; i < 24; ++i) {
    params += fmt::format("  param a_name_of_some_length_{} = 3\n", i);
    sum = fmt::format("{} / a_name_of_some_length_{}", sum, i);
    nested = fmt::format("tanh({})", nested);
  }
  Request request;
  request.outputs = {"result_of_a_long_chain_of_divisions_by_parameters", "y"};
  std::string text =
      emitted(*checked(fmt::format("neuron M:\n  input x\n{}  result_of_a_long_chain_of_divisions_by_parameters = {}\n"
                                   "  y = {}\n  output result_of_a_long_chain_of_divisions_by_parameters, y\n",
                                   params, sum, nested)),
              request)
          .text;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    EXPECT_LE(line.size(), cuda::CodeText::limit) << line;
  EXPECT_NE(text.find("// y =\n    //   tanh(tanh("), std::string::npos) << text;
}

/// What templates call by a name of one letter gives way to the model's.
TEST(CudaText, ShortNamesStay) {
  Request request;
  request.outputs = {"s"};
  std::string text = emitted(*checked("neuron M:\n  input k, V, from\n  s = k + V + from\n  output s\n"), request).text;
  EXPECT_NE(text.find("in.k + in.V + in.from"), std::string::npos) << text;
  EXPECT_NE(text.find("Inputs of(int k_2) const { return {k[k_2], V[k_2], from[k_2]}; }"), std::string::npos) << text;
}

TEST(CudaText, LinesKnowTheirStatements) {
  std::shared_ptr<const Model> model = checked(lif);
  CudaProgram program = emitted(*model, spikes());
  std::vector<std::string> lines;
  std::istringstream stream(program.text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  unsigned last = 0;
  std::vector<std::string> found;
  for (const LineOrigin &origin : program.lines) {
    EXPECT_GE(origin.line, last);
    last = origin.line;
    std::string place =
        std::string(model->source->text().substr(origin.span.begin, origin.span.end - origin.span.begin));
    found.push_back(fmt::format("{} <- {}", lines.at(origin.line - 1), place));
  }
  EXPECT_NE(std::find(found.begin(), found.end(), "    float s = spike(h - p.v_th); <- spike(h - v_th)"), found.end())
      << fmt::format("{}", fmt::join(found, "\n"));
}

TEST(CudaText, RefusalsLeaveNothingBehind) {
  Request request = spikes();
  request.outputs = {"s", "v_rset"};
  std::shared_ptr<const Model> model = checked(lif);
  Diagnostics diagnostics(*model->source);
  CudaProgram program;
  program.kernelSymbol = "untouched";
  EXPECT_FALSE(emitCuda(*model, request, AccessPath::Vector, diagnostics, program));
  EXPECT_EQ(program.kernelSymbol, "untouched");
  EXPECT_EQ(errors(diagnostics), std::vector<std::string>{"1:1: 'v_rset' is no name of LIF; did you mean 'v_reset'?"});
}

TEST(CudaText, ArgumentsBeyondALaunchAreRefused) {
  std::string text = "neuron M:\n  input x\n", sum = "x";
  for (int i = 0; i < 2050; ++i) {
    text += fmt::format("  param p{} = 1\n", i);
    sum += i % 50 == 0 ? fmt::format("\n  y = {} + p{}", i == 0 ? "x" : "y", i) : fmt::format(" + p{}", i);
  }
  text += sum.substr(1) + "\n  output y\n";
  std::shared_ptr<const Model> model = checked(text);
  Diagnostics diagnostics(*model->source);
  CudaProgram program;
  Request request;
  request.outputs = {"y"};
  EXPECT_FALSE(emitCuda(*model, request, AccessPath::Vector, diagnostics, program));
  EXPECT_EQ(
      errors(diagnostics),
      std::vector<std::string>{"1:1: the kernel's operands and parameters take 33184 bytes of a launch; a GPU takes "
                               "at most 32764"});
}

/// Every exponent with several fractions: what is printed reads back.
TEST(CudaText, LiteralsReadBack) {
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t fraction : {0u, 1u, 0x2aaaabu, 0x555555u, 0x7fffffu})
      for (uint32_t sign : {0u, 0x80000000u}) {
        float value = std::bit_cast<float>(sign | exponent << 23 | fraction);
        std::string text = cuda::literal(value);
        EXPECT_EQ(text.back(), 'f');
        EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
        EXPECT_EQ(std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)), std::bit_cast<uint32_t>(value)) << text;
      }
  for (uint64_t exponent = 0; exponent < 2047; ++exponent)
    for (uint64_t fraction : {uint64_t{0}, uint64_t{1}, uint64_t{0x5555555555555}, uint64_t{0xfffffffffffff}}) {
      double value = std::bit_cast<double>(exponent << 52 | fraction);
      EXPECT_EQ(std::strtod(cuda::literal(value).c_str(), nullptr), value);
    }
  EXPECT_EQ(cuda::literal(1.0f), "1.f");
  EXPECT_EQ(cuda::literal(-0.0f), "-0.f");
  EXPECT_EQ(cuda::literal(0.1), "0.1");
  EXPECT_EQ(cuda::literal(2.0), "2.0");
  EXPECT_EQ(cuda::literal(-HUGE_VALF), "__uint_as_float(0xff800000u)");
  EXPECT_EQ(cuda::literal(HUGE_VAL), "__longlong_as_double(i64(0x7ff0000000000000u))");
  EXPECT_EQ(cuda::literal(INT32_MIN), "(-2147483647 - 1)");
  EXPECT_EQ(cuda::unsignedLiteral(-1), "0xffffffffu");
}

TEST(CudaText, NamesStayThemselvesOrGetASuffix) {
  cuda::NameScope scope{"p"};
  for (auto [wanted, given] :
       std::initializer_list<std::pair<const char *, const char *>>{{"tau", "tau"},
                                                                    {"register", "register_"},
                                                                    {"threadIdx", "threadIdx_"},
                                                                    {"p", "p_2"},
                                                                    {"tau", "tau_2"},
                                                                    {"tau_2", "tau_2_2"},
                                                                    {"Tau", "Tau"},
                                                                    {"_x", "n_x"},
                                                                    {"__device__", "n__device__"},
                                                                    {"NULL", "NULL_"},
                                                                    {"register", "register_2"},
                                                                    {"M_PI", "M_PI_"},
                                                                    {"M_PI", "M_PI_3"}}) // M_PI_2 is another macro
    EXPECT_EQ(scope.claim(wanted), given);
}

/// What templates/ define outermost is what models may not be called.
TEST(CudaText, TheTemplatesNamesAreListed) {
  std::set<std::string> found;
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_SOURCE_DIR "/templates")) {
    std::string text = readFile(entry.path());
    static const std::regex definition(
        R"((?:^|\n)(?:template <[^\n]*> ?\n?)*)"
        R"((?:(?:DEVICE|__device__ __noinline__) [\w:<> ]*?(\w+)\(|struct (?:alignas\(\w+\) )?(\w+)[ ;]|)"
        R"((?:#define|using|enum : int \{) (\w+)))");
    for (std::sregex_iterator match(text.begin(), text.end(), definition), end; match != end; ++match)
      for (size_t group = 1; group <= 3; ++group)
        if ((*match)[group].matched)
          found.insert((*match)[group]);
  }
  EXPECT_GT(found.size(), 20u);
  for (const std::string &name : found)
    EXPECT_TRUE(cuda::isOfTemplates(name) || cuda::isReserved(name)) << name;
}

} // namespace
} // namespace flexsn
