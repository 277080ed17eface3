import TachogramCore

/// The value of a marker in an edit: the session, the time on its axis in microseconds, and the text, in a line each.
struct MarkerValue: Hashable {
  let session: String
  let time: MonotonicTime
  let label: String

  init(_ marker: SessionMarker, session: String) {
    (self.session, time, label) = (session, marker.time, marker.text)
  }

  /// Decodes the text of a value. Returns `nil` for any other text.
  init?(text: String) {
    let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let microseconds = Int64(parts[1]), microseconds.magnitude < 1 << 53, !parts[2].isEmpty
    else {
      return nil
    }
    (session, time, label) = (String(parts[0]), MonotonicTime(microseconds: microseconds), String(parts[2]))
  }

  var text: String { "\(session)\n\(time.microseconds)\n\(label)" }

  /// The marker with an identifier.
  func marker(_ id: String) -> SessionMarker { SessionMarker(id: id, time: time, text: label) }
}
