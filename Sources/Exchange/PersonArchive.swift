import CommandProcess
import Foundation
import Repository
import StressKit
import TachogramCore

/// What belongs to a person beside the sessions, as an export of all of a person holds it: the straps, the stress levels whose
/// recordings are gone, the baselines, and what hours amounted to as far as it was computed. Baselines and hours are not read
/// again: they are computed of the stress levels and the sessions that are there.
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

  /// What an hour of UTC amounted to: heart rate in bpm, HRV in ms.
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

  /// `nil`: no person.
  package private(set) var person: String?
  package let straps: [Strap]
  package let stress: [StressRow]
  package let baselines: [Baseline]
  /// `nil` in exports of the versions that did not write them.
  package let hours: [Hour]?

  /// What the database holds.
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
  }

  /// Whether it says anything of the person.
  package var isEmpty: Bool { straps.isEmpty && stress.isEmpty && baselines.isEmpty && hours?.isEmpty != false }

  /// Reads an export; throws a failure that says where it is wrong. `other` is used in the place of the person that it names.
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

  /// Stores the stress levels. What is stored already stays as it is.
  ///
  /// Straps are stored only where `trustsStraps`: they are listened to, which no file may bring about by itself. A strap that
  /// is known stays as it is.
  ///
  /// - Returns: The addresses of straps that were not stored.
  package func store(in database: TachogramDatabase, trustsStraps: Bool) async throws -> [String] {
    for kind in HRVKind.allCases {
      let levels = stress.filter { $0.kind == kind }.map { $0.measurement(person: person, session: nil) }
      try await StressRepository(database: database, person: person, kind: kind) { Date(timeIntervalSince1970: 0) }
        .add(levels)
    }
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

extension PersonArchive.Strap {
  /// Without its bond: the keys are the Bluetooth daemon's.
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
