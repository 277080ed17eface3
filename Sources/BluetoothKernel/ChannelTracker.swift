/// Assigns the fragments that one end of a connection sends to their channels, and reassembles attribute PDUs.
struct ChannelTracker {
  /// The channel that a fragment belongs to.
  enum Channel {
    /// The Attribute Protocol.
    case attribute
    /// LE signalling: requests for other connection parameters.
    case signalling
    /// Identity Address Information: the fixed address of a peer whose address changes. It is not secret.
    case identity
    /// The Security Manager: keys, and data from which keys can be computed.
    case secret
    /// Anything else that a link may carry.
    case other
    /// The beginning was too short, or was not received.
    case unreadable
  }

  /// The length above which attribute PDUs are not reassembled. The longest value of the Attribute Protocol makes a PDU of 515
  /// bytes.
  private static let longest = 1024
  private static let headerLength = 4

  private var channel = Channel.unreadable
  private var partial: [UInt8] = []
  private var missing = 0

  /// Returns the channel of a fragment, and the attribute PDU that it completes.
  mutating func append(
    _ fragment: ArraySlice<UInt8>, isStart: Bool
  ) -> (channel: Channel, attribute: ArraySlice<UInt8>?) {
    if isStart {
      partial = []
      missing = 0
      guard fragment.count >= Self.headerLength else {
        channel = .unreadable
        return (channel, nil)
      }
      let header = Array(fragment.prefix(Self.headerLength))
      let length = Int(header[0]) | Int(header[1]) << 8
      channel = Self.channel(
        UInt16(header[2]) | UInt16(header[3]) << 8, payload: fragment.dropFirst(Self.headerLength), length: length)
      missing = channel == .attribute && length <= Self.longest ? length : 0
    }
    let current = channel
    // An identity fits in one fragment: what follows it is treated as secret.
    if current == .identity { channel = .secret }
    guard missing > 0 else { return (current, nil) }
    partial += fragment.dropFirst(isStart ? Self.headerLength : 0).prefix(missing - partial.count)
    guard partial.count == missing else { return (current, nil) }
    defer {
      partial = []
      missing = 0
    }
    return (current, partial[...])
  }

  private static func channel(_ number: UInt16, payload: ArraySlice<UInt8>, length: Int) -> Channel {
    switch number {
    case 0x0004: .attribute
    case 0x0005: .signalling
    case 0x0006: payload.first == 0x09 && length == 8 && payload.count == length ? .identity : .secret
    case 0x0007: .secret
    default: .other
    }
  }
}
