import HRV
import TachogramCore
import TachogramTestKit

/// An endless train of beats: intervals in a range, about half of them whole ticks as from a strap and half in between
/// as from a correction, with a gap before one beat in `gapEvery`.
struct BeatGenerator {
  private var random: SplitMix64
  private let ticks: ClosedRange<UInt16>
  private let gapEvery: Int
  /// Where the last interval ended, in ms.
  private var clock: Double

  init(seed: UInt64, ticks: ClosedRange<UInt16> = 600...1200, gapEvery: Int = 200, start: MonotonicTime) {
    self.random = SplitMix64(seed: seed)
    self.ticks = ticks
    self.gapEvery = gapEvery
    self.clock = Double(start.microseconds) / 1000
  }

  mutating func next() -> SimulatedBeat {
    let raw = random.next()
    let tick = UInt64(ticks.lowerBound) + (raw & 0xFFFF) % UInt64(ticks.count)
    let followsGap = (raw >> 16) % UInt64(gapEvery) == 0
    let isWhole = (raw >> 40) & 1 == 0
    let fraction = isWhole ? 0 : Double((raw >> 41) & 0xFFFF) / 65_536
    let nn = NNInterval(milliseconds: (Double(tick) + fraction) * 1000 / 1024)
    if followsGap { clock += Double((raw >> 32) & 0xFF) * 100 }
    clock += nn.milliseconds
    return SimulatedBeat(
      nn: nn, time: MonotonicTime(microseconds: Int64(clock * 1000)), followsGap: followsGap,
      isArtifact: (raw >> 57) % 16 == 0,
    )
  }
}
