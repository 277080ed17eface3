/// Consecutive notifications on one handle with the same meaning according to discovery on their connection.
struct HandleStretch: Sendable {
  /// The position of its first notification among all notifications of the handle.
  let first: Int
  /// The last meaning from discovery on this connection; `nil` before any discovery of the handle, or after Service Changed.
  var meaning: AttributeMeaning?
  /// The next meaning from discovery on this connection; `nil` if there is none, or if Service Changed precedes it.
  var next: AttributeMeaning?
  /// Whether it combines many stretches that were not kept separately.
  var isMixed = false
  /// The ordinal of the PDU with its first notification, among the attribute PDUs of the whole capture.
  var moment = 0
  var count = 0
  /// The number of notifications whose record has no time.
  var withoutTime = 0
  /// Whether every value is a well-formed and plausible Heart Rate Measurement. Checked only if `meaning` is `nil`.
  var isPlausible = true
  /// Whether the notifications of the handle were switched on at the end of the stretch.
  var isSubscribed = false

  /// Whether it has notifications whose meaning is unknown from discovery on their connection.
  var isUnsure: Bool { count > 0 && (meaning == nil || isMixed) }

  init(first: Int, meaning: AttributeMeaning?) {
    self.first = first
    self.meaning = meaning
  }
}
