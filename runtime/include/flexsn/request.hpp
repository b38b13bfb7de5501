// Part of flexsn.hpp: what a model is compiled for and called with.
#ifndef FLEXSN_REQUEST_HPP
#define FLEXSN_REQUEST_HPP

#include "tensor.hpp"

#include <map>

namespace flexsn {
inline namespace v1 {

enum class DType : int32_t { f32 = FLEXSN_F32, f64 = FLEXSN_F64, f16 = FLEXSN_F16, bf16 = FLEXSN_BF16 };
/// How outputs that are whole numbers are stored.
enum class OutDType : int32_t { data = FLEXSN_OUT_DATA, int8 = FLEXSN_OUT_INT8 };
enum class Math : int32_t { standard = FLEXSN_MATH_STANDARD, strict = FLEXSN_MATH_STRICT, fast = FLEXSN_MATH_FAST };
/// What a parameter varies over; several by |.
enum class Dim : uint32_t { step = FLEXSN_DIM_STEP, channel = FLEXSN_DIM_CHANNEL, neuron = FLEXSN_DIM_NEURON };
constexpr Dim operator|(Dim a, Dim b) { return static_cast<Dim>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b)); }
enum class Kernel : int32_t {
  inference = FLEXSN_INFERENCE,
  final_state = FLEXSN_FINAL_STATE,
  forward = FLEXSN_FORWARD,
  backward = FLEXSN_BACKWARD,
};
enum class Layout : int32_t { linear = FLEXSN_LINEAR, strided = FLEXSN_STRIDED };
enum class Form : int32_t {
  neuron = FLEXSN_FORM_NEURON,
  scan = FLEXSN_FORM_SCAN,
  llvm = FLEXSN_FORM_LLVM,
  assembly = FLEXSN_FORM_ASSEMBLY,
  object = FLEXSN_FORM_OBJECT,
  cuda = FLEXSN_FORM_CUDA,
  ptx = FLEXSN_FORM_PTX,
  cubin = FLEXSN_FORM_CUBIN,
};
/// How a kernel for a GPU reads and writes memory.
enum class Access : int32_t { vector = FLEXSN_ACCESS_VECTOR, scalar = FLEXSN_ACCESS_SCALAR };

/// Which lints are silent or fatal.
struct Lints {
  std::vector<std::string> disabled; ///< -Wno-NAME
  std::vector<std::string> errors;   ///< -Werror=NAME
  bool all_errors = false;           ///< -Werror
};

/// What a model is compiled for. Nothing here is a run-time value.
struct Options {
  DType dtype = DType::f32;
  OutDType out_dtype = OutDType::data;
  Math math = Math::standard;
  bool detach_reset = false;
  std::string surrogate;                   ///< replaces the model's default surrogate; empty: the text's
  std::map<std::string, double> constants; ///< other values for the text's `const` names
  std::optional<std::vector<std::string>>
      outputs;                     ///< names to deliver, in order: any name of the model; none: as declared
  std::map<std::string, Dim> dims; ///< of parameters that the text declares without any
};

/// A tensor or number by name.
struct Named {
  Named(std::string operand, Tensor view) : name(std::move(operand)), tensor(std::move(view)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Named(std::string operand, T number) : name(std::move(operand)), value(static_cast<double>(number)) {}

  std::string name;
  std::optional<Tensor> tensor;
  double value = 0;
};

/// Operands of a call; see flexsn_call for shapes, layouts and what may overlap.
struct Call {
  std::vector<Tensor> inputs{};        ///< in declared order
  std::vector<Named> params{};         ///< numbers, or tensors for those with dims; left out: the text's value
  std::vector<Named> initial_states{}; ///< left out: the declared value
  std::vector<Tensor> outputs{};       ///< in the order of Options::outputs, else in declared order
  std::vector<Named> final_states{};   ///< may be exactly the initial state's memory
  int64_t steps = 0;                   ///< T of a model without inputs; 0: as the tensors say
  int32_t channel_dim = 0;             ///< of sequences, from the end if negative; 0: 2, or 1 where there are two

