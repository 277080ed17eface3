import TachogramCore

/// The state of one connection in the filter of a capture.
struct MonitoredLink {
  /// Whether the frames of the connection may be written.
  enum Decision {
    case open
    case heartRate
    case other
  }

  /// Position in order of appearance.
  let number: Int
  /// The time of its first frame, in microseconds since 1970.
  let since: Int64
  var decision: Decision
  /// The address of the peer, or `nil` if the beginning of the connection was not captured.
  let peer: BluetoothAddress?
  /// The frame that announced the connection, for a late decision.
  let beginning: MonitorFrame?

  private var near = ChannelTracker()
  private var far = ChannelTracker()
  private var evidence = HeartRateEvidence()

  init(number: Int, since: Int64, decision: Decision, peer: BluetoothAddress?, beginning: MonitorFrame?) {
    self.number = number
    self.since = since
    self.decision = decision
    self.peer = peer
    self.beginning = beginning
  }

  /// Whether its attribute traffic has identified a heart-rate sensor.
  var hasEvidence: Bool { evidence.isFound }

  /// Returns the channel of a fragment of data, sent by this host or received from the peer.
  mutating func append(_ fragment: ArraySlice<UInt8>, isStart: Bool, isSent: Bool) -> ChannelTracker.Channel {
    if isSent {
      let (channel, pdu) = near.append(fragment, isStart: isStart)
      if let pdu { evidence.sent(pdu) }
      return channel
    }
    let (channel, pdu) = far.append(fragment, isStart: isStart)
    if let pdu { evidence.received(pdu) }
    return channel
  }
}
