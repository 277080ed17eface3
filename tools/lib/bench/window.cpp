// The sliding window of tachogram-bench in plain doubles: SDNN and RMSSD of the last 300 s at every beat, each beat
// added once and removed once. What its sums lose to rounding over the years is not repaired.
// Prints nanoseconds a beat and the sum of all RMSSD, by which tools/bench analysis sees that the work is the same.

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kBeats = 1'000'000;
constexpr std::int64_t kWindowMicroseconds = 300'000'000;
constexpr double kMinimumMilliseconds = 30'000;

struct Beat {
  double milliseconds;
  std::int64_t microseconds;
};

// SplitMix64, as Sources/TachogramTestKit has it.
std::uint64_t next(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

// The beats of Sources/tachogram-bench.
std::vector<Beat> beats() {
  std::vector<Beat> result;
  result.reserve(kBeats);
  std::uint64_t state = 4;
  double time = 0;
  for (std::size_t index = 0; index < kBeats; ++index) {
    const double milliseconds = static_cast<double>(750 + next(state) % 150) * 1000 / 1024;
    time += milliseconds * 1000;
    result.push_back({milliseconds, static_cast<std::int64_t>(time)});
  }
  return result;
}

// Sums over the beats first … last; differences are those within.
class Window {
 public:
  explicit Window(const std::vector<Beat>& beats) : beats_(beats) {}

  void advance(std::size_t last) {
    const double value = beats_[last].milliseconds;
    if (last > first_) squared_differences_ += square(value - beats_[last - 1].milliseconds);
    sum_ += value;
    squares_ += value * value;
    last_ = last;
    while (beats_[first_].microseconds <= beats_[last].microseconds - kWindowMicroseconds) remove_first();
  }

  double sdnn() const {
    const double count = static_cast<double>(last_ - first_ + 1);
    return count < 2 ? 0 : std::sqrt((squares_ - sum_ * sum_ / count) / (count - 1));
  }

  double rmssd() const {
    const double pairs = static_cast<double>(last_ - first_);
    return sum_ < kMinimumMilliseconds || pairs < 1 ? 0 : std::sqrt(squared_differences_ / pairs);
  }

 private:
  static double square(double value) { return value * value; }

  void remove_first() {
    const double value = beats_[first_].milliseconds;
    squared_differences_ -= square(beats_[first_ + 1].milliseconds - value);
    sum_ -= value;
    squares_ -= value * value;
    ++first_;
  }

  const std::vector<Beat>& beats_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  double squared_differences_ = 0;
};

}  // namespace

int main() {
  const std::vector<Beat> series = beats();
  Window window(series);
  double sdnn = 0;
  double rmssd = 0;
  const auto started = std::chrono::steady_clock::now();
  for (std::size_t index = 0; index < series.size(); ++index) {
    window.advance(index);
    sdnn += window.sdnn();
    rmssd += window.rmssd();
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - started;
  std::printf("{\"nanoseconds\": %.2f, \"rmssd\": %.6f, \"sdnn\": %.6f}\n", taken.count() / kBeats, rmssd, sdnn);
}
