// flexsnc emit: what the compiler makes of a model, at any stage.
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace flexsn::cli {

namespace {

flexsn::Form formOf(const Arguments &arguments) {
  std::string form = arguments.get("--as").value_or("cuda");
  return form == "neuron"  ? flexsn::Form::neuron
         : form == "scan"  ? flexsn::Form::scan
         : form == "llvm"  ? flexsn::Form::llvm
         : form == "asm"   ? flexsn::Form::assembly
         : form == "obj"   ? flexsn::Form::object
         : form == "ptx"   ? flexsn::Form::ptx
         : form == "cubin" ? flexsn::Form::cubin
                           : flexsn::Form::cuda;
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

/// What is asked for: one text, or several of kernels and architectures.
struct Wish {
  flexsn::Emit what;
  std::vector<flexsn::Kernel> kernels;
  std::vector<std::string> archs; ///< at least one; "" is this machine's
  std::string form;               ///< as the command line has it
  std::string path;               ///< "-": standard output

  bool isStage() const { return !what.stop_after.empty(); }
  bool isCuda() const { return !isStage() && what.form >= flexsn::Form::cuda; }
  /// A stage of a GPU's way, if the architecture is one's.
  bool isGpuStage() const { return isStage() && isGpu(archs.front()); }
  /// Code of one architecture of a GPU.
  bool isGpuCode() const { return !isStage() && (what.form == flexsn::Form::ptx || what.form == flexsn::Form::cubin); }
  bool isBinary() const {
    return !isStage() && (what.form == flexsn::Form::object || what.form == flexsn::Form::cubin);
  }
  size_t pieces() const { return kernels.size() * archs.size(); }
};

/// The architectures: GPUs' for what is made for GPUs, one CPU for the rest.
std::vector<std::string> archsOf(const Arguments &arguments, const Wish &wish) {
  std::vector<std::string> archs = archList(arguments);
  for (const std::string &arch : archs)
    if (!arch.empty() && wish.isCuda() != isGpu(arch) && !wish.isStage())
      failUsage(wish.isCuda()
                    ? fmt::format("'--arch {}': '--as {}' is for GPUs", printable(arch), wish.form)
                    : fmt::format("'--arch {}' is a GPU's, and '--as {}' is for CPUs", printable(arch), wish.form),
                wish.isCuda() ? "an architecture is sm_ and its number, as in sm_90" : "");
  if (archs.size() > 1 && wish.isCuda() && !wish.isGpuCode())
    failUsage("'--arch' takes one architecture here: one text of CUDA C++ serves all of them");
  if (archs.size() > 1 && !wish.isGpuCode())
    failUsage("'--arch' takes several architectures for ptx and cubin alone");
  return archs;
}

Wish wishOf(const Arguments &arguments) {
  Wish wish;
  wish.what.stop_after = stageOf(arguments);
  wish.form = arguments.get("--as").value_or("cuda");
  if (!wish.isStage())
    wish.what.form = formOf(arguments);
  else if (arguments.has("--as"))
    failUsage("'--as' and '--stop-after' exclude each other");
  if (arguments.get("--layout") == "strided")
    wish.what.layout = flexsn::Layout::strided;
  if (arguments.get("--access") == "scalar")
    wish.what.access = flexsn::Access::scalar;
  wish.kernels = kernelsOf(arguments);
  wish.archs = archsOf(arguments, wish);
  if (arguments.has("--access") && !wish.isCuda() && !wish.isGpuStage())
    failUsage("'--access' is for GPUs: for cuda, ptx and cubin, and stages with a GPU's --arch");
  wish.path = arguments.get("--output").value_or("-");
  return wish;
}

/// Each {name} in the output's name stands for something of a piece.
void checkPlaceholders(const Wish &wish) {
  std::vector<std::string> known;
  if (wish.isCuda())
    known.emplace_back("{kernel}");
  if (wish.isGpuCode())
    known.emplace_back("{arch}");
  for (size_t at = wish.path.find('{'); at != std::string::npos; at = wish.path.find('{', at + 1)) {
    size_t end = wish.path.find('}', at);
    if (end == std::string::npos)
      return;
    std::string place = wish.path.substr(at, end + 1 - at);
    if (std::find(known.begin(), known.end(), place) != known.end())
      continue;
    std::string hint = place == "{arch}" && wish.isCuda() ? "one text of CUDA C++ serves all architectures"
                       : known.empty() ? "{kernel} and {arch} are for what is made for GPUs"
                                       : fmt::format("in a name stand {}", fmt::join(known, " and "));
    failUsage(fmt::format("'--output {}': nothing is called {} here", printable(wish.path), printable(place)), hint);
  }
}

/// Usage errors about where the result goes.
void checkPlace(const Wish &wish, const Arguments &arguments, const Console &console) {
  if (wish.what.form == flexsn::Form::object && wish.isBinary() && wish.kernels.size() > 1)
    failUsage("'--as obj' makes one object file: name one kernel");
  std::string hint = wish.pieces() > 1 ? "write them to files with -o, as in -o 'lif-{kernel}-{arch}.cubin'"
                                       : "write it to a file with -o FILE";
  if (wish.isBinary() && wish.path == "-" && arguments.has("--json"))
    failUsage(fmt::format("'--as {}' is binary, which JSON cannot hold", wish.form), hint);
  if (wish.isBinary() && wish.path == "-" && wish.pieces() > 1)
    failUsage(fmt::format("'--as {}' makes {} files", wish.form, wish.pieces()), hint);
  if (wish.isBinary() && wish.path == "-" && console.outTerminal())
    failUsage(fmt::format("{} is binary and does not go to a terminal",
                          wish.what.form == flexsn::Form::cubin ? "a cubin" : "an object file"),
              hint);
  if (wish.path == "-")
    return;
  checkPlaceholders(wish);
  if (!wish.isCuda())
    return;
  for (auto [place, count] : {std::pair("{arch}", wish.archs.size()), std::pair("{kernel}", wish.kernels.size())})
    if (count > 1 && wish.path.find(place) == std::string::npos)
      failUsage(
          fmt::format("'--output {}': {} files need {} names", printable(wish.path), wish.pieces(), wish.pieces()),
          fmt::format("{} in the name stands for each", place));
}

/// One text or binary, and where it goes.
struct Piece {
  flexsn::Kernel kernel;
  std::string arch, path, text;
};

/// The name with what its places stand for.
std::string filled(std::string path, const Piece &piece) {
  for (const auto &[place, name] : {std::pair("{arch}", piece.arch), std::pair("{kernel}", kernelName(piece.kernel))})
    for (size_t at = path.find(place); at != std::string::npos; at = path.find(place, at + name.size()))
      path.replace(at, std::string_view(place).size(), name);
  return path;
}

/// All of them; what NVRTC compiles side by side, since each takes a fraction of a second.
std::vector<Piece> emitAll(const Wish &wish, const flexsn::Model &model, const flexsn::Options &options) {
  std::vector<Piece> pieces;
  std::vector<std::future<std::string>> texts;
  for (flexsn::Kernel kernel : wish.kernels)
    for (const std::string &arch : wish.archs) {
      flexsn::Emit what = wish.what;
      what.kernel = kernel;
      what.arch = arch;
      pieces.push_back({kernel, arch.empty() ? "native" : arch, wish.path, ""});
      if (wish.isCuda())
        pieces.back().path = filled(wish.path, pieces.back());
      texts.push_back(std::async(wish.isGpuCode() ? std::launch::async | std::launch::deferred : std::launch::deferred,
                                 [&model, &options, what] { return model.emit(what, options); }));
    }
  for (size_t i = 0; i < pieces.size(); ++i)
    pieces[i].text = texts[i].get();
  return pieces;
}

/// All pieces as one text for people. A comment says which is which: each is a translation unit of its own.
std::string joined(const Wish &wish, const std::string &model, const std::vector<Piece> &pieces) {
  std::string text;
  for (const Piece &piece : pieces) {
    text += text.empty() ? "" : "\n";
    if (wish.isCuda() && pieces.size() > 1)
      text += fmt::format("// {}, {} kernel{}{}\n", model, kernelName(piece.kernel), wish.isGpuCode() ? ", " : "",
                          wish.isGpuCode() ? piece.arch : "");
    text += piece.text;
  }
  return text;
}

/// What --json tells: the text itself, or the files it goes to.
Json envelope(const LoadedModel &loaded, const std::string &text, const std::vector<std::string> &files) {
  Json document = newDocument();
  document["model"] = loaded.model.name();
  if (files.empty())
    document["text"] = text;
  else if (files.size() == 1)
    document["file"] = files.front();
  else
    document["files"] = files;
  document["diagnostics"] = findingsJson(loaded.warnings);
  return document;
}

ExitStatus runEmit(const Arguments &arguments, Console &console) {
  Wish wish = wishOf(arguments);
  checkPlace(wish, arguments, console);
  flexsn::Options options = compileOptions(arguments);
  if (wish.path != "-")
    keepModelText(arguments.positionals, wish.path, "the result");
  LoadedModel loaded = loadModel(arguments, console);
  setWanted(arguments, wish.kernels, loaded.model, wish.what);
  std::vector<Piece> pieces = emitAll(wish, loaded.model, options);
  std::string text = joined(wish, loaded.model.name(), pieces);
  std::vector<std::pair<std::string, std::string>> results; // path, contents
  if (wish.path != "-" && wish.isCuda())
    for (Piece &piece : pieces)
      results.emplace_back(piece.path, std::move(piece.text));
  else if (wish.path != "-")
    results.emplace_back(wish.path, text);
  std::vector<PendingFile> files;
  std::vector<std::string> names;
  for (auto &[path, contents] : results) {
    files.emplace_back(path, contents);
    names.push_back(path);
  }
  std::string shown = files.empty() ? text : "";
  if (arguments.has("--json"))
    shown = printed(envelope(loaded, text, names));
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
          {"[OPTION]... [--as FORM] FILE", "[OPTION]... --stop-after STAGE FILE"},
          {"flexsnc emit @LIF -o lif.cu", "flexsnc emit @LIF --as cubin --arch sm_80,sm_90 -o 'lif.{arch}.cubin'",
           "flexsnc emit lif.fsn --stop-after simplify"},
          {"--model",   "--const",  "--surrogate", "--dims",  "--detach-reset", "--as",     "--stop-after",
           "--kernels", "--output", "--json",      "--dtype", "--out-dtype",    "--math",   "--device",
           "--arch",    "--layout", "--access",    "--wrt",   "-Wno-",          "-Werror=", "-Werror"},
          runEmit,
          nullptr,
          stageHelp};
}

} // namespace flexsn::cli
