import FoundationEssentials
import Repository
import StressKit
import TachogramCore

/// A life of a database in steps. Each step is stored whole or not at all, and may be tried again when it failed.
enum FaultScenario {
  struct Step: Sendable {
    let name: String
    let body: @Sendable (TachogramDatabase) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (TachogramDatabase) async throws -> Void) {
      self.name = name
      self.body = body
    }
  }

  private static let other = SessionFixture.identifier(2)
  private static let strap = KnownStrap(
    address: SessionFixture.description().strap.address, name: "blue", isBonded: true,
    added: WallTime(microseconds: SessionFixture.wallStart), person: "Anna")

  /// A session of Anna with something of everything.
  private static let anna: (session: SessionDescription, batch: SessionBatch) = {
    var batch = SessionFixture.batch(0..<40)
    batch.gaps = [SessionFixture.gap(0, entry: 20)]
    batch.artifacts = [BeatArtifact(beat: 3, beatClass: .ectopic, replacements: 1, milliseconds: 800)]
    var values = HRVValues()
    values.meanHeartRate = 60
    values.sdnn = 50
    batch.windows = [60, 300].map { SessionFixture.window(endSecond: 65, length: $0, values: values) }
    batch.stress = [SessionFixture.stress(person: "Anna", second: 60)]
    return (SessionFixture.description(person: "Anna", characteristics: [0x2A00: Array("Strap".utf8)]), batch)
  }()

  private static let bens: (session: SessionDescription, batch: SessionBatch) = {
    (SessionFixture.description(id: other, person: "Ben", startSecond: 600), SessionFixture.batch(0..<30))
  }()

  private static let measurement = SessionFixture.stress(kind: .rmssd, second: 3, sessionID: nil)

  static let steps: [Step] = [
    Step("begin a session") { try SessionRepository(database: $0).begin(anna.session) },
    Step("append to it") { try SessionRepository(database: $0).append(anna.batch, to: anna.session.id) },
    Step("append much") {
      try SessionRepository(database: $0).append(SessionFixture.batch(40..<700), to: anna.session.id)
    },
    Step("describe its strap") {
      var strap = anna.session.strap
      strap.characteristics[0x2A19] = [87]
      try SessionRepository(database: $0).append(SessionBatch(), to: anna.session.id, describing: strap)
    },
    Step("end it") { try SessionRepository(database: $0).finish(anna.session.id) },
    Step("begin another with its first batch") {
      try SessionRepository(database: $0).begin(bens.session, with: bens.batch)
    },
    Step("derive the first anew") { try SessionRepository(database: $0).begin(anna.session, with: anna.batch) },
    Step("remember a strap") { try StrapRepository(database: $0).remember(strap) },
    Step("rename it") { try StrapRepository(database: $0).rename(strap, to: "green") },
    Step("say who wears it") { try StrapRepository(database: $0).assign(strap, person: "Ben", label: "night") },
    Step("save a measurement") { try await stress($0).save(measurement) },
    Step("delete it") { try await stress($0).delete(measurement) },
    Step("keep a baseline") {
      try await stress($0)
        .updateBaseline(PersonalBaseline.default(kind: .rmssd, lastUpdated: measurement.timestamp))
    },
    Step("refresh trends") { try TrendRepository(database: $0, timeZone: .gmt).refresh() },
    Step("read everything") { database in
      let repository = SessionRepository(database: database)
      for session in try repository.sessions() {
        try repository.forEachEntry(of: session.description.id) { _ in }
        try repository.forEachBeat(of: session.description.id) { _ in }
      }
      _ = try await stress(database).fetchAll()
    },
    Step("copy it") { _ = try $0.snapshot(to: $0.path + ".copy") },
    Step("let windows expire") {
      try DeletionRepository(database: $0).deleteWindows(before: WallTime(microseconds: .max), except: [])
    },
    Step("delete a person") {
      var selection = SessionSelection()
      selection.person = "Ben"
      try DeletionRepository(database: $0).delete(selection)
    },
    Step("let sessions expire") {
      _ = try DeletionRepository(database: $0).expire(before: WallTime(microseconds: .max), except: [])
    },
  ]

  private static func stress(_ database: TachogramDatabase) -> StressRepository {
    StressRepository(database: database, person: nil, kind: .rmssd, now: { measurement.timestamp })
  }
}
