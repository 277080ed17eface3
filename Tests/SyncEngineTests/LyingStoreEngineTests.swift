import Repository
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// What a station does with a store that shows something else than what was put there. Each lie is named, changes nothing that is
/// stored, and is over when the store tells the truth again.
@Suite("Stations and a store that lies")
struct LyingStoreEngineTests {
  /// A bedroom with sessions in its log, and a laptop that has not read them.
  private struct World {
    let bedroom: TestStation
    let laptop: TestStation
    let log: StoreLog
    let ids: Set<String>

    init(_ store: any SyncStoreProtocol) async throws {
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      (bedroom, laptop) = (stations[0], stations[1])
      try await laptop.sync(store)
      ids = Set(
        try (0..<3).map { [bedroom] in try bedroom.record(after: .seconds($0 * 7200), seed: UInt64($0 + 1)) })
      try await bedroom.sync(store)
      let state = try bedroom.loaded()
      log = StoreLog(space: state.space, station: state.id, kind: .chunks)
    }

    func key(_ sequence: UInt64) -> StoreKey { StoreKey(log: log, sequence: sequence) }

    /// The last chunk of the log.
    var last: UInt64 { get throws { try bedroom.loaded().receiver.logs[log.station]?.last ?? 0 } }

    /// Synchronises with the truthful store. Everything must be there, once.
    func expectAll(_ store: any SyncStoreProtocol) async throws {
      let pass = try await laptop.sync(store, isFirst: false)
      #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty, "\(pass.download)")
      #expect(Set(try laptop.sessions.sessions().map(\.description.id)) == ids)
      for id in ids { #expect(try laptop.rows(of: id) == bedroom.rows(of: id)) }
    }
  }

  private func kinds(_ pass: SpaceState.Pass) -> Set<LogFinding.Kind> { Set(pass.download.findings.map(\.kind)) }

