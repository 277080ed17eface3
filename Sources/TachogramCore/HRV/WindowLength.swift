/// The nominal length of a sliding window.
package struct WindowLength: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The lengths of the recorded windows, the shortest first.
  package static let recorded: [WindowLength] = [.minute, .twoMinutes, .fiveMinutes]
  package static let minute = WindowLength(seconds: 60)
  package static let twoMinutes = WindowLength(seconds: 120)
  /// The length of the windows from which stress, the spectrum and baselines are computed.
  package static let fiveMinutes = WindowLength(seconds: 300)

  /// The length in seconds, at least 1.
  package let seconds: Int

  package init(seconds: Int) {
    self.seconds = seconds
  }

  /// Creates a length in seconds.
  package init(integerLiteral seconds: Int) {
    self.init(seconds: seconds)
  }

  package var duration: Duration { .seconds(seconds) }

  /// The length in microseconds, the unit of instants.
  package var microseconds: Int64 { Int64(seconds) * 1_000_000 }

  package static func < (left: WindowLength, right: WindowLength) -> Bool { left.seconds < right.seconds }
}
