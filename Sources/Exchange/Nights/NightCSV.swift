import CommandProcess
import TachogramCore

/// A writer of a night as a table: a row per epoch of 30 s. Cells of what was not measured are empty.
struct NightCSV {
  /// Local start with its offset, stage, mean heart rate in beats per minute, movement in milli-g.
  static let heading = "start,stage,heart_rate_bpm,movement_mg"

  let night: NightExport

  func write(to sink: some ByteSink) throws {
    try sink.write(Self.heading + "\n")
    for (place, epoch) in night.epochs.enumerated() {
      let cells = [
        night.clock.text(night.start(of: place)), epoch.stage.rawValue, Self.number(epoch.heartRate, decimals: 10),
        Self.number(epoch.movement, decimals: 1000),
      ]
      try sink.write(cells.joined(separator: ",") + "\n")
    }
  }

  private static func number(_ value: Double?, decimals: Double) -> String {
    value.map { "\(($0 * decimals).rounded() / decimals)" } ?? ""
  }
}
