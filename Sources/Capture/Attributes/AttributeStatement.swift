/// What discovery said of one handle.
struct AttributeStatement: Sendable {
  /// The ordinal of the attribute PDU that said it, in the whole capture.
  let moment: Int
  let handle: UInt16
  let meaning: AttributeMeaning
}
