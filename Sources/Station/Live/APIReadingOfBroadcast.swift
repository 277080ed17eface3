import BlueZ
import Dashboard
import GATT
import Listening
import Presentation
import TachogramCore

extension API.Reading {
  /// Creates the reading of a strap that is received without a connection.
  init(_ number: Int, _ row: BroadcastRow, count: Int) {
    let state = LinkState(phase: row.isStale ? .idle : .live, since: row.last.monotonic)
    self.init(
      strap: number, name: ChosenName.shown(row.strap),
      link: API.Link(state, text: row.isStale ? "no advertisements" : "received from advertisements"),
      isCurrent: !row.isStale, contact: row.last.content.contact, notifications: count, gaps: 0, beats: [])
    isAverage = true
    address = row.last.address.description
    lastHeard = Timestamp.text(row.last.wall)
    heartRate = UInt16(row.last.content.heartRate)
    signalDBm = row.last.signal.flatMap { $0 == 127 ? nil : Int8(exactly: $0) }
  }
}
