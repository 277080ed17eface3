/// A Service Changed indication (Core Specification 5.4, Vol 3, Part G, 7.1): from then on, nothing that was known of these
/// handles holds.
struct ServiceChange: Sendable {
  /// The ordinal of the indication among the attribute PDUs of the whole capture.
  let moment: Int
  let handles: ClosedRange<UInt16>

  /// Whether it is about all handles, as most are: such an indication can be nothing else.
  var isOfAll: Bool { handles == 1...0xFFFF }

  /// Reads the value of the indication: the first and the last handle; `nil` when it is none.
  init?(_ value: Span<UInt8>, at moment: Int) {
    guard value.count == 4, let first = value.littleEndian16(at: 0), let last = value.littleEndian16(at: 2),
      first > 0, first <= last
    else { return nil }
    self.moment = moment
    handles = first...last
  }
}
