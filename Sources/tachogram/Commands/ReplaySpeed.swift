import ArgumentParser

/// `max`, or a factor of the capture's own time.
struct ReplaySpeed: ExpressibleByArgument {
  static let max = ReplaySpeed(factor: nil)
  static let real = ReplaySpeed(factor: 1)

  /// `nil` for as fast as it goes.
  let factor: Double?

  private init(factor: Double?) {
    self.factor = factor
  }

  init?(argument: String) {
    if argument == "max" {
      self.init(factor: nil)
    } else if let factor = Double(argument), factor.isFinite, factor > 0 {
      self.init(factor: factor)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { factor.map { "\($0)" } ?? "max" }
}
