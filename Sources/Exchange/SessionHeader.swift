import Presentation
import Reports
import TachogramCore

/// The description of the session in the JSON export.
struct SessionHeader: Encodable {
  struct Link: Codable {
    let number: Int
    let handle: UInt16
    let handleSource: HandleSource
    let bootID: String?
  }

  struct Marker: Codable {
    let id: String
    /// The instant on the axis of the ledger.
    let monotonicUs: Int64
    let text: String
  }

  let id: String
  let start: String
  let startUs: Int64
  let startMonotonicUs: Int64
  let end: String
  let origin: String
  let madeFrom: String?
  let deviceID: String?
  let person: String?
  let label: String?
  let note: String?
  let markers: [Marker]?
  let complete: Bool
  let strap: StrapSection
  /// The characteristics of the strap as hexadecimal digits, by UUID.
  let characteristics: [String: String]
  let links: [Link]

  init(_ record: SessionRecord, _ links: [StrapLink], _ markers: [SessionMarker]) {
    let description = record.description
    id = description.id
    start = Timestamp.text(description.start)
    startUs = description.start.microseconds
    startMonotonicUs = description.monotonicStart.microseconds
    end = Timestamp.text(record.end)
    origin = description.origin.rawValue
    madeFrom = description.madeFrom
    deviceID = description.deviceID
    person = description.person
    label = description.label
    note = record.note
    self.markers =
      markers.isEmpty
      ? nil : markers.map { Marker(id: $0.id, monotonicUs: $0.time.microseconds, text: $0.text) }
    complete = record.isComplete
    strap = StrapSection(description.strap)
    characteristics = Dictionary(
      description.strap.characteristics.map { (Hexadecimal.text($0), Hexadecimal.text($1)) },
      uniquingKeysWith: { one, _ in one })
    self.links = links.map {
      Link(number: $0.number, handle: $0.handle, handleSource: $0.handleSource, bootID: $0.bootID)
    }
  }
}
