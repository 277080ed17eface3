/// `max`, or a factor of the capture's own time.
package struct ReplaySpeed: Sendable {
  package static let max = ReplaySpeed(factor: nil)
  package static let real = ReplaySpeed(factor: 1)

  /// The factor, or `nil` for the highest possible speed.
  package let factor: Double?

  private init(factor: Double?) {
    self.factor = factor
  }

  /// Parses `max` or a number, or returns `nil` for other text.
  package init?(_ text: String) {
    if text == "max" {
      self.init(factor: nil)
    } else if let factor = Double(text), factor.isFinite, factor > 0 {
      self.init(factor: factor)
    } else {
      return nil
    }
  }

  package var text: String { factor.map { "\($0)" } ?? "max" }
}
