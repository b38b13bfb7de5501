// Code for GPUs through the C interface, as far as no NVRTC is needed: tests/nvrtc has the rest.
#include "tests/abi/Support.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flexsn::test {
namespace {

TEST(Emit, ForGpus) {
  Model model = Model::parse(lif);
  Emit what;
  what.form = Form::cuda;
  std::string vector = model.emit(what);
  EXPECT_NE(vector.find("vector accesses"), std::string::npos);
  what.access = Access::scalar;
  EXPECT_NE(model.emit(what).find("scalar accesses"), std::string::npos);
  what.access = static_cast<Access>(2);
  EXPECT_EQ(errorOf([&] { model.emit(what); }).code(), Code::argument);
  what.access = Access::scalar;
  what.form = Form::assembly;
  EXPECT_EQ(messageOf([&] { model.emit(what); }), "emit_options.access is 1, but only kernels for a GPU have one");
  what = {};
  what.form = Form::cubin;
  what.arch = "sm_none";
  Error error = errorOf([&] { model.emit(what); });
  EXPECT_EQ(error.code(), Code::argument);
  EXPECT_EQ(error.message(), "'sm_none' is no architecture of a GPU; write sm_ and its number, as in sm_90");
  what.form = static_cast<Form>(8);
  EXPECT_EQ(errorOf([&] { model.emit(what); }).code(), Code::argument);
}

TEST(Explain, IsAboutTheGpuThatIsNamed) {
  Emit what;
  what.arch = "sm_90";
  Explanation facts = Model::parse(lif, "lif.fsn").explain(what);
  std::vector<std::string> schedule;
  for (const Fact &fact : facts.schedule)
    schedule.push_back(fact.name);
  EXPECT_EQ(schedule, (std::vector<std::string>{"neurons", "chunk", "dividing", "threads", "blocks", "layout",
                                                "invariants", "limit"}));
  EXPECT_EQ(facts.schedule.back().category, "memory");
  if (facts.code.empty()) { // no NVRTC here
    EXPECT_EQ(facts.remarks.back().name, "nvrtc");
  } else {
    EXPECT_EQ(facts.code[0].name, "registers");
    EXPECT_GT(facts.code[0].value, 0);
    EXPECT_EQ(facts.code[1].name, "local");
    EXPECT_EQ(facts.code[1].value, 0);
  }
}

} // namespace
} // namespace flexsn::test
