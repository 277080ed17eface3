import CommandProcess
import Foundation
import Presentation
import TachogramCore

/// A session as contained in its JSON export. The data derived from the ledger is not read but derived again, by rules that may
/// be newer than the export.
package struct SessionArchive: Decodable {
  /// The title of the document that contains the session in a FHIR bundle.
  static let title = "tachogram session"

  package struct Header: Decodable {
    struct Strap: Decodable {
      let address: String?
      let addressType: String?
    }

    let id: String
    /// The start as text. All versions that this program reads have it, others may not.
    let start: String?
    let startUs: Int64
    let startMonotonicUs: Int64
    let end: String?
    let origin: SessionDescription.Origin
    let madeFrom: String?
    let deviceID: String?
    let person: String?
    let label: String?
    let note: String?
    let markers: [SessionHeader.Marker]?
    let complete: Bool
    let strap: Strap
    let characteristics: [String: String]
    let links: [SessionHeader.Link]
  }

  package struct Entry: Decodable {
    let sequence: Int64
    let link: Int
    let monotonicUs: Int64
    let wallUs: Int64
    let value: String?
    let reason: String?
    let frame: String?
    // These fields repeat the contents of `value` and `wallUs`.
    let time: String?
    let heartRate: Int?
    let contact: String?
    let energyExpendedKJ: Int?
    let rr1024: [Int]?
    let ppiMs: [Int]?
    let error: String?
  }

  private enum CodingKeys: String, CodingKey {
    case session, ledger, stress, windows
  }

  /// The greatest valid time in microseconds: 285 years.
  static let latest: UInt64 = 1 << 53
  static var latestTime: Int64 { Int64(latest) }

  let session: Header
  let ledger: [Entry]
  /// The ledger as stored, numbered consecutively.
  private(set) var entries: [LedgerEntry] = []
  /// The stress levels, or `nil` if they are to be computed, as for a session that was exported before they were.
  let stress: [StressRow]?
  /// The windows, which are derived again; they are compared with the levels. Empty if there are no readable windows.
  let windows: [StressCheck.Window]
  let measurements: ArchivedMeasurements

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    session = try container.decode(Header.self, forKey: .session)
    ledger = try container.decode([Entry].self, forKey: .ledger)
    stress = try container.decodeIfPresent([StressRow].self, forKey: .stress)
    measurements = try ArchivedMeasurements(from: decoder)
    windows = (try? container.decodeIfPresent([StressCheck.Window].self, forKey: .windows)) ?? []
  }

  /// Reads an export and checks all values that are used. Throws a failure that states where it is wrong. `person` and `label`
  /// replace those in the export.
  init(_ data: Data, path: String, person: String? = nil, label: String? = nil) throws {
    do {
      self = try JSONDecoder().decode(SessionArchive.self, from: data)
    } catch let error as DecodingError {
      throw CommandFailure(
        "\(path): this is no session as `tachogram export` writes it: \(JSONProblem(error, in: data).text)",
        code: .badInput)
    }
    _ = try description(path: path, person: person, label: label)
    try check(path: path)
  }

  /// Throws a failure that names the first value that is invalid in an export, or that contradicts another one.
  private mutating func check(path: String) throws {
    for (position, link) in session.links.enumerated() {
      guard link.bootID.map(ChosenName.isName) ?? true else {
        throw Self.wrong("session.links[\(position)].bootID", path)
      }
    }
    if let note = session.note, !SessionNote.isNote(note) { throw Self.wrong("session.note", path) }
    for (position, marker) in (session.markers ?? []).enumerated() {
      let id = marker.id
      guard UUID(uuidString: id) != nil, id == id.lowercased() else {
        throw Self.wrong("session.markers[\(position)].id", path)
      }
      guard marker.monotonicUs.magnitude < Self.latest else {
        throw Self.wrong("session.markers[\(position)].monotonicUs", path)
      }
      guard ChosenName.isName(marker.text) else { throw Self.wrong("session.markers[\(position)].text", path) }
    }
    entries = try decodedEntries(path: path)
    if let found = LedgerCheck(session: session, ledger: ledger).contradiction() { throw found.failure(path) }
    try Self.check(stress ?? [], of: StressCheck.Session(self), path)
  }

  /// Throws a failure that names the first value that is invalid in a stress level, or that contradicts another one.
  static func check(_ stress: [StressRow], of session: StressCheck.Session?, _ path: String) throws {
    for (position, row) in stress.enumerated() {
      if let key = row.wrongKey { throw wrong("stress[\(position)].\(key)", path) }
    }
    if let found = StressCheck(rows: stress, session: session).contradiction() { throw found.failure(path) }
  }

  /// Returns the description of the session. `person` and `label` replace those in the export.
  func description(path: String, person: String? = nil, label: String? = nil) throws -> SessionDescription {
    let id = session.id.lowercased()
    guard UUID(uuidString: id) != nil, id.utf8.count == 36 else { throw Self.wrong("session.id", path) }
    if session.strap.address != nil {
      try Self.checkAddressType(session.strap.addressType, "session.strap.addressType", path)
    }
    guard session.startUs.magnitude < Self.latest, session.startMonotonicUs.magnitude < Self.latest else {
      throw Self.wrong("the time of session", path)
    }
    var strap = StrapIdentity(address: .unknown)
    if let text = session.strap.address {
      let kind: BluetoothAddress.Kind = session.strap.addressType == "random" ? .random : .public
      guard let address = BluetoothAddress(text: text, kind: kind) else {
        throw Self.wrong("session.strap.address", path)
      }
      strap.address = address
    }
    for (uuid, value) in session.characteristics {
      guard let number = UInt16(uuid, radix: 16), let bytes = Hexadecimal.bytes(value) else {
        throw Self.wrong("session.characteristics.\(uuid)", path)
      }
      strap.characteristics[number] = bytes
    }
    let madeFrom = session.madeFrom?.isEmpty == true ? nil : session.madeFrom
    if let madeFrom, !ChosenName.isName(madeFrom) { throw Self.wrong("session.madeFrom", path) }
    return SessionDescription(
      id: id, strap: strap, origin: session.origin,
      person: try person ?? Self.name(session.person, "session.person", path),
      label: try label ?? Self.name(session.label, "session.label", path), madeFrom: madeFrom,
      deviceID: try device(path: path),
      start: WallTime(microseconds: session.startUs),
      monotonicStart: MonotonicTime(microseconds: session.startMonotonicUs))
  }

  /// Returns the installation that recorded the session, if the export or its stress levels contain it.
  private func device(path: String) throws -> String? {
    guard session.origin == .live, session.madeFrom == nil else { return nil }
    let device = session.deviceID ?? stress?.first?.deviceID
    guard let device, !device.isEmpty, device != SessionDescription.unknownDevice else { return nil }
    guard ChosenName.isName(device) else { throw Self.wrong("session.deviceID", path) }
    return device
  }

  private func decodedEntries(path: String) throws -> [LedgerEntry] {
    let links = Set(session.links.map(\.number))
    return try ledger.enumerated().map { position, entry in
      guard entry.sequence == Int64(position) else { throw Self.wrong("ledger[\(position)].sequence", path) }
      guard links.contains(entry.link) else { throw Self.wrong("ledger[\(position)].link", path) }
      guard entry.monotonicUs.magnitude < Self.latest, entry.wallUs.magnitude < Self.latest else {
        throw Self.wrong("the time of ledger[\(position)]", path)
      }
      let content: LedgerEntry.Content
      if let bytes = entry.value.flatMap(Hexadecimal.bytes) {
        content = .notification(bytes)
      } else if let bytes = entry.frame.flatMap(Hexadecimal.bytes) {
        content = .pulseIntervals(bytes)
      } else if let code = entry.reason.flatMap(Hexadecimal.bytes), code.count == 1 {
        content = .linkDown(reason: code[0])
      } else {
        throw Self.wrong("ledger[\(position)].value", path)
      }
      return LedgerEntry(
        sequence: entry.sequence, link: entry.link, monotonic: MonotonicTime(microseconds: entry.monotonicUs),
        wall: WallTime(microseconds: entry.wallUs), content: content)
    }
  }

  /// The links of the session.
  var links: [StrapLink] {
    session.links.map {
      StrapLink(number: $0.number, bootID: $0.bootID, handle: $0.handle, handleSource: $0.handleSource)
    }
  }

  /// The markers of the session.
  var markers: [SessionMarker] {
    (session.markers ?? []).map {
      SessionMarker(id: $0.id, time: MonotonicTime(microseconds: $0.monotonicUs), text: $0.text)
    }
  }

  /// Returns a name in a file, or `nil` if there is none. Throws a failure that states why a text is not a name.
  static func name(_ text: String?, _ key: String, _ path: String) throws -> String? {
    guard let text, !text.isEmpty else { return nil }
    do {
      return try ChosenName(text).text
    } catch {
      let option = ["person": "person", "session.person": "person", "session.label": "label"][key]
      throw CommandFailure(
        "\(path): \(key): \(error)" + (option.map { " --\($0) gives another one." } ?? ""), code: .badInput)
    }
  }

  /// Throws a failure if the type of an address is not one of the two valid ones.
  static func checkAddressType(_ type: String?, _ key: String, _ path: String) throws {
    guard type == "random" || type == "public" else { throw wrong(key, path) }
  }

  static func wrong(_ key: String, _ path: String) -> CommandFailure {
    CommandFailure("\(path): \(key) is not what an export has there; export the session again", code: .badInput)
  }
}
