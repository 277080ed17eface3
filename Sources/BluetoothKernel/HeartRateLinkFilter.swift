import TachogramCore

/// Decides which frames of the monitor channel a capture may hold.
///
/// The channel carries the traffic of every device near this host. By default a capture holds only the LE connections of
/// heart-rate sensors, with what a reader needs to follow them: the arrival and removal of adapters, the connection's
/// beginning, end, parameters and encryption state, its attribute traffic, its requests for other parameters, and the identity
/// of a peer whose address changes. The frames of a connection that is not yet recognised are held back, together with all
/// later frames, so that frames are written in order of time. After ten seconds a connection that was not recognised delays
/// other frames no longer. If it is recognised later, it is written from then on, preceded by the frame of its beginning with
/// the time of the recognition. A peer that was recognised once is recognised as soon as it connects again, because bluetoothd
/// caches its services and does not discover them again.
///
/// Whatever the scope, the following is never written: keys and data from which keys can be computed (`MonitorSecrets`, the
/// Security Manager's traffic, vendor commands and events), the traffic between programs and the kernel, and audio.
package struct HeartRateLinkFilter: Sendable {
  package enum Scope: Sendable {
    case heartRateLinks
    /// Everything that is not secret, including other people's devices.
    case everything
  }

  private struct Held {
    let frame: MonitorFrame
    let link: Int?
    /// `nil` while the connection is undecided.
    var isWritten: Bool?
  }

  private static let decisionTimeout: Int64 = 10_000_000
  private static let heldBytesLimit = 4 << 20
  private static let heldLimit = 20_000
  private static let linkLimit = 1024

  private let scope: Scope
  private var known: Set<UInt64>
  private let start: Int64
  private var links: [UInt32: MonitoredLink] = [:]
  private var nextNumber = 0
  private var held: [Held] = []
  private var heldBytes = 0

  /// The number of frames returned for writing.
  package private(set) var written = 0
  /// The number of connections recognised as those of heart-rate sensors.
  package private(set) var heartRateLinks = 0

  /// Creates a filter for a capture that begins at `start`, in microseconds since 1970. Frames that describe adapters added
  /// earlier get that time. Connections with the `known` straps are recognised without evidence.
  package init(scope: Scope, known: [BluetoothAddress] = [], start: Int64) {
    self.scope = scope
    self.known = Set(known.filter(\.isKnown).map(\.value))
    self.start = start
  }

  /// Handles the next frame. Returns the frames that may be written now, in order.
  package mutating func process(_ frame: MonitorFrame) -> [MonitorFrame] {
    var frame = frame
    if frame.kind == .adapterAdded { frame.time = max(frame.time, start) }
    sort(frame)
    loosen(at: frame.time)
    return release()
  }

  /// Ends the capture. Returns the remaining frames, without those of connections that were not recognised.
  package mutating func finish() -> [MonitorFrame] {
    for link in links.values where link.decision == .open { settle(link.number, isWritten: false) }
    links = [:]
    return release()
  }

  // MARK: - One frame

  private mutating func sort(_ frame: MonitorFrame) {
    let linkFrame = LinkFrame(frame)
    switch linkFrame {
    case .connected(let handle, let peer):
      let isKnown = peer.map { known.contains($0.value) } ?? false
      begin(key(frame, handle), decision: isKnown ? .heartRate : .open, peer: peer, frame)
      pass(frame, link: links[key(frame, handle)])
    case .connectedClassic(let handle):
      begin(key(frame, handle), decision: .other, peer: nil, frame)
      pass(frame, link: links[key(frame, handle)])
    case .disconnected(let handle):
      pass(frame, link: links[key(frame, handle)])
      end(key(frame, handle))
    case .about(let handle):
      pass(frame, link: links[key(frame, handle)])
    case .data(let handle, let isStart, let isSent, let dataAt):
      data(frame, key(frame, handle), isStart: isStart, isSent: isSent, dataAt: dataAt)
    case .reset:
      for key in links.keys.filter({ $0 >> 16 == UInt32(frame.adapter) }) { end(key) }
      hold(frame, link: nil, isWritten: true)
    case nil:
      if isAlwaysWritten(frame) { hold(frame, link: nil, isWritten: true) }
    }
  }

  private mutating func data(_ frame: MonitorFrame, _ key: UInt32, isStart: Bool, isSent: Bool, dataAt: Int) {
    // The connection existed before the capture began.
    if links[key] == nil { begin(key, decision: .open, peer: nil, nil, time: frame.time) }
    guard let channel = links[key]?.append(frame.bytes[dataAt...], isStart: isStart, isSent: isSent) else { return }
    switch channel {
    case .secret, .unreadable: return
    case .other: if scope == .heartRateLinks { return }
    case .attribute, .signalling, .identity: break
    }
    if let link = links[key], link.hasEvidence, link.decision != .heartRate { recognise(key, at: frame.time) }
    pass(frame, link: links[key])
  }

  /// Whether a frame that concerns no connection is written.
  private func isAlwaysWritten(_ frame: MonitorFrame) -> Bool {
    switch frame.kind {
    case .adapterAdded, .adapterRemoved, .adapterOpened, .adapterClosed, .adapterInformation: true
    case .command: scope == .everything && !MonitorSecrets.isSecret(command: frame.bytes)
    case .event: scope == .everything && !MonitorSecrets.isSecret(event: frame.bytes)
    case .systemNote: scope == .everything
    default: false
    }
  }

  /// Handles a frame of a connection that contains no secrets.
  private mutating func pass(_ frame: MonitorFrame, link: MonitoredLink?) {
    if scope == .everything {
      hold(frame, link: nil, isWritten: true)
    } else if let link, link.decision != .other {
      hold(frame, link: link.number, isWritten: link.decision == .heartRate ? true : nil)
    }
  }

  // MARK: - Connections

  private func key(_ frame: MonitorFrame, _ handle: UInt16) -> UInt32 {
    UInt32(frame.adapter) << 16 | UInt32(handle)
  }

  private mutating func begin(
    _ key: UInt32, decision: MonitoredLink.Decision, peer: BluetoothAddress?, _ frame: MonitorFrame?,
    time: Int64? = nil,
  ) {
    end(key)
    guard links.count < Self.linkLimit else { return }
    if decision == .heartRate { heartRateLinks += 1 }
    links[key] = MonitoredLink(
      number: nextNumber, since: frame?.time ?? time ?? start, decision: decision, peer: peer, beginning: frame)
    nextNumber += 1
  }

  private mutating func end(_ key: UInt32) {
    guard let link = links.removeValue(forKey: key), link.decision == .open else { return }
    settle(link.number, isWritten: false)
  }

  private mutating func recognise(_ key: UInt32, at time: Int64) {
    guard let link = links[key] else { return }
    if link.decision == .other, scope == .heartRateLinks, var beginning = link.beginning {
      beginning.time = time
      hold(beginning, link: nil, isWritten: true)
    }
    links[key]?.decision = .heartRate
    heartRateLinks += 1
    if let peer = link.peer, peer.isKnown { known.insert(peer.value) }
    settle(link.number, isWritten: true)
  }

  // MARK: - Frames that wait

  private mutating func hold(_ frame: MonitorFrame, link: Int?, isWritten: Bool?) {
    held.append(Held(frame: frame, link: link, isWritten: isWritten))
    heldBytes += frame.bytes.count
  }

  private mutating func settle(_ number: Int, isWritten: Bool) {
    for index in held.indices where held[index].link == number && held[index].isWritten == nil {
      held[index].isWritten = isWritten
    }
  }

  /// Stops holding frames back for connections that were not recognised in time.
  private mutating func loosen(at time: Int64) {
    guard held.first?.isWritten == nil, !held.isEmpty else { return }
    let isFull = held.count > Self.heldLimit || heldBytes > Self.heldBytesLimit
    for (key, link) in links where link.decision == .open {
      // A negative age means that the clock was set back.
      let age = time &- link.since
      guard isFull || age > Self.decisionTimeout || age < 0 else { continue }
      links[key]?.decision = .other
      settle(link.number, isWritten: false)
    }
  }

  private mutating func release() -> [MonitorFrame] {
    let count = held.firstIndex { $0.isWritten == nil } ?? held.endIndex
    guard count > 0 else { return [] }
    let frames = held[..<count].filter { $0.isWritten == true }.map(\.frame)
    heldBytes -= held[..<count].reduce(0) { $0 + $1.frame.bytes.count }
    held.removeFirst(count)
    written += frames.count
    return frames
  }
}
