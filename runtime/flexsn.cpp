// The C interface: handles, argument checks, and the border that no exception crosses. All work is done elsewhere.
#include "runtime/Cache.h"
#include "runtime/EmitText.h"
#include "runtime/Facts.h"
#include "runtime/Lists.h"
#include "runtime/Neuron.h"
#include "runtime/Parts.h"
#include "runtime/ProgramCache.h"
#include "runtime/Structs.h"
#include "runtime/ThreadPool.h"

#include <cstring>

using namespace flexsn;

struct flexsn_file {
  std::shared_ptr<const Text> text;
};
struct flexsn_model {
  std::shared_ptr<const Text> text;
  std::shared_ptr<const Model> model;
  Parts parts{*model};
};
struct flexsn_neuron {
  std::shared_ptr<const Neuron> neuron;
};
struct flexsn_explanation {
  Facts facts;
};
struct flexsn_bound {
  std::unique_ptr<Invocation> invocation;
};
struct flexsn_cache_report {
  std::vector<CacheItem> items;
};

extern "C" {

// ---- Results ----

const char *flexsn_version(void) { return FLEXSN_VERSION; }

const char *flexsn_last_error(void) { return LastCall::ofThisThread().message(); }

size_t flexsn_diagnostic_count(void) { return LastCall::ofThisThread().findings().size(); }

flexsn_status flexsn_diagnostic_get(size_t index, flexsn_diagnostic *out) {
  const std::vector<Finding> &all = LastCall::ofThisThread().findings();
  if (index >= all.size() || !out || out->struct_size < sizeof *out)
    return FLEXSN_ERROR_ARGUMENT; // not guarded(): that would clear what is asked for
  const Finding &f = all[index];
  flexsn_diagnostic values{sizeof *out,
                           f.file.c_str(),
                           f.name.c_str(),
                           f.message.c_str(),
                           f.fix ? f.fix->c_str() : nullptr,
                           f.rendered.c_str(),
                           f.colored.c_str(),
                           static_cast<int32_t>(f.severity),
                           f.begin.line,
                           f.begin.column,
                           f.end.line,
                           f.end.column,
                           f.fixBegin.line,
                           f.fixBegin.column,
                           f.fixEnd.line,
                           f.fixEnd.column,
                           0};
  values.struct_size = out->struct_size;
  std::memcpy(out, &values, sizeof values);
  return FLEXSN_OK;
}

// ---- Models ----

static LintOptions readLints(const flexsn_parse_options *given) {
  flexsn_parse_options options = readStruct(given, "flexsn_parse_options");
  LintOptions lints;
  for (std::string &name : readNames(options.disabled_lints, options.disabled_lint_count, "options.disabled_lints"))
    lints.disabled.insert(std::move(name));
  for (std::string &name : readNames(options.error_lints, options.error_lint_count, "options.error_lints"))
    lints.errors.insert(std::move(name));
  lints.allErrors = options.all_errors != 0;
  for (const std::set<std::string, std::less<>> *names : {&lints.disabled, &lints.errors})
    for (const std::string &name : *names)
      requireLint(name);
  if (options.reserved != 0)
    fail(FLEXSN_ERROR_ARGUMENT, "options.reserved is {}, but must be 0", options.reserved);
  return lints;
}

static std::shared_ptr<const Text> parseText(const char *text, size_t size, const char *name,
                                             const flexsn_parse_options *options) {
  require(text, "text");
  return Text::parse({text, size}, name ? name : "<text>", readLints(options));
}

flexsn_status flexsn_file_parse(const char *text, size_t size, const char *name, const flexsn_parse_options *options,
                                flexsn_file **out) {
  return guarded([&] {
    require(out, "out");
    auto parsed = parseText(text, size, name, options);
    LastCall::ofThisThread().setFindings(parsed->warnings());
    *out = new flexsn_file{std::move(parsed)};
  });
}

size_t flexsn_file_model_count(const flexsn_file *file) { return file ? file->text->models().size() : 0; }

flexsn_status flexsn_file_model(const flexsn_file *file, const char *name, flexsn_model **out) {
  return guarded([&] {
    require(file, "file");
    require(out, "out");
    *out = new flexsn_model{file->text, file->text->model(name)};
  });
}

flexsn_status flexsn_file_model_at(const flexsn_file *file, size_t index, flexsn_model **out) {
  return guarded([&] {
    require(file, "file");
    require(out, "out");
    if (index >= file->text->models().size())
      fail(FLEXSN_ERROR_ARGUMENT, "there is no model {}; the file holds {}", index, file->text->models().size());
    *out = new flexsn_model{file->text, file->text->models()[index]};
  });
}

void flexsn_file_free(flexsn_file *file) { delete file; }

flexsn_status flexsn_model_parse(const char *text, size_t size, const char *name, flexsn_model **out) {
  return guarded([&] {
    require(out, "out");
    auto parsed = parseText(text, size, name, nullptr);
    auto model = std::unique_ptr<flexsn_model>(new flexsn_model{parsed, parsed->model(nullptr)});
    LastCall::ofThisThread().setFindings(parsed->warnings());
    *out = model.release();
  });
}

const char *flexsn_model_name(const flexsn_model *model) { return model ? model->model->name.c_str() : nullptr; }

void flexsn_model_free(flexsn_model *model) { delete model; }

size_t flexsn_model_part_count(const flexsn_model *model, flexsn_part_kind kind) {
  const std::vector<flexsn_part> *parts = model ? model->parts.ofKind(kind) : nullptr;
  return parts ? parts->size() : 0;
}

flexsn_status flexsn_model_part(const flexsn_model *model, flexsn_part_kind kind, size_t index, flexsn_part *out) {
  return guarded([&] {
    require(model, "model");
    if (index >= flexsn_model_part_count(model, kind))
      fail(FLEXSN_ERROR_ARGUMENT, "there is no part {} of kind {}", index, static_cast<int>(kind));
    writeStruct(out, "flexsn_part", (*model->parts.ofKind(kind))[index]);
  });
}

// ---- Neurons ----

DLDevice flexsn_cpu(void) { return {kDLCPU, 0}; }

flexsn_status flexsn_neuron_compile(const flexsn_model *model, DLDevice device, const flexsn_options *options,
                                    flexsn_neuron **out) {
  return guarded([&] {
    require(model, "model");
    require(out, "out");
    requireCpu(device);
    std::vector<Finding> warnings;
    auto neuron = Neuron::compile(*model->text, model->model, readOptions(options), warnings);
    LastCall::ofThisThread().setFindings(std::move(warnings));
    *out = new flexsn_neuron{std::move(neuron)};
  });
}

void flexsn_neuron_free(flexsn_neuron *neuron) { delete neuron; }

flexsn_status flexsn_neuron_prepare(const flexsn_neuron *neuron, flexsn_kernel kernel,
                                    const char *const *initial_states, size_t initial_state_count,
                                    const char *const *final_states, size_t final_state_count) {
  return guarded([&] {
    require(neuron, "neuron");
    neuron->neuron->prepare(readKernel(kernel), readNames(initial_states, initial_state_count, "initial_states"),
                            readNames(final_states, final_state_count, "final_states"));
  });
}

/// Gradients are the newest of the struct's fields.
static flexsn_call readCallStruct(const flexsn_call *call) {
  require(call, "call");
  return readStruct(call, "flexsn_call", offsetof(flexsn_call, channel_dim));
}

static std::unique_ptr<Invocation> bindCall(const flexsn_neuron *neuron, flexsn_kernel kernel,
                                            const flexsn_call *call) {
  require(neuron, "neuron");
  return neuron->neuron->bind(readKernel(kernel), readCallStruct(call));
}

flexsn_status flexsn_neuron_run(const flexsn_neuron *neuron, flexsn_kernel kernel, const flexsn_call *call) {
  return guarded([&] { bindCall(neuron, kernel, call)->run(); });
}

flexsn_status flexsn_neuron_residual_bytes(const flexsn_neuron *neuron, const flexsn_call *call, size_t *out) {
  return guarded([&] {
    require(neuron, "neuron");
    flexsn_call given = readCallStruct(call);
    require(out, "out");
    *out = neuron->neuron->residualBytes(given);
  });
}

flexsn_status flexsn_neuron_bind(const flexsn_neuron *neuron, flexsn_kernel kernel, const flexsn_call *call,
                                 flexsn_bound **out) {
  return guarded([&] {
    require(out, "out");
    *out = new flexsn_bound{bindCall(neuron, kernel, call)};
  });
}

flexsn_status flexsn_bound_run(flexsn_bound *bound) {
  if (!bound)
    return FLEXSN_ERROR_ARGUMENT;
  bound->invocation->run();
  return FLEXSN_OK;
}

void flexsn_bound_free(flexsn_bound *bound) { delete bound; }

// ---- Threads ----

flexsn_status flexsn_num_threads(int32_t *out) {
  return guarded([&] {
    require(out, "out");
    *out = static_cast<int32_t>(ThreadPool::threads());
  });
}

flexsn_status flexsn_set_num_threads(int32_t threads) {
  return guarded([&] {
    if (threads < 1 || threads > static_cast<int32_t>(ThreadPool::mostThreads))
      fail(FLEXSN_ERROR_VALUE, "the number of threads is {}, but must be from 1 to {}", threads,
           ThreadPool::mostThreads);
    ThreadPool::setThreads(static_cast<unsigned>(threads));
  });
}

// ---- Looking inside ----

flexsn_status flexsn_model_emit(const flexsn_model *model, DLDevice device, const flexsn_options *options,
                                const flexsn_emit_options *emit_options, char **out_text, size_t *out_size) {
  return guarded([&] {
    require(model, "model");
    require(out_text, "out_text");
    require(out_size, "out_size");
    requireCpu(device);
    RequestOptions request = readOptions(options);
    std::vector<Finding> warnings;
    std::string text = emitText(*modelUnder(*model->text, model->model, request, warnings), request, emit_options);
    LastCall::ofThisThread().setFindings(std::move(warnings));
    auto *copy = new char[text.size() + 1];
    std::memcpy(copy, text.c_str(), text.size() + 1);
    *out_text = copy;
    *out_size = text.size();
  });
}

// NOLINTNEXTLINE(readability-non-const-parameter): the caller owns it, which a const pointer would deny
flexsn_status flexsn_model_explain(const flexsn_model *model, DLDevice device, const flexsn_options *options,
                                   const flexsn_emit_options *emit_options, flexsn_explanation **out) {
  return guarded([&] {
    require(model, "model");
    require(out, "out");
    requireCpu(device);
    RequestOptions request = readOptions(options);
    std::vector<Finding> warnings;
    Facts facts(*modelUnder(*model->text, model->model, request, warnings), request, emit_options);
    LastCall::ofThisThread().setFindings(std::move(warnings));
    *out = new flexsn_explanation{std::move(facts)};
  });
}

size_t flexsn_explanation_count(const flexsn_explanation *explanation, flexsn_fact_kind kind) {
  const std::vector<Fact> *facts = explanation ? explanation->facts.ofKind(kind) : nullptr;
  return facts ? facts->size() : 0;
}

flexsn_status flexsn_explanation_get(const flexsn_explanation *explanation, flexsn_fact_kind kind, size_t index,
                                     flexsn_fact *out) {
  return guarded([&] {
    require(explanation, "explanation");
    if (index >= flexsn_explanation_count(explanation, kind))
      fail(FLEXSN_ERROR_ARGUMENT, "there is no fact {} of kind {}", index, static_cast<int>(kind));
    const Fact &fact = (*explanation->facts.ofKind(kind))[index];
    writeStruct(out, "flexsn_fact",
                flexsn_fact{sizeof *out, fact.name.c_str(), fact.category.c_str(), fact.detail.c_str(), fact.value,
                            fact.begin.line, fact.begin.column, fact.end.line, fact.end.column});
  });
}

void flexsn_explanation_free(flexsn_explanation *explanation) { delete explanation; }

// NOLINTNEXTLINE(readability-non-const-parameter): the caller gives it away
void flexsn_string_free(char *text) { delete[] text; }

size_t flexsn_list_count(flexsn_list_kind kind) {
  size_t count = 0;
  (void)guarded([&] {
    if (const std::vector<ListEntry> *list = listOf(kind))
      count = list->size();
  });
  return count;
}

flexsn_status flexsn_list_get(flexsn_list_kind kind, size_t index, flexsn_entry *out) {
  return guarded([&] {
    const std::vector<ListEntry> *list = listOf(kind);
    if (!list || index >= list->size())
      fail(FLEXSN_ERROR_ARGUMENT, "there is no entry {} in list {}", index, static_cast<int>(kind));
    const ListEntry &entry = (*list)[index];
    writeStruct(out, "flexsn_entry",
                flexsn_entry{sizeof *out, entry.name.c_str(), entry.usage.c_str(), entry.summary.c_str(),
                             entry.detail.c_str()});
  });
}

flexsn_status flexsn_statistics_get(flexsn_statistics *out) {
  return guarded([&] {
    const ProgramCache &cache = ProgramCache::instance();
    writeStruct(out, "flexsn_statistics",
                flexsn_statistics{sizeof *out, cache.compilations(), cache.size(), cache.loads()});
  });
}

// ---- The disk cache ----

flexsn_status flexsn_cache_settings_get(flexsn_cache_settings *out) {
  return guarded([&] {
    const CacheSettings &settings = Cache::ofProcess().settings();
    writeStruct(out, "flexsn_cache_settings",
                flexsn_cache_settings{sizeof *out, settings.folder.c_str(), settings.problem.c_str(), settings.maxBytes,
                                      settings.maxEntries, static_cast<int32_t>(settings.mode), 0});
  });
}

flexsn_status flexsn_cache_inspect(flexsn_cache_action action, flexsn_cache_report **out) {
  return guarded([&] {
    require(out, "out");
    auto wanted = static_cast<CacheAction>(requireEnum(action, FLEXSN_CACHE_CLEAR + 1, "action"));
    *out = new flexsn_cache_report{Cache::ofProcess().inspect(wanted)};
  });
}

size_t flexsn_cache_report_count(const flexsn_cache_report *report) { return report ? report->items.size() : 0; }

flexsn_status flexsn_cache_report_entry(const flexsn_cache_report *report, size_t index, flexsn_cache_entry *out) {
  return guarded([&] {
    require(report, "report");
    if (index >= report->items.size())
      fail(FLEXSN_ERROR_ARGUMENT, "there is no entry {}; the report has {}", index, report->items.size());
    const CacheItem &item = report->items[index];
    writeStruct(out, "flexsn_cache_entry",
                flexsn_cache_entry{sizeof *out, item.key.c_str(), item.label.c_str(), item.damage.c_str(), item.bytes,
                                   item.modified, item.removed, 0});
  });
}

void flexsn_cache_report_free(flexsn_cache_report *report) { delete report; }

} // extern "C"
