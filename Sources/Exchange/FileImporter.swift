import Capture
import CommandProcess
import FileSystem
import Foundation
import IntervalFiles
import Repository
import Sessions
import StressKit
import TachogramCore

/// A reader of files of any kind that can be imported as sessions, which it stores.
package struct FileImporter {
  private struct Probe: Decodable {
    struct Anything: Decodable {}

    let resourceType: String?
    let session: Anything?
    let straps: [Anything]?
  }

  private struct Bundle: Decodable {
    struct Entry: Decodable {
      let resource: Resource?
    }

    struct Resource: Decodable {
      let resourceType: String
      let content: [Content]?
    }

    struct Content: Decodable {
      let attachment: Attachment
    }

    struct Attachment: Decodable {
      let data: Data?
      let title: String?
    }

    let entry: [Entry]?
  }

  /// The size limit in bytes for JSON or CSV, which is read at once: a week of beats.
  private static let largestText = 1 << 29

  package let database: TachogramDatabase
  package let kind: HRVKind
  /// Overrides the person in the file.
  package let person: String?
  package let label: String?
  /// The time at which the first interval began, for files that do not contain it.
  package let start: WallTime?
  /// Whether the straps in a file are listened to after the import.
  package var trustsStraps = false

  package init(
    database: TachogramDatabase, kind: HRVKind, person: String?, label: String?, start: WallTime?,
    trustsStraps: Bool = false,
  ) {
    self.database = database
    self.kind = kind
    self.person = person
    self.label = label
    self.start = start
    self.trustsStraps = trustsStraps
  }

  /// Imports a file and stores its sessions; a capture of several straps contains several sessions.
  package func importFile(_ path: String) async throws -> [ImportedFile] { try await importFile(BytePath(path)) }

  /// Imports a file whose path need not be UTF-8.
  package func importFile(_ path: BytePath) async throws -> [ImportedFile] { try await importFile(InputFile(path)) }

  /// Imports an input file.
  package func importFile(_ file: InputFile) async throws -> [ImportedFile] {
    let head = try file.head(256)
    if head.first(where: { !" \n\r\t".utf8.contains($0) }) == UInt8(ascii: "{") { return try await importJSON(file) }
    if SessionCSVDialect.isExport(Array(head)) { return [try importCSV(file)] }
    if file.name.lowercased().hasSuffix(".pklg") { return try importCapture(file) }
    do {
      return [try importSeries(file)]
    } catch RRSeriesError.noSeries(_, why: .capture) {
      return try importCapture(file)
    }
  }

  private static func whole(_ file: InputFile) throws -> Data {
    guard let bytes = try file.contents(upTo: largestText) else {
      throw CommandFailure(
        "\(file.name): file too large (the limit is \(largestText >> 20) MiB); export as btsnoop instead",
        code: .badInput)
    }
    return Data(bytes)
  }

  // MARK: - JSON

  private func importJSON(_ file: InputFile) async throws -> [ImportedFile] {
    let path = file.name
    let data = try Self.whole(file)
    let probe = try? JSONDecoder().decode(Probe.self, from: data)
    if probe?.resourceType == "Bundle" { return try importBundle(data, path) }
    if probe?.session == nil, probe?.straps != nil {
      let archive = try PersonArchive(data, path: path, person: person)
      let strange = try await archive.store(in: database, trustsStraps: trustsStraps)
      if !strange.isEmpty {
        StandardStreams.error(
          "tachogram: \(path): straps that are not paired here were left out (\(strange.joined(separator: ", "))); "
            + "`tachogram pair` pairs them, --trust-straps takes them from the file")
      }
      var file = ImportedFile(file: path, format: "tachogram-person")
      file.person = archive.person
      return [file]
    }
    return [try importArchive(data, path, format: "tachogram-json")]
  }

  private func importBundle(_ data: Data, _ path: String) throws -> [ImportedFile] {
    let entries: [Bundle.Entry]
    do {
      entries = try JSONDecoder().decode(Bundle.self, from: data).entry ?? []
    } catch let error as DecodingError {
      throw CommandFailure("\(path): this is no FHIR bundle: \(JSONProblem(error, in: data).text)", code: .badInput)
    }
    let documents = entries.compactMap(\.resource).filter { $0.resourceType == "DocumentReference" }
    let contents = documents.flatMap { $0.content ?? [] }
    let attachments = contents.map(\.attachment).filter { $0.title == SessionArchive.title }
    guard !attachments.isEmpty else {
      throw CommandFailure(
        "\(path): this FHIR bundle carries no session; Observations alone do not hold the beats", code: .badInput)
    }
    return try attachments.map { attachment in
      guard let data = attachment.data else {
        throw CommandFailure("\(path): a session is attached to this FHIR bundle by reference alone", code: .badInput)
      }
      return try importArchive(data, path, format: "fhir")
    }
  }

  private func importArchive(_ data: Data, _ path: String, format: String) throws -> ImportedFile {
    let archive = try SessionArchive(data, path: path, person: person, label: label)
    let description = try archive.description(path: path, person: person, label: label)
    let stress = archive.stress?.map { $0.measurement(person: description.person, session: description.id) }
    var incoming = SessionImporter.Incoming(
      description: description, links: archive.links, entries: archive.entries, stress: stress,
      isComplete: archive.session.complete, note: archive.session.note, markers: archive.markers)
    try archive.measurements.add(to: &incoming, path: path)
    return try store(incoming, path, format: format)
  }

  // MARK: - Intervals

  private func importCSV(_ file: InputFile) throws -> ImportedFile {
    let path = file.name
    guard let csv = SessionCSV(SessionCSVDialect.text(try Self.whole(file))) else {
      throw Self.changedExport(path, .init(line: 1, text: "the columns are not those that an export has"))
    }
    if let change = csv.change { throw Self.changedExport(path, change) }
    guard !csv.ledger.entries.isEmpty else {
      let first = csv.problems.first.map { "; line \($0.line): \($0.text). Export the session again" } ?? ""
      throw CommandFailure("\(path): there is no beat in it\(first)", code: .badInput)
    }
    if let disorder = csv.disorder {
      throw CommandFailure(
        "\(path): line \(disorder.line): \(disorder.text), so the rows are not those of one recording in their order. "
          + "Nothing of it is imported; sort the rows by sequence, keep each once, or export the session again.",
        code: .badInput)
    }
    try Self.check(csv.ledger.start, path)
    if let first = csv.problems.first {
      StandardStreams.error(
        "tachogram: \(path): \(csv.problems.count) lines were passed over, the first is line \(first.line): \(first.text)"
      )
    }
    var file = try store(csv.ledger, path, format: RRSeriesFormat.tachogramCSV.rawValue)
    file.damaged = csv.problems.count
    return file
  }

  private static func changedExport(_ path: String, _ problem: SessionCSV.Problem) -> CommandFailure {
    CommandFailure(
      "\(path): line \(problem.line): \(problem.text), so this export was changed when it was saved again. "
        + "Nothing of it is imported; export the session again, or save it with commas and its values as text.",
      code: .badInput)
  }

  private func importSeries(_ file: InputFile) throws -> ImportedFile {
    let path = file.name
    let series = try RRSeriesReader(file).read()
    guard series.format != .tachogramCSV else {
      throw CommandFailure(
        "\(path): this was a session of Tachogram as CSV, and its first line does not name all columns any more, so that its "
          + "start and its gaps would be lost; export the session again, or import the file as it was exported",
        code: .badInput)
    }
    guard let start = series.start ?? start else {
      throw CommandFailure(
        "\(path): this \(series.format.rawValue) does not say when it was recorded; give the time of its beginning with "
          + "--start, as in 2026-03-29T07:00:00Z", code: .badUsage)
    }
    try Self.check(start, path)
    for note in [series.damageNote, series.columnsNote, series.timesNote].compactMap(\.self) {
      StandardStreams.error("tachogram: \(path): \(note)")
    }
    var file = try store(IntervalLedger(series, start: start), path, format: series.format.rawValue)
    file.damaged = series.damaged
    return file
  }

  private func store(_ ledger: IntervalLedger, _ path: String, format: String) throws -> ImportedFile {
    let session = ledger.session(madeFrom: format, person: person, label: label)
    return try store(
      .init(description: session, links: [ledger.link], entries: ledger.entries, stress: nil), path, format: format)
  }

  private func store(_ incoming: SessionImporter.Incoming, _ path: String, format: String) throws -> ImportedFile {
    ImportedFile(file: path, format: format, try SessionImporter(database: database, kind: kind).store(incoming))
  }

  private static func check(_ start: WallTime, _ path: String) throws {
    guard RecordingDates.range.contains(start) else {
      throw CommandFailure(
        "\(path): it begins at \(Timestamp.text(start)), which is no date of a recording (\(RecordingDates.words))",
        code: .badInput)
    }
  }

  // MARK: - Captures

  private func importCapture(_ file: InputFile) throws -> [ImportedFile] {
    let path = file.name
    let ending = try ReplayRunner(
      file: file, handle: nil, straps: [], person: person, kind: kind, pace: ReplayPace(factor: nil),
      database: database, events: nil, keepsStored: true
    ).run()
    if let refusal = ending.refusal { throw CommandFailure(refusal, code: .badInput) }
    return ending.stored.map { stored in
      var file = ImportedFile(file: path, format: ending.plan.summary.format.rawValue, stored.recording)
      file.damaged = ending.plan.summary.damaged
      file.leftOut = stored.notifications.leftOut
      file.leftOutText = stored.notifications.text
      return file
    }
  }
}
