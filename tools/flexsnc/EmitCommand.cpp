// flexsnc emit: what the compiler makes of a model, at any stage.
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

flexsn::Form formOf(const Arguments &arguments) {
  std::string form = arguments.get("--as").value_or("cuda");
  if (form == "ptx" || form == "cubin")
    failUsage(fmt::format("'--as {}' is not in this version: it comes with the CUDA backend", form),
              "--as cuda shows the CUDA C++ that it is made of");
  return form == "neuron" ? flexsn::Form::neuron
         : form == "scan" ? flexsn::Form::scan
         : form == "llvm" ? flexsn::Form::llvm
         : form == "asm"  ? flexsn::Form::assembly
         : form == "cuda" ? flexsn::Form::cuda
                          : flexsn::Form::object;
}

std::string stageOf(const Arguments &arguments) {
  std::string stage = arguments.get("--stop-after").value_or("");
  std::vector<std::string> known;
  for (const flexsn::Entry &entry : flexsn::list(flexsn::List::stages))
    known.push_back(entry.name);
  if (arguments.has("--stop-after") && std::find(known.begin(), known.end(), stage) == known.end())
    failUsage(
        fmt::format("'--stop-after': the compiler has no stage '{}'{}", printable(stage), didYouMean(stage, known)),
        fmt::format("its stages are {}", enumerate(known)));
  return stage;
}

/// What --json tells: the text itself, or the file it goes to.
Json envelope(const LoadedModel &loaded, const std::string &text, const std::string &path) {
  Json document = newDocument();
  document["model"] = loaded.model.name();
  document[path == "-" ? "text" : "file"] = path == "-" ? text : path;
  document["diagnostics"] = findingsJson(loaded.warnings);
  return document;
}

ExitStatus runEmit(const Arguments &arguments, Console &console) {
  flexsn::Emit what;
  what.stop_after = stageOf(arguments);
  what.arch = archOf(arguments);
  if (what.stop_after.empty())
    what.form = formOf(arguments);
  else if (arguments.has("--as"))
    failUsage("'--as' and '--stop-after' exclude each other");
  if (arguments.get("--layout") == "strided")
    what.layout = flexsn::Layout::strided;
  std::vector<flexsn::Kernel> kernels = kernelsOf(arguments);
  bool binary = what.stop_after.empty() && what.form == flexsn::Form::object;
  if (binary && kernels.size() > 1)
    failUsage("'--as obj' makes one object file: name one kernel");
  std::string path = arguments.get("--output").value_or("-");
  if (binary && path == "-" && arguments.has("--json"))
    failUsage("'--as obj' is binary, which JSON cannot hold", "write it to a file with -o FILE");
  if (binary && path == "-" && console.outTerminal())
    failUsage("an object file is binary and does not go to a terminal", "write it to a file with -o FILE");
  if (path != "-")
    keepModelText(arguments.positionals, path, "the result");
  flexsn::Options options = compileOptions(arguments);
  LoadedModel loaded = loadModel(arguments, console);
  std::string text;
  for (flexsn::Kernel kernel : kernels) {
    what.kernel = kernel;
    text += (text.empty() ? "" : "\n") + loaded.model.emit(what, options);
  }
  std::vector<PendingFile> files;
  if (path != "-")
    files.emplace_back(path, text);
  std::string shown = files.empty() ? text : "";
  if (arguments.has("--json"))
    shown = printed(envelope(loaded, text, path));
  publish(std::move(files), [&] { console.out(shown); });
  return ExitStatus::Done;
}

std::string stageHelp() {
  std::string text = "Stages of the compiler, in order:\n";
  for (const flexsn::Entry &stage : flexsn::list(flexsn::List::stages))
    text += fmt::format("  {:<24}  {}\n", stage.name, wrapped(stage.summary, 28, 28));
  return text;
}

} // namespace

CommandSpec emitCommand() {
  return {"emit",
          "Print what the compiler makes of a model.",
          {"[OPTION]... --as FORM FILE", "[OPTION]... --stop-after STAGE FILE"},
          {"flexsnc emit lif.fsn --as scan", "flexsnc emit @LIF --as asm --arch x86-64-v3 -o lif.s",
           "flexsnc emit models.fsn --model LIF --stop-after simplify"},
          {"--model",   "--const",  "--surrogate", "--dims",        "--detach-reset", "--as",     "--stop-after",
           "--kernels", "--output", "--json",      "--dtype",       "--out-dtype",    "--math",   "--device",
           "--arch",    "--layout", "--wrt",       "--channel-dim", "-Wno-",          "-Werror=", "-Werror"},
          runEmit,
          nullptr,
          stageHelp};
}

} // namespace flexsn::cli
