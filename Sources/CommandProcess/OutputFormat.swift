/// The format of a command's results.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Text for people.
  case text
  /// One JSON object.
  case json
  /// One JSON object per line and event.
  case ndjson
}
