/// A named instant of a session, such as "coffee" or "lights off".
package struct SessionMarker: Hashable, Sendable {
  /// A UUID in lower case.
  package let id: String
  /// The instant on the monotonic axis of the session.
  package let time: MonotonicTime
  package let text: String

  package init(id: String, time: MonotonicTime, text: String) {
    self.id = id
    self.time = time
    self.text = text
  }
}
