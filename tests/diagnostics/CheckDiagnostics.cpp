// flexsn-check-diagnostics [--update] [--coverage EXCEPTIONS] FILE-OR-FOLDER...
//
// Holds every .fsn file against the expectations in it. Where NAME.txt stands beside NAME.fsn, the whole rendering must
// be equal to it (--update writes it anew). With --coverage, every kind of Diagnostics.def must occur in some file or
// stand in EXCEPTIONS as `Kind: reason`, and nothing may stand there in vain.
#include "tests/diagnostics/Expectations.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

using namespace flexsn;
namespace fs = std::filesystem;

static std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

static std::vector<fs::path> testFiles(const std::vector<fs::path> &places) {
  std::vector<fs::path> files;
  for (const fs::path &place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto &entry : fs::recursive_directory_iterator(place))
      if (entry.path().extension() == ".fsn")
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The complaints about one file; the kinds that occurred are added to `seen`.
static std::vector<std::string> checkFile(const fs::path &path, bool update, std::set<DiagnosticId> &seen) {
  if (!fs::exists(path))
    return {"no such file"};
  const auto source = std::make_shared<const Source>(path.filename().string(), readFile(path));
  const test::TestFile expected = test::readTestFile(*source);
  const std::vector<Diagnostic> found = test::findings(source, expected.lints, expected.check);
  std::vector<std::string> complaints = test::compare(expected, *source, found);
  std::string rendered;
  for (const Diagnostic &diagnostic : found) {
    seen.insert(diagnostic.id);
    rendered += render(diagnostic, *source);
  }
  const fs::path golden = fs::path(path).replace_extension(".txt");
  if (!fs::exists(golden))
    return complaints;
  if (update)
    std::ofstream(golden, std::ios::binary) << rendered;
  else if (readFile(golden) != rendered)
    complaints.push_back(
        fmt::format("differs from {}; the rendering is now\n{}", golden.filename().string(), rendered));
  return complaints;
}

/// Compares the list of kinds with what occurred, in both directions.
static std::vector<std::string> checkCoverage(const fs::path &exceptionFile, const std::set<DiagnosticId> &seen) {
  std::vector<std::string> complaints;
  std::map<std::string, bool, std::less<>> exceptions; // and whether the kind exists
  std::ifstream stream(exceptionFile);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.starts_with("#"))
      continue;
    const size_t colon = line.find(": ");
    if (colon == line.npos || colon + 2 == line.size())
      complaints.push_back(fmt::format("exception without a reason: {}", line));
    exceptions[line.substr(0, colon)] = false;
  }
  for (size_t i = 0; i < test::diagnosticNames().size(); ++i) {
    const std::string_view name = test::diagnosticNames()[i];
    const bool occurs = seen.contains(static_cast<DiagnosticId>(i));
    const auto exception = exceptions.find(name);
    if (exception != exceptions.end())
      exception->second = true;
    if (!occurs && exception == exceptions.end())
      complaints.push_back(fmt::format("{} occurs in no test file", name));
    if (occurs && exception != exceptions.end())
      complaints.push_back(fmt::format("{} occurs in a test file and is no exception any more", name));
  }
  for (const auto &[name, exists] : exceptions)
    if (!exists)
      complaints.push_back(fmt::format("the exception {} is no kind of diagnostic", name));
  return complaints;
}

int main(int argc, char **argv) {
  bool update = false;
  std::optional<fs::path> exceptions;
  std::vector<fs::path> places;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--update")
      update = true;
    else if (argument == "--coverage" && i + 1 < argc)
      exceptions = argv[++i];
    else
      places.emplace_back(argument);
  }
  const std::vector<fs::path> files = testFiles(places);
  std::set<DiagnosticId> seen;
  size_t failures = 0;
  const auto print = [&](const std::string &where, const std::vector<std::string> &complaints) {
    for (const std::string &complaint : complaints)
      fmt::print("{}: {}\n", where, complaint);
    failures += complaints.size();
  };
  for (const fs::path &file : files)
    print(file.string(), checkFile(file, update, seen));
  if (exceptions)
    print(exceptions->string(), checkCoverage(*exceptions, seen));
  if (files.empty())
    print("flexsn-check-diagnostics", {"no test files"});
  fmt::print("{} files, {} complaints\n", files.size(), failures);
  return failures == 0 ? 0 : 1;
}
