import TachogramCore

/// Decides which frames of the monitor channel a capture may hold.
///
/// The channel carries everything of every device near this host. By default a capture holds the LE connections on
/// which a heart-rate sensor shows itself and what a reader needs to follow them: adapters coming and going, the
/// connection's beginning, end, parameters and encryption state, its attribute traffic, its requests for other
/// parameters, and who a peer with a changing address is. Until a connection has shown what it is, its frames wait,
/// with all that came later, so that what is written is in order of time; a connection that shows nothing within ten
/// seconds holds nobody up any longer. One that shows itself after that is written from there on, behind the frame of
/// its beginning, which then has a later time than it had. A peer that was recognised once is so at once when it
/// connects again: bluetoothd remembers what it has and does not ask anew.
///
/// Never written, whatever the scope: keys, what keys can be computed from (`MonitorSecrets`, the Security Manager's
/// traffic, vendor commands and events), the programs' own traffic with the kernel, and sound.
package struct HeartRateLinkFilter: Sendable {
  package enum Scope: Sendable {
    case heartRateLinks
    /// Everything that is not forbidden, other people's devices included.
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

  /// Frames that were given out.
  package private(set) var written = 0
  /// Connections that were recognised as those of heart-rate sensors.
  package private(set) var heartRateLinks = 0

  /// A filter for a capture that begins at `start`, in microseconds since 1970: frames that describe adapters which are
  /// older get that time. Connections with the `known` straps need not show themselves.
  package init(scope: Scope, known: [BluetoothAddress] = [], start: Int64) {
    self.scope = scope
    self.known = Set(known.filter(\.isKnown).map(\.value))
    self.start = start
  }

  /// Takes the next frame; gives those that may be written now, in order.
  package mutating func process(_ frame: MonitorFrame) -> [MonitorFrame] {
    var frame = frame
    if frame.kind == .adapterAdded { frame.time = max(frame.time, start) }
    sort(frame)
    loosen(at: frame.time)
    return release()
  }

  /// The frames that are left at the end. Those of connections that have shown nothing are dropped.
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
    // A connection that was up before the capture began.
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

  /// A frame of a connection, harmless in itself.
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

  /// Gives up waiting for connections that say nothing of themselves.
  private mutating func loosen(at time: Int64) {
    guard held.first?.isWritten == nil, !held.isEmpty else { return }
    let isFull = held.count > Self.heldLimit || heldBytes > Self.heldBytesLimit
    for (key, link) in links where link.decision == .open {
      // A clock that was set back makes no connection young again.
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
