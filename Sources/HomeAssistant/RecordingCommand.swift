/// A command that Home Assistant sends for `StrapComponent.recording`.
package enum RecordingCommand: String, Hashable, Sendable, CaseIterable {
  case start
  case stop

  /// Returns `nil` for any other payload.
  package init?(payload: [UInt8]) {
    guard payload.count <= 8 else { return nil }
    self.init(rawValue: String(decoding: payload, as: UTF8.self))
  }
}
