#include "tests/conformance/Cases.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>

namespace flexsn::conformance {
namespace {

using nlohmann::ordered_json; // outputs keep the text's order

Case parse(const ordered_json &json) {
  Case c;
  c.id = json.at("id");
  std::string file = json.at("file");
  c.family = file.substr(0, file.find('.'));
  c.model = json.at("model");
  c.dtype = json.at("dtype");
  c.stateless = json.value("stateless", false);
  c.steps = c.stateless ? 1 : json.at("T").get<size_t>();
  c.detachReset = json.at("options").value("detach_reset", false);
  c.shape = json.at("shape").get<std::vector<int64_t>>();
  if (int axis = json.value("channel_dim", std::numeric_limits<int>::min()); axis != std::numeric_limits<int>::min())
    c.channelDim = axis < 0 ? axis : axis + 1;
  for (const auto &[name, kind] : json.at("outputs").items())
    c.outputs.emplace_back(name, kind);
  c.continues = json.value("continues", "");
  c.bindingGradients = json.value("grads_binding", true);
  c.unbound = json.value("unbound", std::set<std::string>());
  if (json.contains("tol"))
    c.tolerances = json.at("tol").get<std::map<std::string, double>>();
  for (const auto &[key, description] : json.at("arrays").items())
    c.arrays.push_back(key);
  return c;
}

} // namespace

const std::vector<Case> &cases() {
  static std::map<std::string, std::map<std::string, StoredArray>> archives;
  static const std::vector<Case> all = [] {
    const std::string folder = FLEXSN_CONFORMANCE_DATA;
    std::ifstream file(folder + "/index.json");
    std::vector<Case> result;
    const ordered_json index = ordered_json::parse(file);
    for (const ordered_json &json : index.at("cases")) {
      Case c = parse(json);
      if (!archives.count(c.family))
        archives[c.family] = readArchive(folder + "/" + c.family + ".npz");
      c.archive = &archives[c.family];
      result.push_back(std::move(c));
    }
    return result;
  }();
  return all;
}

} // namespace flexsn::conformance
