/// One connection with a strap within a session. Beats are never joined across two links.
package struct StrapLink: Hashable, Sendable {
  /// The ordinal within the session, counted from 0.
  package var number: Int
  /// The identifier of the boot whose monotonic clock is used, or `nil` in a replay, which uses the clock of the capture.
  package var bootID: String?
  /// The attribute handle that carries Heart Rate Measurements.
  package var handle: UInt16
  package var handleSource: HandleSource

  package init(number: Int, bootID: String? = nil, handle: UInt16, handleSource: HandleSource) {
    self.number = number
    self.bootID = bootID
    self.handle = handle
    self.handleSource = handleSource
  }
}
