import CommandProcess
import Foundation
import Repository
import StressKit
import TachogramCore

/// The data of a person other than sessions, as contained in an export of everything about a person: the straps, the stress
/// levels whose recordings were deleted, the baselines, and the hourly results that were computed. Baselines and hours are not
/// imported: they are computed from the stored stress levels and sessions.
package struct PersonArchive: Codable {
  package struct Strap: Codable {
    package let address: String
    package let addressType: String
    package let name: String
    package let advertisedName: String?
    package let label: String?
    let addedUs: Int64
  }

  /// HRV in ms, heart rate in bpm, hourly HRV in ms by the hour of UTC.
  package struct Baseline: Codable {
    package let kind: HRVKind
    package let hrv: Double
    package let restingHeartRate: Double
    package let count: Int
    package let personal: Bool
    package let hourly: [Int: Double]
    let updated: String
  }

  /// The results of an hour of UTC: heart rate in bpm, HRV in ms.
  package struct Hour: Codable {
    let start: String
    let minutes: Double
    let meanHeartRate: Double?
    let lowestHeartRate: Double?
    let sdnn: Double?
    let rmssd: Double?
    let stress: Double?
    let highestStress: Double?
  }

  /// A measurement of some minutes: heart rate in bpm, HRV in ms.
  package struct Reading: Codable {
    let id: String
    let kind: String
    let session: String?
    let start: String
    let startUs: Int64
    let durationUs: Int64
    let coverage: Double
    let artifactShare: Double
    let beats: Int
    let meanHeartRate: Double?
    let sdnn: Double?
    let rmssd: Double?
  }

  /// The person, or `nil` for data without a person.
  package private(set) var person: String?
  package let straps: [Strap]
  package let stress: [StressRow]
  package let baselines: [Baseline]
  /// The hours, or `nil` in exports of versions that did not write them.
  package let hours: [Hour]?
  /// The readings, or `nil` in exports of versions that did not have them.
  package let readings: [Reading]?

  init(
    person: String?, straps: [Strap], stress: [StressRow], baselines: [Baseline], hours: [Hour]?, readings: [Reading]?
  ) {
    self.person = person
    self.straps = straps
    self.stress = stress
    self.baselines = baselines
    self.hours = hours
    self.readings = readings
  }

  /// Reads the data of a person from the database.
  package init(of person: String?, in database: TachogramDatabase) async throws {
    self.person = person
    straps = try StrapRepository(database: database).straps().filter { $0.person == person }.map(Strap.init)
    var stress: [StressRow] = []
    var baselines: [Baseline] = []
    for kind in HRVKind.allCases {
      let repository = StressRepository(database: database, person: person, kind: kind) {
        Date(timeIntervalSince1970: 0)
      }
      stress += try await repository.fetchAll().filter { $0.sessionID == nil }.map(StressRow.init)
      let baseline = try await repository.getBaseline()
      if baseline.sampleCount > 0 { baselines.append(Baseline(baseline)) }
    }
    self.stress = stress
    self.baselines = baselines
    hours = try TrendRepository(database: database, timeZone: .gmt).hours(of: person).map(Hour.init)
    readings = try ReadingRepository(database: database).readings(of: person).map(Reading.init)
  }

  /// Whether the archive contains no data of the person.
  package var isEmpty: Bool {
    straps.isEmpty && stress.isEmpty && baselines.isEmpty && hours?.isEmpty != false && readings?.isEmpty != false
  }

  /// Reads an export. Throws a failure that states where it is wrong. `other` replaces the person in the export.
  package init(_ data: Data, path: String, person other: String? = nil) throws {
    do {
      self = try JSONDecoder().decode(PersonArchive.self, from: data)
    } catch let error as DecodingError {
      throw CommandFailure(
        "\(path): this is no person as `tachogram export` writes one: \(JSONProblem(error, in: data).text)",
        code: .badInput)
    }
    person = try other ?? SessionArchive.name(person, "person", path)
    try SessionArchive.check(stress, of: nil, path)
    for (position, reading) in (readings ?? []).enumerated() {
      if let key = reading.wrongKey { throw SessionArchive.wrong("readings[\(position)].\(key)", path) }
    }
    for (position, strap) in straps.enumerated() {
      let key = "straps[\(position)]"
      try SessionArchive.checkAddressType(strap.addressType, "\(key).addressType", path)
      guard BluetoothAddress(text: strap.address) != nil else { throw SessionArchive.wrong("\(key).address", path) }
      guard strap.addedUs.magnitude < SessionArchive.latest else { throw SessionArchive.wrong("\(key).addedUs", path) }
      guard try SessionArchive.name(strap.name, "\(key).name", path) != nil else {
        throw SessionArchive.wrong("\(key).name", path)
      }
      _ = try SessionArchive.name(strap.label, "\(key).label", path)
    }
  }

  /// Stores the stress levels and readings. Stored ones are not changed.
  ///
  /// Straps are stored only if `trustsStraps` is `true`, since they are listened to, which a file must not cause by itself.
  /// Known straps are not changed.
  ///
  /// - Returns: The addresses of straps that were not stored.
  package func store(in database: TachogramDatabase, trustsStraps: Bool) async throws -> [String] {
    for kind in HRVKind.allCases {
      let levels = stress.filter { $0.kind == kind }.map { $0.measurement(person: person, session: nil) }
      try await StressRepository(database: database, person: person, kind: kind) { Date(timeIntervalSince1970: 0) }
        .add(levels)
    }
    try ReadingRepository(database: database).add((readings ?? []).compactMap { $0.reading(of: person) })
    let repository = StrapRepository(database: database)
    let known = Set(try repository.straps().map(\.address))
    let new = straps.compactMap { strap -> KnownStrap? in
      let kind: BluetoothAddress.Kind = strap.addressType == "random" ? .random : .public
      guard let address = BluetoothAddress(text: strap.address, kind: kind), !known.contains(address) else {
        return nil
      }
      return KnownStrap(
        address: address, name: (try? ChosenName(strap.name).text) ?? strap.name, advertisedName: strap.advertisedName,
        added: WallTime(microseconds: strap.addedUs), person: person,
        label: strap.label.flatMap { try? ChosenName($0).text })
    }
    guard trustsStraps else { return new.map(\.address.description) }
    for strap in new { try repository.remember(strap) }
    return []
  }
}

