// flexsn for C++17: a header-only layer over the C interface (flexsn.h, whose rules on memory and threads hold here
// too). What fails throws flexsn::Error. Needs the standard library alone.
//
//   flexsn::Model model = flexsn::Model::parse(text);
//   flexsn::Neuron lif = model.compile(flexsn::Device::cpu());
//   flexsn::Call call;
//   call.inputs = {flexsn::view(x, {T, N})};
//   call.outputs = {flexsn::view(s, {T, N})};
//   lif.inference(call);
#ifndef FLEXSN_FLEXSN_HPP
#define FLEXSN_FLEXSN_HPP

#include "cache.hpp"
#include "request.hpp"

#include <string_view>

namespace flexsn {
inline namespace v1 {

// ---- Neurons ----

/// A call with everything decided: run() as often as you like on what the memory holds then. One thread at a time; the
/// tensors' memory must outlive it.
class Bound {
public:
  explicit Bound(flexsn_bound *owned) noexcept : handle(owned) {}
  /// On a CPU: no allocation and no lock; no system call unless the call is large (see flexsn_bound_run).
  Status run() noexcept { return Status(flexsn_bound_run(handle.get())); }
  flexsn_bound *capi() const noexcept { return handle.get(); }

private:
  detail::Handle<flexsn_bound, flexsn_bound_free> handle;
};

/// A model compiled under options. Immutable; may be used by several threads at once.
class Neuron {
public:
  explicit Neuron(flexsn_neuron *owned) noexcept : handle(owned) {}

  /// Writes outputs, and final states if asked for.
  void inference(const Call &call) const { run(Kernel::inference, call); }
  /// Writes final states alone.
  void final_state(const Call &call) const { run(Kernel::final_state, call); }
  /// What inference does, and what backward starts from: the residual. `gradients` names what backward will write.
  void forward(const Call &call) const { run(Kernel::forward, call); }
  /// Writes `gradients` from what flows back into outputs and final states.
  void backward(const Call &call) const { run(Kernel::backward, call); }
  /// Bytes of memory between the two, for this call's steps and neurons; often 0.
  size_t residual_bytes(const Call &call) const {
    detail::CallView view(call);
    size_t bytes = 0;
    detail::check(flexsn_neuron_residual_bytes(capi(), view.get(), &bytes));
    return bytes;
  }
  /// Checks, compiles and loads once, for many runs. A call without outputs binds the final-state kernel.
  Bound bind(const Call &call) const {
    return bind(call.outputs.empty() ? Kernel::final_state : Kernel::inference, call);
  }
  Bound bind(Kernel kernel, const Call &call) const {
    detail::CallView view(call);
    flexsn_bound *bound = nullptr;
    detail::check(flexsn_neuron_bind(capi(), static_cast<flexsn_kernel>(kernel), view.get(), &bound));
    return Bound(bound);
  }
  /// Compiles and loads, without running, what a call with these states given and wanted needs.
  void prepare(Kernel kernel = Kernel::inference, const std::vector<std::string> &initial_states = {},
               const std::vector<std::string> &final_states = {}) const {
    auto initials = detail::pointers(initial_states), finals = detail::pointers(final_states);
    detail::check(flexsn_neuron_prepare(capi(), static_cast<flexsn_kernel>(kernel), initials.data(), initials.size(),
                                        finals.data(), finals.size()));
  }
  flexsn_neuron *capi() const noexcept { return handle.get(); }

private:
  void run(Kernel kernel, const Call &call) const {
    detail::CallView view(call);
    detail::check(flexsn_neuron_run(capi(), static_cast<flexsn_kernel>(kernel), view.get()));
  }

  detail::Handle<flexsn_neuron, flexsn_neuron_free> handle;
};

// ---- Models ----

enum class Type : int32_t { floating = FLEXSN_FLOAT, integer = FLEXSN_INT, boolean = FLEXSN_BOOL };

/// An input, output, state or parameter; see flexsn_part.
struct Part {
  std::string name;
  std::string operand;   ///< raw_NAME for a parameter under a transform, else the name
  std::string transform; ///< empty without
  std::string initial;   ///< a state's declared value, as an expression
  double default_value;  ///< a parameter's value in the text
  double low, high;      ///< a parameter's `in` bounds; infinite without
  Type type;
  uint32_t lanes;
  uint32_t dims;  ///< flexsn_dim bits
  uint32_t flags; ///< flexsn_part_flag bits
};

/// See flexsn_fact.
struct Fact {
  std::string name, category, detail;
  double value;
  uint32_t line, column, end_line, end_column; ///< of a remark; 0 without a place
};

/// See flexsn_fact_kind.
struct Explanation {
  std::vector<Fact> operands, states, schedule, memory, launch, neuron, step, remarks;
  std::vector<Fact> code;    ///< of a GPU
  std::vector<Fact> adjoint; ///< of a backward kernel
};

class Model;

/// Every model of one text. Immutable; may be used by several threads at once.
class File {
public:
  /// Parses and checks the whole text; throws one Error with every diagnostic.
  static File parse(std::string_view text, const std::string &name = "<text>", const Lints &lints = {}) {
    auto disabled = detail::pointers(lints.disabled), errors = detail::pointers(lints.errors);
    flexsn_parse_options options{
        sizeof options, disabled.data(), disabled.size(), errors.data(), errors.size(), lints.all_errors, 0};
    flexsn_file *file = nullptr;
    detail::check(
        flexsn_file_parse(text.data() ? text.data() : "", text.size(), detail::cString(name), &options, &file));
    File result(file);
    result.found = detail::diagnostics();
    return result;
  }
  /// A shipped model's text, by its name without the @.
  static File shipped(const std::string &name);

  size_t size() const { return flexsn_file_model_count(capi()); }
  std::vector<std::string> names() const;
  Model model() const; ///< the only one
  Model model(const std::string &name) const;
  Model model(size_t index) const;
  /// Warnings.
  const std::vector<Diagnostic> &diagnostics() const { return found; }
  flexsn_file *capi() const noexcept { return handle.get(); }

private:
  explicit File(flexsn_file *owned) noexcept : handle(owned) {}
  detail::Handle<flexsn_file, flexsn_file_free> handle;
  std::vector<Diagnostic> found;
};

/// One checked model. Immutable; may be used by several threads at once.
class Model {
public:
  explicit Model(flexsn_model *owned) noexcept : handle(owned) {}

  /// A text with one model; throws one Error with every diagnostic.
  static Model parse(std::string_view text, const std::string &name = "<text>", const Lints &lints = {}) {
    return File::parse(text, name, lints).model();
  }
  /// A shipped model, by its name without the @.
  static Model shipped(const std::string &name) { return File::shipped(name).model(); }

  std::string name() const { return flexsn_model_name(capi()); }
  std::vector<Part> inputs() const { return parts(FLEXSN_INPUT); }
  std::vector<Part> outputs() const { return parts(FLEXSN_OUTPUT); }
  std::vector<Part> states() const { return parts(FLEXSN_STATE); }
  std::vector<Part> params() const { return parts(FLEXSN_PARAM); }
  /// Every name that Options::outputs may ask for.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (Part &part : parts(FLEXSN_NAME))
      all.push_back(std::move(part.name));
    return all;
  }

  /// Machine code is made when it is first needed: Neuron::prepare asks for it.
  Neuron compile(Device device = Device::cpu(), const Options &options = {}) const {
    detail::OptionsView view(options);
    flexsn_neuron *neuron = nullptr;
    detail::check(flexsn_neuron_compile(capi(), device.value, view.get(), &neuron));
    return Neuron(neuron);
  }

  /// What the compiler makes of the model: text, or the bytes of an object file.
  std::string emit(const Emit &what = {}, const Options &options = {}, Device device = Device::cpu()) const {
    detail::OptionsView view(options);
    detail::EmitView emit(what);
    char *text = nullptr;
    size_t size = 0;
    detail::check(flexsn_model_emit(capi(), device.value, view.get(), emit.get(), &text, &size));
    detail::Handle<char, flexsn_string_free> owned(text);
    return std::string(text, size);
  }
  /// What the compiler decided about a kernel, and why. Of `what`, the kernel, the states and arch count.
  Explanation explain(const Emit &what = {}, const Options &options = {}, Device device = Device::cpu()) const {
    detail::OptionsView view(options);
    detail::EmitView emit(what);
    flexsn_explanation *made = nullptr;
    detail::check(flexsn_model_explain(capi(), device.value, view.get(), emit.get(), &made));
    detail::Handle<flexsn_explanation, flexsn_explanation_free> owned(made);
    auto facts = [&](flexsn_fact_kind kind) {
      std::vector<Fact> all(flexsn_explanation_count(made, kind));
      for (size_t i = 0; i < all.size(); ++i) {
        flexsn_fact f{};
        f.struct_size = sizeof f;
        detail::check(flexsn_explanation_get(made, kind, i, &f));
        all[i] = {f.name, f.category, f.detail, f.value, f.line, f.column, f.end_line, f.end_column};
      }
      return all;
    };
    return {facts(FLEXSN_FACT_OPERAND), facts(FLEXSN_FACT_STATE),  facts(FLEXSN_FACT_SCHEDULE),
            facts(FLEXSN_FACT_MEMORY),  facts(FLEXSN_FACT_LAUNCH), facts(FLEXSN_FACT_NEURON),
            facts(FLEXSN_FACT_STEP),    facts(FLEXSN_FACT_REMARK), facts(FLEXSN_FACT_CODE),
            facts(FLEXSN_FACT_ADJOINT)};
  }
  flexsn_model *capi() const noexcept { return handle.get(); }

private:
  std::vector<Part> parts(flexsn_part_kind kind) const {
    std::vector<Part> all(flexsn_model_part_count(capi(), kind));
    for (size_t i = 0; i < all.size(); ++i) {
      flexsn_part p{};
      p.struct_size = sizeof p;
      detail::check(flexsn_model_part(capi(), kind, i, &p));
      all[i] = {p.name,  p.operand, p.transform, p.initial, p.default_value, p.low, p.high, static_cast<Type>(p.type),
                p.lanes, p.dims,    p.flags};
    }
    return all;
  }

  detail::Handle<flexsn_model, flexsn_model_free> handle;
};

inline Model File::model() const {
  flexsn_model *model = nullptr;
  detail::check(flexsn_file_model(capi(), nullptr, &model));
  return Model(model);
}

inline Model File::model(const std::string &name) const {
  flexsn_model *model = nullptr;
  detail::check(flexsn_file_model(capi(), detail::cString(name), &model));
  return Model(model);
}

inline Model File::model(size_t index) const {
  flexsn_model *model = nullptr;
  detail::check(flexsn_file_model_at(capi(), index, &model));
  return Model(model);
}

inline std::vector<std::string> File::names() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < size(); ++i)
    all.push_back(model(i).name());
  return all;
}

