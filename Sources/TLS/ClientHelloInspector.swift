import NIOCore

/// The first bytes of a connection. OpenSSL makes room for as much as a first message says that it has, 128 KiB at most, which
/// costs whoever connects nine bytes; no browser's has more than some KiB.
struct ClientHelloInspector {
  enum Verdict: Equatable {
    /// More bytes are needed.
    case unknown
    /// A handshake as it should be.
    case begun
    /// No TLS.
    case plain
    /// It says that it is, or hides it.
    case tooLarge
  }

  /// The first byte of whatever begins a handshake.
  private static let handshakeRecord: UInt8 = 22
  /// The longest first message, in bytes.
  private static let limit = 16 * 1024
  /// Kind, version and length of the record, kind and length of the message in it.
  private static let size = 5 + 4

  private var bytes: [UInt8] = []

  mutating func append(_ more: ByteBuffer) -> Verdict {
    bytes += more.readableBytesView.prefix(Self.size - bytes.count)
    guard let first = bytes.first else { return .unknown }
    guard first == Self.handshakeRecord else { return .plain }
    guard bytes.count == Self.size else { return .unknown }
    // A record that ends within the message's own head would hide what that says.
    let (record, message) = (Self.number(bytes[3...4]), Self.number(bytes[6...8]))
    return record >= 4 && message <= Self.limit ? .begun : .tooLarge
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
