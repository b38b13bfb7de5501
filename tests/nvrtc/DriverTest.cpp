// The driver's facts, from libraries that pretend to be one.
#include "runtime/DriverFacts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

namespace flexsn::test {
namespace {

TEST(DriverFacts, ListDevices) {
  DriverFacts facts = driverFacts(FAKE_DRIVER);
  EXPECT_EQ(facts.version, "13.2");
  EXPECT_EQ(facts.problem, "");
  ASSERT_EQ(facts.devices.size(), 2u);
  EXPECT_EQ(facts.devices[0].name, "First");
  EXPECT_EQ(facts.devices[0].arch, 90);
  EXPECT_EQ(facts.devices[1].arch, 120);
  EXPECT_EQ(facts.devices[1].memory, uint64_t{71} << 30);
}

TEST(DriverFacts, SayWhyThereIsNoDevice) {
  EXPECT_EQ(driverFacts(FAKE_DRIVER_NO_DEVICE).problem, "cuInit: CUDA_ERROR_NO_DEVICE");
  EXPECT_EQ(driverFacts(FAKE_DRIVER_NO_DEVICE).version, "13.2");
  EXPECT_EQ(driverFacts(FAKE_DRIVER_BROKEN).problem, "cuInit: error 7777");
  EXPECT_EQ(driverFacts(FAKE_NVRTC).problem, FAKE_NVRTC " is no CUDA driver");
  DriverFacts none = driverFacts("/nowhere/libcuda.so.1");
  EXPECT_EQ(none.problem, "/nowhere/libcuda.so.1: cannot open shared object file: No such file or directory");
  EXPECT_EQ(none.version, "");
  EXPECT_TRUE(none.devices.empty());
}

TEST(DriverFacts, LookAtTheLengthOfALibrary) {
  namespace fs = std::filesystem;
  std::string part = (fs::temp_directory_path() / fmt::format("flexsn-part-{}.so", getpid())).string();
  fs::copy_file(FAKE_DRIVER, part);
  fs::resize_file(part, 2000);
  EXPECT_EQ(driverFacts(part).problem, part + ": is cut off: it ends after 2000 bytes");
  fs::remove(part);
}

} // namespace
} // namespace flexsn::test
