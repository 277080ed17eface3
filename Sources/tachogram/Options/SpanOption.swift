import ArgumentParser

/// A span of time on the command line: `90`, `90s`, `10m`, `1.5h`.
struct SpanOption: ExpressibleByArgument {
  private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
  private static let longestSeconds = 366.0 * 86_400

  let seconds: Double

  init(seconds: Double) {
    self.seconds = seconds
  }

  init?(argument: String) {
    let unit = argument.last.flatMap { Self.units[$0] }
    guard let value = Double(unit == nil ? argument : String(argument.dropLast())), value.isFinite, value > 0,
      value * (unit ?? 1) <= Self.longestSeconds
    else { return nil }
    seconds = value * (unit ?? 1)
  }

  var duration: Duration { .microseconds(Int64((seconds * 1e6).rounded())) }

  var defaultValueDescription: String { "\(Int(seconds))s" }
}
