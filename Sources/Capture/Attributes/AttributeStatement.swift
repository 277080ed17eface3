/// The meaning of one handle according to discovery.
struct AttributeStatement: Sendable {
  /// The ordinal of the attribute PDU with the statement, in the whole capture.
  let moment: Int
  let handle: UInt16
  let meaning: AttributeMeaning
}
