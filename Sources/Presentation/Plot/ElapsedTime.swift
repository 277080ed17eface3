/// Formats time from the start of a recording for people.
package enum ElapsedTime {
  private static let steps: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400,
  ]

  /// `4:05` for minutes and seconds, `1:04:05` from an hour on.
  package static func text(_ seconds: Double) -> String {
    let total = Int(max(0, seconds).rounded())
    let (minutes, second) = (total / 60, total % 60)
    if total < 3600 { return "\(minutes):\(padded(second))" }
    return "\(minutes / 60):\(padded(minutes % 60)):\(padded(second))"
  }

  /// Returns round times from 0 to `seconds`, in at most `most` steps.
  package static func ticks(upTo seconds: Double, most: Int) -> [Double] {
    let step = steps.first { seconds / $0 <= Double(most) } ?? (seconds / Double(most) / 86_400).rounded(.up) * 86_400
    return Array(stride(from: 0, through: seconds, by: step))
  }

  /// Returns the label of a round time: hours and minutes for a recording of an hour or more, else minutes and seconds.
  package static func tick(_ seconds: Double, of length: Double) -> String {
    let (large, small) = Int((length >= 3600 ? seconds / 60 : seconds).rounded()).quotientAndRemainder(dividingBy: 60)
    return "\(large):\(padded(small))"
  }

  /// Returns the title of the time axis.
  package static func axis(of length: Double) -> String { length >= 3600 ? "time (h:min)" : "time (min:s)" }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
