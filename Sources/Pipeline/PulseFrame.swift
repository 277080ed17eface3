import Beats
import GATT
import TachogramCore

/// The intervals of a frame of pulse-to-pulse intervals, as beats need them.
struct PulseFrame {
  /// The intervals, rounded from ms to ticks: by less than half a millisecond, where the sensor itself states an error of
  /// several.
  private(set) var intervals = RRIntervals()
  /// The intervals that the sensor reports as invalid, mostly because of movement.
  private(set) var doubtful = DoubtfulPositions.none

  init(_ bytes: [UInt8]) throws(GATTDecodingError) {
    // A sensor without pulses sends intervals of 0.
    let pulses = try PolarPPICodec.samples(ofFrame: bytes).filter { $0.interval > 0 }
    intervals = RRIntervals(pulses.lazy.map { RRInterval(milliseconds: Double($0.interval)) })
    for (position, pulse) in pulses.enumerated() where pulse.isBlocked { doubtful.insert(position) }
  }
}
