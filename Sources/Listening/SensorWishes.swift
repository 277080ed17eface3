import BlueZ
import GATT
import TachogramCore

/// The measurements that straps are asked for beside the heart rate, and of which straps. Straps without a measurement are
/// received without it.
package struct SensorWishes: Hashable, Sendable {
  /// The word for all straps.
  package static let all = "all"

  /// The names or addresses of straps, or `all`, for each measurement.
  package var accelerometer: [String]
  package var ecg: [String]
  package var pulseIntervals: [String]

  /// Creates wishes; by default there are none.
  package init(accelerometer: [String] = [], ecg: [String] = [], pulseIntervals: [String] = []) {
    self.accelerometer = accelerometer
    self.ecg = ecg
    self.pulseIntervals = pulseIntervals
  }

  /// Creates wishes that hold for all straps.
  package init(accelerometer: Bool, ecg: Bool, pulseIntervals: Bool) {
    self.init(
      accelerometer: accelerometer ? [Self.all] : [], ecg: ecg ? [Self.all] : [],
      pulseIntervals: pulseIntervals ? [Self.all] : [])
  }

  /// Returns the streams of a strap that has these names. The movement of a sleeper needs the lowest rate and range of the
  /// accelerometer alone.
  func streams(of names: [String]) -> [SensorStreamRequest] {
    func isWished(_ words: [String]) -> Bool {
      words.contains { word in
        word == Self.all || names.contains { $0.lowercased() == word.lowercased() }
      }
    }
    var streams: [SensorStreamRequest] = []
    if isWished(accelerometer) { streams.append(SensorStreamRequest(.acceleration, sampleRate: 25, range: 2)) }
    if isWished(ecg) { streams.append(SensorStreamRequest(.ecg, sampleRate: 130)) }
    if isWished(pulseIntervals) { streams.append(SensorStreamRequest(.ppi)) }
    return streams
  }
}
