import NIOCore

/// Refuses a first message that is larger than any browser sends. OpenSSL reserves what the message's length claims, 128 KiB at
/// most, before any callback runs, so any peer could cause that with nine bytes.
struct FirstMessageLimit {
  enum Verdict: Equatable {
    /// More bytes are needed.
    case unknown
    /// The bytes may be passed to OpenSSL.
    case accepted
    /// The message is too large, or its length is split over two records.
    case tooLarge
  }

  /// The type of the record that begins a handshake.
  private static let handshakeRecord: UInt8 = 22
  /// The longest first message, in bytes.
  private static let limit = 16 * 1024
  /// Type, version and length of the record, type and length of the message in it.
  private static let size = 5 + 4

  private var bytes: [UInt8] = []

  mutating func append(_ more: ByteBuffer) -> Verdict {
    bytes += more.readableBytesView.prefix(Self.size - bytes.count)
    guard let first = bytes.first else { return .unknown }
    guard first == Self.handshakeRecord else { return .accepted }
    guard bytes.count == Self.size else { return .unknown }
    let (record, message) = (Self.number(bytes[3...4]), Self.number(bytes[6...8]))
    return record >= 4 && message <= Self.limit ? .accepted : .tooLarge
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
