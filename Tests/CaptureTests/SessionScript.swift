import Capture
import TachogramCore
import TachogramTestKit

/// A session to export: its description, its links and its ledger.
struct SessionScript {
  var session: SessionDescription
  var links: [StrapLink]
  var entries: [LedgerEntry] = []

  /// A session of links that all carry heart rate on `handle`.
  init(handle: UInt16 = 0x10, links: Int = 1, strap: StrapIdentity = CaptureBuilder.strap()) {
    session = SessionDescription(
      id: "", strap: strap, origin: .live, start: CaptureBuilder.start,
      monotonicStart: MonotonicTime(microseconds: 5000))
    self.links = (0..<links).map { StrapLink(number: $0, bootID: "boot", handle: handle, handleSource: .discovered) }
  }

  /// An entry `after` microseconds since the one before, on both clocks.
  mutating func add(_ content: LedgerEntry.Content, link: Int = 0, after: Int64 = 1_000_003) {
    let monotonic = entries.last?.monotonic.advanced(byMicroseconds: after) ?? session.monotonicStart
    entries.append(
      LedgerEntry(
        sequence: Int64(entries.count), link: link, monotonic: monotonic,
        wall: session.start.advanced(byMicroseconds: monotonic.microseconds(since: session.monotonicStart)),
        content: content))
    if entries.count == 1 {
      session.id = SessionDescription.identifier(strap: session.strap.address, first: entries[0])
    }
  }

  /// The capture that the writer makes.
  func export() -> [UInt8] {
    var writer = SessionCaptureWriter(session: session, links: links)
    return SessionCaptureWriter.fileHeader + entries.flatMap { writer.records($0) }
  }

  /// The session that a replay of some bytes gives for its only strap.
  static func replaying(_ file: [UInt8]) throws -> SessionScript {
    let replayed = try ReplayedCapture(file)
    guard replayed.plan.straps.count == 1, let strap = replayed.plan.straps.first,
      let first = replayed.entries[0]?.first
    else { throw UnexpectedStraps(count: replayed.plan.straps.count) }
    var script = SessionScript(strap: strap.identity)
    script.session.id = SessionDescription.identifier(strap: strap.identity.address, first: first)
    script.session.start = first.wall
    script.session.monotonicStart = first.monotonic
    script.links = strap.links
    script.entries = replayed.entries[0] ?? []
    return script
  }

  struct UnexpectedStraps: Error {
    let count: Int
  }
}
