import ArgumentParser
import CommandProcess
import Exchange
import Foundation
import Glibc
import Presentation
import Repository
import TachogramCore

/// `export`: writes a stored session to a file or to standard output, or all sessions of a person into a folder.
struct ExportCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export a stored session, or everything stored about a person.",
    discussion: """
      \(SessionFormats.words). With --person or --everything, \
      --output is a folder that gets a file for each session and format; with json also what belongs to the person beside \
      the sessions. `tachogram import` reads them all. If the name ends with .zip, it is a ZIP file with a file for each \
      session and a table of them, sessions.csv.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String?

  @Option(help: "All sessions of this person.")
  var person: String?

  @Flag(help: "All sessions of everybody.")
  var everything = false

  @Option(
    help: "With --person or --everything: sessions that began at this time or later, such as 2026-03-29T00:00:00Z.",
    transform: TimeOption.time)
  var from: WallTime?

  @Option(
    help: "With --person or --everything: sessions that began at this time or earlier.", transform: TimeOption.time)
  var to: WallTime?

  @Option(help: "\(SessionFormats.names). Repeatable when exporting to a folder.")
  var format: [ExportFormat]

  @Option(
    name: [.short, .long], help: "The file or folder to write. Default: standard output.", completion: .file())
  var output: String?

  @Option(
    help: """
      For studies: replace names, addresses, identifiers and dates by codes and offsets that depend on the key in this file \
      alone. Labels, notes and markers are left out.
      """, completion: .file())
  var pseudonym: String?

  @Flag(help: "Overwrite existing files.")
  var force = false

  @OptionGroup var database: DatabaseOption

  func validate() throws {
    guard [session != nil, person != nil, everything].count(where: \.self) == 1 else {
      throw ValidationError("Name a session, or --person NAME, or --everything.")
    }
    if session != nil, format.count != 1 {
      throw ValidationError("A single session is exported in one format. Use --person or --everything for several.")
    }
    if session != nil, from != nil || to != nil {
      throw ValidationError("--from and --to select sessions of --person or --everything.")
    }
    if let from, let to, from > to { throw ValidationError("--from is after --to.") }
    if session == nil, output == nil {
      throw ValidationError("Name the folder or the ZIP file to write with --output.")
    }
    if session == nil, isZip, format.count != 1 {
      throw ValidationError("A ZIP file holds one format. Name a folder for several.")
    }
  }

  private var isZip: Bool { output?.lowercased().hasSuffix(".zip") == true }

  func perform() async throws {
    // Read first, so that nothing is exported with names if there is no key.
    let pseudonyms = try CommandFailure.wording { try pseudonym.map(Pseudonyms.init(keyFile:)) }
    let store = try database.openForReading()
    if session == nil, isZip { return try CommandFailure.wording { try writeZip(store, pseudonyms) } }
    let repository = SessionRepository(database: store)
    guard let session else { return try await writeFolder(store, pseudonyms) }
    if output == nil, format[0].isBinary, isatty(STDOUT_FILENO) == 1 {
      throw CommandFailure("\(format[0].name) is not for a terminal; name a file with --output", code: .badUsage)
    }
    try CommandFailure.wording {
      let record = try repository.session(matching: session)
      var noted: Set<String> = []
      try write(Self.session(record, in: store, pseudonyms), format[0], to: output, &noted)
    }
  }

  private static func session(
    _ record: SessionRecord, in store: TachogramDatabase, _ pseudonyms: Pseudonyms?
  ) throws -> StoredSession {
    let session = try StoredSession(record, in: store)
    return try pseudonyms.map(session.pseudonymized) ?? session
  }

  /// Each note is reported once.
  private func write(
    _ session: StoredSession, _ format: ExportFormat, to path: String?, _ noted: inout Set<String>,
  ) throws {
    let sink = try ExportSink(path: path, replacing: force)
    try SessionExporter(session: session).write(format, to: sink)
    try sink.finish()
    if let note = try SessionExporter(session: session).omissions(in: format), noted.insert(note).inserted {
      StandardStreams.error("tachogram: \(note)")
    }
  }

  private func writeZip(_ store: TachogramDatabase, _ pseudonyms: Pseudonyms?) throws {
    let range = (from ?? WallTime(microseconds: .min))...(to ?? WallTime(microseconds: .max))
    let export = RangeExport(person: person, range: range, in: store, pseudonyms: pseudonyms)
    guard try !export.isEmpty() else {
      throw CommandFailure("there is no session\(person.map { " of \"\($0)\"" } ?? "") in this time to export")
    }
    let sink = try ExportSink(path: output, replacing: force)
    try export.write(format[0], to: sink)
    try sink.finish()
  }

  private func writeFolder(_ store: TachogramDatabase, _ pseudonyms: Pseudonyms?) async throws {
    let folder = output ?? ""
    let repository = SessionRepository(database: store)
    let all = try CommandFailure.wording { try repository.sessions() }
    let records = all.filter { record in
      (everything || record.description.person == person)
        && (from ?? record.description.start) <= record.description.start
        && record.description.start <= to ?? record.description.start
    }
    let people = everything ? try HistoryRepository(database: store).persons() + [nil] : [person]
    var archives: [PersonArchive] = []
    // A range of time selects sessions alone.
    if from == nil, to == nil {
      for person in people { archives.append(try await PersonArchive(of: person, in: store)) }
    }
    archives.removeAll { archive in
      archive.isEmpty && !records.contains { $0.description.person == archive.person }
    }
    guard !records.isEmpty || format.contains(.json) && !archives.isEmpty else {
      throw CommandFailure("there is nothing\(person.map { " of \"\($0)\"" } ?? "") to export")
    }
    let made = Self.missing(folder)
    do {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw CommandFailure("cannot make the folder \(folder): \(ErrorReason.text(error))")
      }
      if let pseudonyms { archives = archives.map { $0.pseudonymized(by: pseudonyms) } }
      try write(records, archives, of: store, pseudonyms, into: folder)
    } catch {
      // Folders with contents are kept.
      for folder in made { rmdir(folder) }
      throw error
    }
  }

  /// Returns the missing folders of a path, the innermost first.
  private static func missing(_ folder: String) -> [String] {
    var missing: [String] = []
    var rest = folder[...]
    while true {
      while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
      guard !rest.isEmpty, PathKind(String(rest)) == .nothing else { return missing }
      missing.append(String(rest))
      guard let slash = rest.lastIndex(of: "/") else { return missing }
      rest = rest[..<slash]
    }
  }

  private func write(
    _ records: [SessionRecord], _ archives: [PersonArchive], of store: TachogramDatabase, _ pseudonyms: Pseudonyms?,
    into folder: String,
  ) throws {
    var (count, leftOut) = (0, 0)
    var noted: Set<String> = []
    for record in records {
      let session = try CommandFailure.wording { try Self.session(record, in: store, pseudonyms) }
      for format in format {
        if let refusal = SessionExporter(session: session).refusal(of: format) {
          StandardStreams.error("tachogram: left out as \(format.name): \(refusal)")
          leftOut += 1
          continue
        }
        try CommandFailure.wording {
          try write(
            session, format, to: "\(folder)/\(RangeExport.fileName(session.record)).\(format.fileExtension)", &noted)
        }
        count += 1
      }
    }
    if format.contains(.json) {
      for (number, archive) in archives.enumerated() {
        let sink = try ExportSink(path: "\(folder)/person-\(number + 1).json", replacing: force)
        try sink.write(JSONOutput.line(archive))
        try sink.finish()
        count += 1
      }
    }
    StandardStreams.error("tachogram: \(records.count) sessions in \(count) files in \(folder)")
    if leftOut > 0 { throw CommandFailure("\(leftOut) files were left out") }
  }

}