// Each of these is one pointer: cheap to move, and nothing but the handle.
static_assert(sizeof(Model) == sizeof(void *) && sizeof(Neuron) == sizeof(void *) && sizeof(Bound) == sizeof(void *));

// ---- Lists and facts ----

enum class List : int32_t {
  models = FLEXSN_LIST_MODELS,
  surrogates = FLEXSN_LIST_SURROGATES,
  functions = FLEXSN_LIST_FUNCTIONS,
  lints = FLEXSN_LIST_LINTS,
  stages = FLEXSN_LIST_STAGES,
  facts = FLEXSN_LIST_FACTS,
};

/// See flexsn_entry.
struct Entry {
  std::string name, usage, summary, detail;
};

inline std::vector<Entry> list(List kind) {
  auto c = static_cast<flexsn_list_kind>(kind);
  std::vector<Entry> all(flexsn_list_count(c));
  for (size_t i = 0; i < all.size(); ++i) {
    flexsn_entry e{};
    e.struct_size = sizeof e;
    detail::check(flexsn_list_get(c, i, &e));
    all[i] = {e.name, e.usage, e.summary, e.detail};
  }
  return all;
}

inline File File::shipped(const std::string &name) {
  std::string names;
  for (const Entry &entry : list(List::models)) {
    if (entry.name == name)
      return parse(entry.detail, "@" + name);
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  throw Error(Code::value, "no model '" + name + "' is shipped; there are " + names);
}

/// Counters of this process.
struct Statistics {
  uint64_t compilations, programs, cache_hits;
};

inline Statistics statistics() {
  flexsn_statistics s{};
  s.struct_size = sizeof s;
  detail::check(flexsn_statistics_get(&s));
  return {s.compilations, s.programs, s.cache_hits};
}

/// How many threads a large call may use; see flexsn_num_threads.
inline int32_t num_threads() {
  int32_t threads = 0;
  detail::check(flexsn_num_threads(&threads));
  return threads;
}
inline void set_num_threads(int32_t threads) { detail::check(flexsn_set_num_threads(threads)); }

inline std::string version() { return flexsn_version(); }

} // namespace v1
} // namespace flexsn
#endif // FLEXSN_FLEXSN_HPP
