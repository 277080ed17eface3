import Reports
import TachogramCore

/// A stored session in lists.
struct SessionItem: Encodable {
  struct Marker: Encodable {
    let id: String
    let time: String
    let text: String
  }

  let id: String
  let start: String
  let end: String
  let origin: String
  /// The kind of file that the session was imported from, or `nil` if it was received from a strap.
  let madeFrom: String?
  let person: String?
  let label: String?
  let note: String?
  /// The markers, or `nil` in lists.
  let markers: [Marker]?
  let strap: StrapSection
  let complete: Bool
  let entries: Int64
  let beats: Int64
  let gaps: Int64

  init(_ record: SessionRecord, markers: [SessionMarker]? = nil) {
    id = record.description.id
    start = Timestamp.text(record.description.start)
    end = Timestamp.text(record.end)
    origin = record.description.origin.rawValue
    madeFrom = record.description.madeFrom
    person = record.description.person
    label = record.description.label
    note = record.note
    self.markers = markers?.map { marker in
      Marker(id: marker.id, time: Timestamp.text(record.description.wall(marker.time)), text: marker.text)
    }
    strap = StrapSection(record.description.strap)
    complete = record.isComplete
    entries = record.entryCount
    beats = record.beatCount
    gaps = record.gapCount
  }
}
