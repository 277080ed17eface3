import Capture
import TachogramCore

/// Builds captures of simulated straps with the program's own writer.
package enum CaptureBuilder {
  /// The start of every simulated capture: 2026-01-01T08:00:00Z.
  package static let start = WallTime(microseconds: 1_767_254_400_000_000)

  /// Returns a ledger entry of one link at `arrival` microseconds since the start.
  package static func entry(
    _ value: [UInt8], sequence: Int64, arrival: Int64, link: Int = 0,
  ) -> LedgerEntry {
    LedgerEntry(
      sequence: sequence, link: link,
      monotonic: MonotonicTime(microseconds: start.microseconds).advanced(byMicroseconds: arrival),
      wall: start.advanced(byMicroseconds: arrival), content: .notification(value))
  }

  /// Returns the end of a link at `arrival` microseconds since the start.
  package static func linkDown(sequence: Int64, arrival: Int64, link: Int, reason: UInt8 = 0x08) -> LedgerEntry {
    var entry = entry([], sequence: sequence, arrival: arrival, link: link)
    entry.content = .linkDown(reason: reason)
    return entry
  }

  /// Returns the ledger entries of one link, in order.
  package static func entries(_ notifications: [SimulatedStrap.Notification]) -> [LedgerEntry] {
    notifications.enumerated().map { entry($1.value, sequence: Int64($0), arrival: $1.arrival) }
  }

  /// Returns the session described by the entries of a strap.
  package static func session(_ entries: [LedgerEntry], strap: StrapIdentity) -> SessionDescription {
    let first = entries.first ?? entry([], sequence: 0, arrival: 0)
    return SessionDescription(
      id: SessionDescription.identifier(strap: strap.address, first: first), strap: strap, origin: .replay,
      start: first.wall, monotonicStart: first.monotonic)
  }

  /// Returns a capture of several straps, with their records in the order of time.
  package static func capture(_ straps: [(identity: StrapIdentity, entries: [LedgerEntry])]) -> [UInt8] {
    var pieces: [(time: Int64, order: Int, bytes: [UInt8])] = []
    for (index, strap) in straps.enumerated() {
      let links = Set(strap.entries.map(\.link)).sorted().map {
        StrapLink(number: $0, handle: 0x0010, handleSource: .discovered)
      }
      var writer = SessionCaptureWriter(
        session: session(strap.entries, strap: strap.identity), links: links,
        firstConnectionHandle: 0x0040 + UInt16(index) * 0x0100)
      for entry in strap.entries {
        pieces.append((entry.monotonic.microseconds, pieces.count, writer.records(entry)))
      }
    }
    pieces.sort { ($0.time, $0.order) < ($1.time, $1.order) }
    return SessionCaptureWriter.fileHeader + pieces.flatMap(\.bytes)
  }

  /// Returns the strap that fixtures use.
  package static func strap(_ last: UInt8 = 1, name: String = "Simulated HRM") -> StrapIdentity {
    StrapIdentity(
      address: BluetoothAddress(value: 0xC0FF_EE00_0000 | UInt64(last), kind: .random),
      characteristics: [0x2A00: Array(name.utf8), 0x2A19: [87], 0x2A38: [1]])
  }
}
