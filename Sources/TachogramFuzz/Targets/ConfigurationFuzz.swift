import Station
import TachogramTestKit

/// A configuration file, read as the station reads it: the result is a configuration, or the errors with their lines.
enum ConfigurationFuzz {
  /// Returns `false` for files that are not YAML or not a configuration.
  static func run(_ bytes: [UInt8]) throws -> Bool {
    try MemoryFile.withPath(bytes) { path in
      let loader = ConfigurationLoader(file: path, environment: [:])
      do {
        try check(try loader.values(), path)
        try check(try loader.load())
        return true
      } catch let problems as ConfigurationLoader.Problems {
        try FuzzFinding.unless(!problems.lines.isEmpty, "refused without a reason")
        // Problems of the file come first, then those of conflicting keys.
        try FuzzFinding.unless(problems.lines.allSatisfy { $0.count > path.count }, "\(problems.lines)")
        return problems.lines.allSatisfy { !$0.hasPrefix("\(path): ") }
      }
    }
  }

  private static func check(_ values: [ConfigurationLoader.Value], _ path: String) throws {
    try FuzzFinding.unless(values.map(\.setting) == Setting.all, "a setting is missing, or told twice")
    for value in values {
      switch value.origin {
      case .default:
        try FuzzFinding.unless(value.text == value.setting.defaultValue, "\(value.setting.path) is not its default")
      case .file(let place):
        let line = place.hasPrefix(path + ":") ? Int(place.dropFirst(path.count + 1)) : nil
        try FuzzFinding.unless((line ?? 0) > 0, "\(value.setting.path) is written at \(place)")
      case .flag, .environment, .page:
        throw FuzzFinding(description: "\(value.setting.path) is from \(value.origin)")
      }
    }
  }

  private static func check(_ configuration: StationConfiguration) throws {
    try FuzzFinding.unless((0...65_535).contains(configuration.http.port), "port \(configuration.http.port)")
    for span in [configuration.session.endAfter, configuration.storage.commit] {
      try FuzzFinding.unless(span.seconds > 0, "a span of \(span.seconds) s")
      try FuzzFinding.unless(TimeSpan(text: span.text) == span, "\(span.text) is not what was read")
    }
  }
}
