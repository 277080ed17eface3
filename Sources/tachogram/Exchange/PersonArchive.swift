import Foundation
import Repository
import TachogramCore

/// What belongs to a person beside the sessions, as an export of all of a person holds it: the straps, the stress levels whose
/// recordings are gone, and the baselines. Baselines are not read again: they are computed from the stress levels.
struct PersonArchive: Codable {
  struct Strap: Codable {
    let address: String
    let addressType: String
    let name: String
    let advertisedName: String?
    let label: String?
    let addedUs: Int64
  }

  /// HRV in ms, heart rate in bpm, hourly HRV in ms by the hour of UTC.
  struct Baseline: Codable {
    let kind: HRVKind
    let hrv: Double
    let restingHeartRate: Double
    let count: Int
    let personal: Bool
    let hourly: [Int: Double]
    let updated: String
  }

  /// `nil`: nobody in particular.
  let person: String?
  let straps: [Strap]
  let stress: [StressRow]
  let baselines: [Baseline]

  /// What the database holds.
  init(of person: String?, in database: TachogramDatabase) async throws {
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
  }

  /// Reads an export; throws a failure that says where it is wrong.
  init(_ data: Data, path: String) throws {
    do {
      self = try JSONDecoder().decode(PersonArchive.self, from: data)
    } catch let error as DecodingError {
      throw CommandFailure(
        "\(path): this is no person as `tachogram export` writes one: \(SessionArchive.text(error))", code: .badInput)
    }
  }

  /// Stores straps and stress levels, for `person` in the place of the one in the file. A strap that is known stays as it is.
  func store(in database: TachogramDatabase, person other: String?) async throws {
    let person = other ?? person
    let repository = StrapRepository(database: database)
    let known = Set(try repository.straps().map(\.address))
    for strap in straps {
      let kind: BluetoothAddress.Kind = strap.addressType == "random" ? .random : .public
      guard let address = BluetoothAddress(text: strap.address, kind: kind), !known.contains(address) else { continue }
      try repository.remember(
        KnownStrap(
          address: address, name: strap.name, advertisedName: strap.advertisedName,
          added: WallTime(microseconds: strap.addedUs), person: person, label: strap.label))
    }
    for row in stress {
      let measurement = row.measurement(person: person, session: nil)
      try await StressRepository(database: database, person: person, kind: row.kind) { measurement.modified }
        .save(measurement)
    }
  }
}

extension PersonArchive.Strap {
  /// Without its bond: the keys are the Bluetooth daemon's.
  init(_ strap: KnownStrap) {
    self.init(
      address: strap.address.description, addressType: strap.address.kind == .public ? "public" : "random",
      name: strap.name, advertisedName: strap.advertisedName, label: strap.label, addedUs: strap.added.microseconds)
  }
}

extension PersonArchive.Baseline {
  init(_ baseline: PersonalBaseline) {
    self.init(
      kind: baseline.kind, hrv: baseline.baselineHRV, restingHeartRate: baseline.restingHeartRate,
      count: baseline.sampleCount, personal: baseline.isPersonal, hourly: baseline.hourlyHRV,
      updated: Timestamp.text(baseline.lastUpdated))
  }
}
