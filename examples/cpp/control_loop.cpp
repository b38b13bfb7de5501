// A spiking controller at 1 kHz: 128 neurons see how far a motor is from its wanted speed, their spikes drive it. One
// time step a tick, by a call that is bound once and then allocates, locks and asks the system for nothing.
//
//   control_loop [TICKS]     default: 2000, two seconds
#include <flexsn/flexsn.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

/// Counts durations by powers of two of a unit, in memory that is there before the loop starts.
class Histogram {
public:
  void add(double value) {
    const int bin = value < 1 ? 0 : 1 + std::ilogb(value);
    ++counts[static_cast<std::size_t>(std::min(bin, bins - 1))];
    largest = std::max(largest, value);
  }
  void print(const char *title, const char *unit) const {
    std::printf("%s, largest %.1f %s\n", title, largest, unit);
    const int most = *std::max_element(counts.begin(), counts.end());
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0)
        std::printf("  below %6.0f %s %6d %s\n", std::ldexp(1.0, static_cast<int>(i)), unit, counts[i],
                    std::string(static_cast<std::size_t>(50 * counts[i] / most), '#').c_str());
  }

private:
  static constexpr int bins = 20;
  std::array<int, bins> counts{};
  double largest = 0;
};

/// Turns with inertia: its speed follows the command within some 50 ms.
struct Motor {
  double speed = 0;
  void tick(double command) { speed += (command - speed) / 50; }
};

constexpr const char *text = R"(
neuron Controller:
  input  error
  state  v = 0
  param  tau = 5.0, v_th = 1.0
  v = v + (error - v) / tau
  s = spike(v - v_th)
  v = v - s * v_th
  output s
)";

double microseconds(Clock::duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

void run(int ticks) {
  // Half of the neurons fire for errors above zero, the others for those below, each with a gain of its own.
  constexpr std::size_t N = 128;
  std::vector<float> error(N), spikes(N), v(N);
  auto gain = [](std::size_t n) { return (n % 2 ? -4.0 : 4.0) * (1 + static_cast<double>(n) / N); };

  flexsn::Neuron controller = flexsn::Model::parse(text, "controller.fsn").compile();
  flexsn::Call call;
  call.inputs = {flexsn::view(error, {1, N})}; // T = 1: one step a call
  call.outputs = {flexsn::view(spikes, {1, N})};
  call.initial_states = {{"v", flexsn::view(v, {N})}};
  call.final_states = {{"v", flexsn::view(v, {N})}}; // the same memory: the state stays where it is
  flexsn::Bound step = controller.bind(call);        // checks, compiles, loads

  Motor motor;
  double command = 0, wanted = 0;
  Histogram late, duration;
  Clock::time_point due = Clock::now();
  for (int tick = 0; tick < ticks; ++tick) {
    due += std::chrono::milliseconds(1);
    std::this_thread::sleep_until(due);
    const Clock::time_point begin = Clock::now();

    wanted = tick / 500 % 2 ? 2.0 : 3.0;
    for (std::size_t n = 0; n < N; ++n)
      error[n] = static_cast<float>(gain(n) * (wanted - motor.speed));
    if (!step.run())
      throw std::runtime_error("the step did not run");
    for (std::size_t n = 0; n < N; ++n)
      command += static_cast<double>(spikes[n]) * (n % 2 ? -1 : 1) * 5e-4;
    motor.tick(command);

    duration.add(microseconds(Clock::now() - begin));
    late.add(microseconds(begin - due));
  }
  std::printf("%d ticks; the motor turns at %.2f, wanted is %.0f\n", ticks, motor.speed, wanted);
  late.print("awake too late", "us");
  duration.print("work of a tick", "us");
}

} // namespace

int main(int argc, char **argv) {
  try {
    const long ticks = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 2000;
    run(static_cast<int>(std::clamp(ticks, 1L, 1'000'000L)));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
