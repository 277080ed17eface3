import ArgumentParser

/// How a command writes its results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people.
  case text
  /// One object.
  case json
  /// A line an event.
  case ndjson
}
