/// A time of the day, in minutes from 00:00.
package struct ClockTime: Hashable, Sendable {
  package let minutes: Int

  /// Parses a text such as 07:30. Returns `nil` for any other text.
  package init?(text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }
}
