/// The report of one input. The sections of its first strap stand at the top; further straps follow under `otherStraps`.
struct InputReport: Encodable {
  let capture: CaptureSection
  let main: StrapReport
  let otherStraps: [StrapReport]
  /// Why nothing in the input can be used, in a sentence; `nil` when something can.
  var refusal: String?

  private enum Key: String, CodingKey {
    case capture, otherStraps
  }

  func encode(to encoder: any Encoder) throws {
    try main.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(capture, forKey: .capture)
    if !otherStraps.isEmpty { try container.encode(otherStraps, forKey: .otherStraps) }
  }
}
