import Capture
import TachogramCore

/// Reads nights from the `export.xml` of Apple Health, which may have gigabytes: records of sleep analysis alone are kept.
///
/// The records of each source make nights of their own, which end with two hours without a record. A record of which nothing can
/// be made is passed over and counted.
struct AppleHealthReader {
  /// The largest number of records: centuries of nights.
  private static let maximumRecords = 2_000_000
  /// The time without a record between two nights, in microseconds.
  private static let pause: Int64 = 2 * 3_600_000_000

  private(set) var damaged = 0
  /// The reason why the first record was passed over.
  private(set) var firstDamage: NightReadError?
  private var records: [String: Set<AppleSleepRecord>] = [:]
  private var count = 0

  /// Reads a file. Throws `NightReadError` if it is not well-formed, and the errors of reading.
  init(_ file: InputFile) throws {
    var scanner = XMLTagScanner(FileBytes(file), root: "HealthData", element: "Record")
    let type = Array(AppleHealthNight.sleepType.utf8)
    while let tag = try scanner.next() {
      guard Self.contains(tag.attributes, type) else { continue }
      try ingest(tag)
    }
  }

  /// Whether bytes contain others. The search of the standard library takes 20 times as long as all of the scanning.
  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { start in
      bytes[start] == first && bytes[start..<start + wanted.count].elementsEqual(wanted)
    }
  }

  private mutating func ingest(_ tag: XMLTagScanner.Tag) throws(NightReadError) {
    let attributes: [String: String]
    do throws(NightReadError.Problem) {
      attributes = try XMLAttributes.values(tag.attributes)
    } catch {
      throw NightReadError(error, at: tag.place)
    }
    guard attributes["type"] == AppleHealthNight.sleepType else { return }
    do throws(NightReadError.Problem) {
      let record = try AppleSleepRecord(attributes)
      guard count < Self.maximumRecords else { throw .tooMany(limit: Self.maximumRecords) }
      if records[attributes["sourceName"] ?? "", default: []].insert(record).inserted { count += 1 }
    } catch {
      if case .tooMany = error { throw NightReadError(error, at: tag.place) }
      damaged += 1
      firstDamage = firstDamage ?? NightReadError(error, at: tag.place)
    }
  }

  /// Returns the nights of all sources in order. Throws if there is none, or if one is longer than a week.
  func nights() throws(NightReadError) -> [ImportedNight] {
    var nights: [ImportedNight] = []
    for (source, records) in records {
      var group: [AppleSleepRecord] = []
      var end = WallTime(microseconds: .min)
      for record in records.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
        if !group.isEmpty, record.start.microseconds(since: end) > Self.pause {
          nights.append(try Self.night(group, source, to: end))
          group = []
        }
        end = group.isEmpty ? record.end : max(end, record.end)
        group.append(record)
      }
      if !group.isEmpty { nights.append(try Self.night(group, source, to: end)) }
    }
    if nights.isEmpty { throw firstDamage ?? NightReadError(.noNight) }
    return nights.sorted { ($0.start, $0.source ?? "") < ($1.start, $1.source ?? "") }
  }

  private static func night(
    _ records: [AppleSleepRecord], _ source: String, to end: WallTime
  ) throws(NightReadError) -> ImportedNight {
    let start = records.map(\.start).min() ?? end
    var grid: EpochGrid
    do throws(NightReadError.Problem) {
      grid = try EpochGrid(from: start, to: end)
    } catch .reversed {
      // It is shorter than half an epoch.
      grid = try Self.shortest(from: start)
    } catch {
      throw NightReadError(error, at: .field("the night of \(Timestamp.text(start))"))
    }
    for record in records {
      if let stage = record.stage { grid.add(stage, from: record.start, to: record.end) }
    }
    let found = grid.stages
    return ImportedNight(
      form: .appleHealth, source: source.isEmpty ? nil : source, start: start, stages: found.stages,
      contradictions: found.contradictions)
  }

  private static func shortest(from start: WallTime) throws(NightReadError) -> EpochGrid {
    do throws(NightReadError.Problem) {
      return try EpochGrid(from: start, to: start.advanced(byMicroseconds: 30_000_000))
    } catch {
      throw NightReadError(error)
    }
  }
}
