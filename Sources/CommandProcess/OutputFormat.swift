/// How a command writes its results.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One object.
  case json
  /// A line an event.
  case ndjson
}