extension PersonArchive.Hour {
  package init(_ point: TrendPoint) {
    self.init(
      start: Timestamp.text(point.start), minutes: point.minutes, meanHeartRate: point.meanHeartRate,
      lowestHeartRate: point.lowestHeartRate, sdnn: point.sdnn, rmssd: point.rmssd, stress: point.stress,
      highestStress: point.highestStress)
  }
}

extension PersonArchive.Reading {
  init(_ reading: HRVReading) {
    self.init(
      id: reading.id, kind: reading.kind.rawValue, session: reading.session, start: Timestamp.text(reading.start),
      startUs: reading.start.microseconds, durationUs: reading.duration.wholeMicroseconds, coverage: reading.coverage,
      artifactShare: reading.artifactShare, beats: reading.count, meanHeartRate: reading.meanHeartRate,
      sdnn: reading.sdnn, rmssd: reading.rmssd)
  }

  /// The name of the first key with an invalid value, or `nil` if all are valid.
  fileprivate var wrongKey: String? {
    if UUID(uuidString: id) == nil || id != id.lowercased() { return "id" }
    if HRVReading.Kind(rawValue: kind) == nil { return "kind" }
    if startUs.magnitude >= SessionArchive.latest { return "startUs" }
    if !(1...3_600_000_000).contains(durationUs) { return "durationUs" }
    if !(0...2).contains(coverage) { return "coverage" }
    if !(0...1).contains(artifactShare) { return "artifactShare" }
    if !(0...100_000).contains(beats) { return "beats" }
    for (key, value) in [("meanHeartRate", meanHeartRate), ("sdnn", sdnn), ("rmssd", rmssd)] {
      if let value, !(0...100_000).contains(value) { return key }
    }
    return nil
  }

  fileprivate func reading(of person: String?) -> HRVReading? {
    guard let kind = HRVReading.Kind(rawValue: kind) else { return nil }
    return HRVReading(
      id: id, kind: kind, person: person, session: session, start: WallTime(microseconds: startUs),
      duration: .microseconds(durationUs), coverage: coverage, artifactShare: artifactShare, count: beats,
      meanHeartRate: meanHeartRate, sdnn: sdnn, rmssd: rmssd)
  }
}

extension PersonArchive.Strap {
  /// Creates a strap without its bond: the keys belong to the Bluetooth daemon.
  package init(_ strap: KnownStrap) {
    self.init(
      address: strap.address.description, addressType: strap.address.kind == .public ? "public" : "random",
      name: strap.name, advertisedName: strap.advertisedName, label: strap.label, addedUs: strap.added.microseconds)
  }
}

extension PersonArchive.Baseline {
  package init(_ baseline: PersonalBaseline) {
    self.init(
      kind: baseline.kind, hrv: baseline.baselineHRV, restingHeartRate: baseline.restingHeartRate,
      count: baseline.sampleCount, personal: baseline.isPersonal, hourly: baseline.hourlyHRV,
      updated: Timestamp.text(baseline.lastUpdated))
  }
}
