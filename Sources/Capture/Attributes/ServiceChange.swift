/// A Service Changed indication (Core Specification 5.4, Vol 3, Part G, 7.1): from then on, the meaning of these handles is
/// unknown.
struct ServiceChange: Sendable {
  /// The ordinal of the indication among the attribute PDUs of the whole capture.
  let moment: Int
  let handles: ClosedRange<UInt16>

  /// Whether it affects all handles, as most do. No other indication has such a value.
  var isOfAll: Bool { handles == 1...0xFFFF }

  /// Reads the first and the last handle in the value of an indication, or returns `nil` if it is not a range of handles.
  init?(_ value: Span<UInt8>, at moment: Int) {
    guard value.count == 4, let first = value.littleEndian16(at: 0), let last = value.littleEndian16(at: 2),
      first > 0, first <= last
    else { return nil }
    self.moment = moment
    handles = first...last
  }
}
