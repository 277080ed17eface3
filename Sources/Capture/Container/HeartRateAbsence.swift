import TachogramCore

/// The contents of a capture without heart-rate data, the most informative first.
package enum HeartRateAbsence: Hashable, Sendable {
  /// No record could be read.
  case noRecords
  /// The link layer was encrypted: this number of packets could not be read.
  case encrypted(packets: Int)
  /// There were notifications, but on handles that are not known to carry heart rate.
  case unidentifiedHandles([UInt16])
  /// The Heart Rate Measurement characteristic was discovered, but it did not notify.
  case noNotifications
  /// There were records, but no attribute protocol in them.
  case noAttributeTraffic(records: Int)
  /// There were heart-rate notifications, but none of them can be used.
  case unusable(LeftOutCounts)
  /// There was attribute traffic, but no notification that could be heart rate.
  case noHeartRateService(records: Int)
}

extension HeartRateAbsence: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noRecords:
      "no record could be read"
    case .encrypted(let packets):
      "the link is encrypted (\(packets) packets unreadable); capture on the host (HCI), or decrypt it first"
    case .unidentifiedHandles(let handles):
      "notifications on handle(s) \(Self.list(handles)) only, "
        + "none known to be Heart Rate Measurement; if one of them is, name it with --handle"
    case .noNotifications:
      "a strap's Heart Rate Service was discovered, but no measurement was notified"
    case .unusable(let leftOut):
      "none of the \(leftOut.total) heart-rate notifications can be used (\(leftOut.description)); "
        + (leftOut[.withoutTime] > 0
          ? "their records have no time, or one for all; capture with times, in pcapng in Enhanced Packet Blocks"
          : "if a handle carries heart rate, name it with --handle")
    case .noAttributeTraffic(let records):
      "none of the \(records) records carries attribute protocol (GATT) traffic"
    case .noHeartRateService(let records):
      "the GATT traffic in the \(records) records has no Heart Rate Measurement notification"
    }
  }
  /// Returns a list of the first handles, which fits into a line.
  private static func list(_ handles: [UInt16]) -> String {
    let named = handles.prefix(8).map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    return handles.count > 8 ? "\(named) and \(handles.count - 8) others" : named
  }
}
