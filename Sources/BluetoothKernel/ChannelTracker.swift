/// Assigns the fragments that one end of a connection sends, and puts attribute PDUs together.
struct ChannelTracker {
  /// What a fragment is part of.
  enum Channel {
    /// The Attribute Protocol.
    case attribute
    /// LE signalling: requests for other connection parameters.
    case signalling
    /// Identity Address Information: who a peer with a changing address is. No secret.
    case identity
    /// The Security Manager: keys, and what keys can be computed from.
    case secret
    /// Anything else that a link may carry.
    case other
    /// The beginning was too short, or was not received.
    case unreadable
  }

  /// Longer attribute PDUs are not put together; the Attribute Protocol's longest value makes 515 bytes.
  private static let longest = 1024
  private static let headerLength = 4

  private var channel = Channel.unreadable
  private var partial: [UInt8] = []
  private var missing = 0

  /// The channel of a fragment, and the attribute PDU that it completes.
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
    // A second fragment of an identity would be something else.
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