  // Of a training step (see flexsn_gradients); one call serves forward and backward.
  std::vector<std::optional<Tensor>> output_gradients{}; ///< what flows back into the outputs; nothing for a bool's
  std::vector<Named> final_gradients{};                  ///< and into final states
  std::vector<Named> gradients{};                        ///< wanted ones, of inputs, initial states and parameters
  void *residual = nullptr;                              ///< memory of Neuron::residual_bytes
  size_t residual_bytes = 0;
};

/// What Model::emit gives and Model::explain explains.
struct Emit {
  Form form = Form::neuron;
  Kernel kernel = Kernel::inference;
  Layout layout = Layout::linear;
  Access access = Access::vector; ///< of Form::cuda, ptx and cubin
  std::string stop_after{};       ///< the IR after this stage, in place of `form`
  std::string arch{};             ///< a CPU in LLVM's words, or "sm_90"; empty or "native": this machine's
  std::vector<std::string> initial_states{};
  std::vector<std::string> final_states{};
  std::vector<std::string> wanted{}; ///< gradients of training kernels; none: the usual ones
};

namespace detail {
/// The C struct of a request, with the arrays that it points to.
class OptionsView {
public:
  explicit OptionsView(const Options &options) {
    for (const auto &[name, value] : options.constants)
      constants.push_back({cString(name), value});
    c.struct_size = sizeof c;
    c.dtype = static_cast<int32_t>(options.dtype);
    c.math = static_cast<int32_t>(options.math);
    c.out_dtype = static_cast<int32_t>(options.out_dtype);
    c.detach_reset = options.detach_reset;
    c.surrogate = options.surrogate.empty() ? nullptr : cString(options.surrogate);
    c.constants = constants.data();
    c.constant_count = constants.size();
    if (options.outputs) {
      outputs = pointers(*options.outputs);
      outputs.push_back(nullptr); // so that an empty list is not NULL, which means "as declared"
      c.outputs = outputs.data();
      c.output_count = options.outputs->size();
    }
    for (const auto &[name, all] : options.dims)
      dims.push_back({cString(name), static_cast<uint32_t>(all), 0});
    c.dims = dims.data();
    c.dims_count = dims.size();
  }
  OptionsView(const OptionsView &) = delete;
  const flexsn_options *get() const { return &c; }

private:
  flexsn_options c{};
  std::vector<flexsn_constant> constants;
  std::vector<flexsn_param_dims> dims;
  std::vector<const char *> outputs;
};

/// The C struct of an Emit, with the arrays that it points to.
class EmitView {
public:
  explicit EmitView(const Emit &what)
      : initials(pointers(what.initial_states)), finals(pointers(what.final_states)), wanted(pointers(what.wanted)),
        c{sizeof c,
          static_cast<int32_t>(what.form),
          static_cast<int32_t>(what.kernel),
          static_cast<int32_t>(what.layout),
          static_cast<int32_t>(what.access),
          what.stop_after.empty() ? nullptr : cString(what.stop_after),
          what.arch.empty() ? nullptr : cString(what.arch),
          initials.data(),
          initials.size(),
          finals.data(),
          finals.size(),
          wanted.empty() ? nullptr : wanted.data(),
          wanted.size()} {}
  EmitView(const EmitView &) = delete;
  const flexsn_emit_options *get() const { return &c; }

private:
  std::vector<const char *> initials, finals, wanted;
  flexsn_emit_options c;
};

inline DLTensor writable(const Tensor &tensor, const std::string &what) {
  if (tensor.read_only())
    throw Error(Code::value, what + " is a view of const memory, and the call would write to it");
  return tensor;
}

/// The C struct of a call, with the arrays that it points to.
class CallView {
public:
  explicit CallView(const Call &call) {
    tensors.reserve(call.inputs.size() + call.outputs.size() + call.params.size() + call.initial_states.size() +
                    call.final_states.size() + call.output_gradients.size() + call.final_gradients.size() +
                    call.gradients.size()); // pointers into it must stay
    for (const Tensor &input : call.inputs)
      inputs.push_back(&tensors.emplace_back(input));
    for (const Tensor &output : call.outputs)
      outputs.push_back(&tensors.emplace_back(writable(output, "output " + std::to_string(outputs.size()))));
    params = named(call.params);
    initials = named(call.initial_states);
    for (const Named &state : call.final_states)
      if (state.tensor)
        writable(*state.tensor, "final state '" + state.name + "'");
    finals = named(call.final_states);
    c.struct_size = sizeof c;
    c.inputs = inputs.data();
    c.input_count = inputs.size();
    c.outputs = outputs.data();
    c.output_count = outputs.size();
    c.params = params.data();
    c.param_count = params.size();
    c.initial_states = initials.data();
    c.initial_state_count = initials.size();
    c.final_states = finals.data();
    c.final_state_count = finals.size();
    c.steps = call.steps;
    c.channel_dim = call.channel_dim;
    addGradients(call);
  }
  CallView(const CallView &) = delete;
  const flexsn_call *get() const { return &c; }

private:
  std::vector<flexsn_named> named(const std::vector<Named> &values) {
    std::vector<flexsn_named> all;
    for (const Named &v : values)
      all.push_back({cString(v.name), v.tensor ? &tensors.emplace_back(*v.tensor) : nullptr, v.value});
    return all;
  }

  void addGradients(const Call &call) {
    if (call.gradients.empty())
      return;
    for (const std::optional<Tensor> &gradient : call.output_gradients)
      outputGradients.push_back(gradient ? &tensors.emplace_back(*gradient) : nullptr);
    finalGradients = named(call.final_gradients);
    for (const Named &gradient : call.gradients)
      if (gradient.tensor)
        writable(*gradient.tensor, "gradient of '" + gradient.name + "'");
    wanted = named(call.gradients);
    g.struct_size = sizeof g;
    g.outputs = outputGradients.data();
    g.output_count = outputGradients.size();
    g.final_states = finalGradients.data();
    g.final_state_count = finalGradients.size();
    g.wanted = wanted.data();
    g.wanted_count = wanted.size();
    g.residual = call.residual;
    g.residual_bytes = call.residual_bytes;
    c.gradients = &g;
  }

  flexsn_call c{};
  flexsn_gradients g{};
  std::vector<DLTensor> tensors;
  std::vector<const DLTensor *> inputs, outputs, outputGradients;
  std::vector<flexsn_named> params, initials, finals, finalGradients, wanted;
};
} // namespace detail

} // namespace v1
} // namespace flexsn
#endif // FLEXSN_REQUEST_HPP
