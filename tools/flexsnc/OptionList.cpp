// Every option of flexsnc stands here once: help, completion and parsing read this list.
#include "tools/flexsnc/Options.h"

namespace flexsn::cli {

// What an option of a later version lacks, in words.
static constexpr const char *noRandom = "random numbers in models are not in this version";
static constexpr const char *noLengths = "sequences of unequal length are not in this version";

const std::vector<OptionSpec> &allOptions() {
  using C = Completion;
  static const std::vector<OptionSpec> list = {
      // clang-format off
      {"--model", "-n", "NAME", "Model", "the model to use, where a file has several"},
      {"--const", nullptr, "NAME=VALUE", "Model", "another value for a const of the text", true},
      {"--surrogate", nullptr, "CALL", "Model", "another default surrogate, e.g. 'sigmoid(alpha=4)'"},
      {"--dims", nullptr, "NAME=DIMS", "Model", "dims for a parameter that has none in the text: step, channel, neuron, or several, e.g. tau=neuron", true},
      {"--detach-reset", nullptr, nullptr, "Model", "no gradient through the spikes in 'reset:'"},

      {"--input", nullptr, "[NAME=]FILE", "Data", "an array .npy, time first, or a built-in source; the NAME= may be left out for a model with one input", true, C::File},
      {"--set", nullptr, "NAME=VALUE", "Data", "a parameter's value: a number, or for one with dims an array .npy", true, C::File},
      {"--state", nullptr, "NAME=FILE", "Data", "an initial state: an array .npy without time, or one number", true, C::File},
      {"--T", nullptr, "STEPS", "Data", "number of steps, for a model without inputs and for built-in sources; 'bench' takes a list"},
      {"--N", nullptr, "NEURONS", "Data", "number of neurons, for the same; 'bench' takes a list"},
      {"--seed", nullptr, "SEED", "Data", "the seed of the model's own random numbers", false, C::None, "", noRandom},
      {"--lengths", nullptr, "FILE", "Data", "the length of each sequence", false, C::File, "", noLengths},
      {"--channel-dim", nullptr, "DIM", "Data", "which dimension of the inputs is the channel's, -1 for the last; else 2, or 1 where there are two"},

      {"--save", nullptr, "NAME=FILE", "Result", "writes the values of any name of the model, step by step, as .npy", true, C::File},
      {"--save-final", nullptr, "NAME=FILE", "Result", "writes a state after the last step as .npy", true, C::File},
      {"--plot", nullptr, "[NAME=]FILE", "Result", "draws the first output, or NAME: a raster for spikes, else traces; an .svg, or '-' for this terminal; 'bench' takes a FILE alone, an .svg of its bars", true, C::File},
      {"--grad-output", nullptr, "NAME=FILE", "Result", "what flows back into an output, any NAME of the model: an array of its shape", true, C::File},
      {"--grad-final", nullptr, "NAME=FILE", "Result", "the same for a state behind the last step", true, C::File},
      {"--save-grad", nullptr, "NAME=FILE", "Result", "writes the gradient of an input, a given initial state or a parameter as .npy", true, C::File},
      {"--wrt", nullptr, "NAMES", "Result", "gradients that are computed beside those that are saved: x,v,tau; default: inputs, initial states that are arrays, learnable parameters", false, C::None},

      {"--as", nullptr, "FORM", "Output", "cuda (the default), ptx or cubin, for GPUs; neuron, scan, llvm, asm or obj", false, C::Values, "neuron|scan|llvm|asm|obj|cuda|ptx|cubin"},
      {"--stop-after", nullptr, "STAGE", "Output", "prints the IR after that stage of the compiler instead", false, C::Stages},
      {"--kernels", nullptr, "LIST", "Output", "inference (the default), final_state, forward or backward, or several", false, C::Values, "", nullptr, "inference|final_state|forward|backward"},
      {"--output", "-o", "FILE", "Output", "writes there instead of to standard output; for cuda, ptx and cubin {kernel} in the name, and for the last two {arch}, stands for each", false, C::File},
      {"--json", nullptr, nullptr, "Output", "one JSON object on standard output, for programs"},

      {"--dtype", nullptr, "TYPE", "Code", "f32, f64, f16 or bf16, the type of inputs and outputs; 16-bit data is computed in float32", false, C::Values, "f32|f64|f16|bf16"},
      {"--out-dtype", nullptr, "TYPE", "Code", "data (the default) or int8, the type of outputs that are whole numbers; int8 saturates", false, C::Values, "data|int8"},
      {"--math", nullptr, "MODE", "Code", "standard, strict or fast; fast may contract a*b + c into one rounding", false, C::Values, "standard|strict|fast"},
      {"--device", nullptr, "DEVICE", "Code", "cpu (the default) or auto; cuda is not in this version", false, C::Values, "", nullptr, "cpu|auto"},
      {"--arch", nullptr, "CPU", "Code", "what to generate for: a CPU in LLVM's words (x86-64-v3), a GPU (sm_90; several for ptx and cubin: sm_80,sm_90), or native"},
      {"--layout", nullptr, "LAYOUT", "Code", "linear (the default): all operands dense in one order; or strided: each by its own strides", false, C::Values, "linear|strided"},
      {"--access", nullptr, "PATH", "Code", "of a kernel for GPUs: vector (the default), several neurons an access, where operands are aligned; or scalar", false, C::Values, "vector|scalar"},

      {"-Wno-", nullptr, "NAME", "Warning", "silences a warning, e.g. -Wno-unused-param", true, C::Lints},
      {"-Werror=", nullptr, "NAME", "Warning", "makes a warning an error", true, C::Lints},
      {"-Werror", nullptr, nullptr, "Warning", "makes every warning an error"},

      {"--quiet", "-q", nullptr, "General", "results and errors only"},
      {"--verbose", "-v", nullptr, "General", "says more about what is done"},
      {"--color", nullptr, "WHEN", "General", "auto, always or never", false, C::Values, "auto|always|never"},
      {"--help", "-h", nullptr, "General", "shows this page"},
      {"--version", nullptr, nullptr, "General", "shows the version"},
      // clang-format on
  };
  return list;
}

const std::vector<std::string> &commonOptions() {
  static const std::vector<std::string> names = {"--quiet", "--verbose", "--color", "--help", "--version"};
  return names;
}

} // namespace flexsn::cli