  @Test(arguments: StoreChoice.allCases)
  func testDropped_IsMissing_AndTheRestArrives(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      var lying = LyingStore(store)
      let last = try world.last
      // The levels of the first sessions, which nothing continues.
      lying.denied = [world.key(last - 1)]
      #expect(kinds(try await world.laptop.sync(lying)) == [.missing])
      #expect(Set(try world.laptop.sessions.sessions().map(\.description.id)) == world.ids)
      // It is not accepted by a restart.
      world.laptop.restart()
      #expect(kinds(try await world.laptop.sync(lying)) == [.missing])
      try await world.expectAll(store)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testReorderedAndDuplicated_IsTheSame(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      var lying = LyingStore(store)
      lying.isDisordered = true
      try await world.expectAll(lying)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testTruncated_IsDamaged(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      var lying = LyingStore(store)
      for length in [0, 1, 100, EnvelopeHeader.byteCount + 5] {
        let whole = try #require(try await store.get(world.key(2)))
        lying.replaced = [world.key(2): Array(whole.prefix(length))]
        let kinds = kinds(try await world.laptop.sync(lying))
        #expect(kinds.isSuperset(of: [.damaged, .missing]), "\(length): \(kinds)")
      }
      try await world.expectAll(store)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testRolledBack_IsNamed_AndNothingIsDeletedHere(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      try await world.expectAll(store)
      var lying = LyingStore(store)
      lying.end = 1
      #expect(kinds(try await world.laptop.sync(lying)).contains(.rolledBack))
      #expect(try world.laptop.sessions.sessions().count == 3)
      try await world.expectAll(store)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testRolledBackForANewStation_IsNamedByTheOneThatHasSeenMore(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      try await world.laptop.sync(store)
      // The laptop states what it has seen.
      let id = try world.laptop.record(after: .seconds(30_000), seed: 9)
      try await world.laptop.sync(store)
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: world.bedroom, in: store)
      var lying = LyingStore(store)
      let last = try world.last
      lying.denied = Set((2...(last + 1)).map(world.key))
      let pass = try await phone.sync(lying)
      #expect(kinds(pass).contains(.withheld))
      #expect(try phone.sessions.sessions().map(\.description.id).contains(id))
      let whole = try await phone.sync(store)
      #expect(whole.download.findings.isEmpty)
      #expect(try phone.sessions.sessions().count == 4)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testWithheldMemberRecord_IsNamed(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      let before = Set(try world.laptop.loaded().records.map(\.digest))
      let gym = try TestStation("gym")
      try await TestSpaces.join(gym, to: world.bedroom, in: store)
      let id = try gym.record(after: .seconds(30_000), seed: 9)
      try await gym.sync(store)
      // What the bedroom writes now refers to the record of the gym.
      try world.bedroom.annotations.change(try #require(world.ids.first), SessionEdit(label: "after"))
      try await world.bedroom.sync(store)
      var lying = LyingStore(store)
      for object in try await store.contents() where object.key.log.kind == .members {
        if let record = try? MemberRecord(bytes: object.bytes), !before.contains(record.digest) {
          lying.denied.insert(object.key)
        }
      }
      #expect(lying.denied.count > 0)
      #expect(kinds(try await world.laptop.sync(lying)).contains(.withheldMembers))
      let pass = try await world.laptop.sync(store)
      #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty)
      #expect(try world.laptop.rows(of: id) == gym.rows(of: id))
    }
  }

  @Test(arguments: StoreChoice.allCases, [StoreLog.Kind.members, .chunks])
  func testLogThatCannotBeRead_IsReported_AndDoesNotStopTheOthers(choice: StoreChoice, kind: StoreLog.Kind) async throws
  {
    try await choice.run { store in
      let world = try await World(store)
      let gym = try TestStation("gym")
      try await TestSpaces.join(gym, to: world.bedroom, in: store)
      let id = try world.bedroom.record(after: .seconds(30_000), seed: 9)
      try await world.bedroom.sync(store)
      var lying = LyingStore(store)
      // The record of the gym is one of the bedroom.
      let station = kind == .members ? world.log.station : try gym.loaded().id
      lying.unreadable = StoreLog(space: world.log.space, station: station, kind: kind)
      // The laptop has read nothing of the gym yet.
      _ = try gym.record(after: .seconds(40_000), seed: 8)
      try await gym.sync(store)
      let error = await #expect(throws: SyncFailure.self) { try await world.laptop.sync(lying) }
      #expect(error?.description.contains("/store/") == true, "\(String(describing: error))")
      #expect(try world.laptop.rows(of: id) == world.bedroom.rows(of: id))
      try await world.laptop.sync(store)
      #expect(try world.laptop.sessions.sessions().count == 5)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testBodiesOfTwoSpacesSwapped_AreRefused(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      // A server has one space for each token; a hostile one has the objects of all.
      let elsewhere = MemoryStore()
      let other = try await World(elsewhere)
      var lying = LyingStore(store)
      let (mine, theirs) = (
        try #require(try await store.get(world.key(2))), try #require(await elsewhere.get(other.key(2)))
      )
      let length = EnvelopeHeader.byteCount
      lying.replaced = [world.key(2): theirs]
      #expect(kinds(try await world.laptop.sync(lying)) == [.otherSpace, .missing])
      lying.replaced = [world.key(2): Array(mine.prefix(length) + theirs.dropFirst(length))]
      #expect(!kinds(try await world.laptop.sync(lying)).isDisjoint(with: [.swappedBody, .damaged]))
      #expect(try world.laptop.sessions.sessions().allSatisfy { world.ids.contains($0.description.id) })
      try await world.expectAll(store)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testForkedLog_IsNamed_AndDoesNotStopTheOthers(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      try await world.expectAll(store)
      // The author signs a second chunk for a place that the laptop knows.
      let state = try world.bedroom.loaded()
      let before = try #require(state.receiver.logs[state.id]?.links[1])
      var writer = LogWriter(
        space: state.space, head: LogHead(station: state.id, sequence: 1, digest: before.digest))
      let chunk = Chunk(kind: .stress, sealed: world.bedroom.now, payload: [1])
      let fork = try writer.append(chunk, to: state.membership.currentEpoch, by: state.keys)
      var lying = LyingStore(store)
      lying.replaced = [world.key(2): fork.bytes]
      lying.denied = Set((3...(try world.last)).map(world.key))
      world.laptop.restart()
      let gym = try TestStation("gym")
      try await TestSpaces.join(gym, to: world.laptop, in: store)
      let id = try gym.record(after: .seconds(30_000), seed: 9)
      try await gym.sync(store)
      #expect(!kinds(try await world.laptop.sync(lying)).isDisjoint(with: [.forked, .rolledBack]))
      #expect(try world.laptop.rows(of: id) == gym.rows(of: id))
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: world.laptop, in: store)
      // The laptop's reply to joining states the true head.
      #expect(!kinds(try await phone.sync(lying)).isDisjoint(with: [.forked, .withheld]))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testChunkThatNoKeyOpens_IsNamed_AndTheRestArrives(choice: StoreChoice) async throws {
    try await choice.run { store in
      let world = try await World(store)
      let state = try world.bedroom.loaded()
      var writer = LogWriter(space: state.space, head: state.receiver.logs[state.id]?.head)
      // Sealed to a key that nobody has, under the number of the current epoch; then what is no chunk.
      let wrong = EpochKey(epoch: state.membership.currentEpoch.epoch).publicKey
      let chunk = Chunk(kind: .stress, sealed: world.bedroom.now, payload: [1])
      let chunks = [
        try writer.append(chunk, to: wrong, by: state.keys),
        try writer.append(
          Chunk(kind: .ledger, sealed: world.bedroom.now, payload: [9, 9]), to: state.membership.currentEpoch,
          by: state.keys),
        try writer.append(
          Chunk(kind: .unknown(200), sealed: world.bedroom.now, payload: [1]), to: state.membership.currentEpoch,
          by: state.keys),
      ]
      for envelope in chunks {
        _ = try await store.putIfAbsent(envelope.bytes, at: world.key(envelope.header.sequence))
      }
      let pass = try await world.laptop.sync(store)
      #expect(kinds(pass) == [.unreadable] && pass.download.refused.count == 1)
      #expect(pass.download.unknownKindCount == 1)
      for id in world.ids { #expect(try world.laptop.rows(of: id) == world.bedroom.rows(of: id)) }
    }
  }
}
