/// Notifications on one handle in a row while discovery on their connection said the same of it.
struct HandleStretch: Sendable {
  /// Position of its first notification among all of the handle.
  let first: Int
  /// What discovery said last on this connection; `nil` while it said nothing, or after Service Changed.
  var meaning: AttributeMeaning?
  /// What discovery on this connection said next; `nil` when it said nothing, or when Service Changed came before.
  var next: AttributeMeaning?
  /// Whether it stands for many stretches, more of which were not to be kept.
  var isMixed = false
  /// The ordinal of the PDU with its first notification, among the attribute PDUs of the whole capture.
  var moment = 0
  var count = 0
  /// Those whose record has no time.
  var withoutTime = 0
  /// Whether every value is a well-formed and plausible Heart Rate Measurement; known only where the meaning is not.
  var isPlausible = true
  /// Whether the notifications of the handle were switched on by its end.
  var isSubscribed = false

  /// Whether it has notifications of which discovery on their connection leaves open what they are.
  var isUnsure: Bool { count > 0 && (meaning == nil || isMixed) }

  init(first: Int, meaning: AttributeMeaning?) {
    self.first = first
    self.meaning = meaning
  }
}
