import TachogramCore

/// What the JSON export says of the session itself.
struct SessionHeader: Encodable {
  struct Link: Encodable {
    let number: Int
    let handle: UInt16
    let handleSource: String
    let bootID: String?
  }

  let id: String
  let start: String
  let end: String
  let origin: String
  let person: String?
  let complete: Bool
  let strap: StrapSection
  let links: [Link]

  init(_ record: SessionRecord, _ links: [StrapLink]) {
    id = record.description.id
    start = Timestamp.text(record.description.start)
    end = Timestamp.text(record.end)
    origin = record.description.origin.rawValue
    person = record.description.person
    complete = record.isComplete
    strap = StrapSection(record.description.strap)
    self.links = links.map {
      Link(number: $0.number, handle: $0.handle, handleSource: $0.handleSource.rawValue, bootID: $0.bootID)
    }
  }
}
