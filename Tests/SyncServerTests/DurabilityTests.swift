import Foundation
import Sync
import SyncHTTPStore
import SyncTestKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import SyncServer

/// What a sync server acknowledged is there afterwards, once, whatever is killed. `TACHOGRAM_KILLS` and `TACHOGRAM_RESTARTS` are other
/// numbers of rounds.
@Suite("Sync servers that are killed", .timeLimit(.minutes(15)))
struct DurabilityTests {
  private static let stations: [UInt8] = [1, 2, 3]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func rounds(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testServerKilledDuringUploads_KeepsWhatItAcknowledged(choice: SyncDatabaseChoice) async throws {
    let arguments: [String]
    let database: any SyncDatabaseProtocol
    switch choice {
    case .sqlite:
      arguments = ["--database", folder.path("sync.sqlite")]
      database = try SQLiteDatabase(path: folder.path("sync.sqlite"))
    case .postgreSQL:
      let address = try await PostgreSQLCluster.shared.value.makeDatabase()
      arguments = ["--postgresql", address]
      database = PostgreSQLDatabase(address)
    }
    let secret = SyncTokenSecret()
    try await SyncTokenStorage(database).add(SyncToken(name: "a", digest: secret.digest, quota: nil, created: 0))
    var random = SplitMix64(seed: 1)
    var acknowledged: [UInt8: UInt64] = [:]
    for _ in 0..<Self.rounds("TACHOGRAM_KILLS", 4) {
      let server = try ServerProcess(arguments)
      let store = try await server.store(secret.text)
      let endings = try await Self.upload(store, acknowledged, acknowledgements: Int.random(in: 1...40, using: &random))
      {
        await server.kill()
      }
      for (station, ending) in endings {
        guard case .unreachable = ending.failure else {
          Issue.record("it ended with \(String(describing: ending.failure))")
          return
        }
        acknowledged[station] = ending.acknowledged
      }
      try await Self.verify(database, acknowledged)
    }
    await database.close()
  }

  @Test func testPostgreSQLRestartedDuringUploads_KeepsWhatWasAcknowledged() async throws {
    let cluster = try await PostgreSQLCluster()
    let database = PostgreSQLDatabase(try await cluster.makeDatabase())
    try await TestServer.run(over: database) { server in
      let token = try await server.token("a")
      var random = SplitMix64(seed: 2)
      var acknowledged: [UInt8: UInt64] = [:]
      for _ in 0..<Self.rounds("TACHOGRAM_RESTARTS", 2) {
        let store = server.store(token)
        let endings = try await Self.upload(
          store, acknowledged, acknowledgements: Int.random(in: 1...40, using: &random)
        ) {
          try await cluster.crash()
        }
        for (station, ending) in endings {
          #expect(ending.failure == .unavailable(retryAfter: .seconds(2)))
          acknowledged[station] = ending.acknowledged
        }
        // The server goes on answering.
        await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(2))) { try await store.get(Planted.key(1)) }
        try await cluster.start()
        try await Self.verify(database, acknowledged)
      }
    }
    await database.close()
  }

  /// Uploads from several stations at once. After a number of acknowledgements, `interrupt` stops what they upload to.
  private static func upload(
    _ store: HTTPStore, _ acknowledged: [UInt8: UInt64], acknowledgements: Int,
    _ interrupt: @Sendable () async throws -> Void
  ) async throws -> [UInt8: Upload.Ending] {
    let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: (UInt8, Upload.Ending).self) { group in
      for station in stations {
        group.addTask {
          let upload = Upload(station: station)
          return (station, await upload.run(store, after: acknowledged[station] ?? 0) { continuation.yield() })
        }
      }
      var count = 0
      for await _ in reports {
        count += 1
        if count == acknowledgements { break }
      }
      try await interrupt()
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  /// Returns the objects of a log.
  private static func objects(of upload: Upload, _ database: any SyncDatabaseProtocol) async throws -> [StoredChunk] {
    let storage = SyncStorage(database)
    var stored: [StoredChunk] = []
    var isWhole = false
    while !isWhole {
      let after = (stored.last?.sequence ?? 0) + 1
      let part = try await storage.objects(of: upload.log, in: after...UInt64.max, byteLimit: 1 << 20)
      stored += part.objects
      isWhole = part.isWhole
    }
    return stored
  }

  /// Returns the objects of all logs, by station, and what the space uses, of one moment: a server of databases may still end what a
  /// killed client has begun.
  private static func contents(
    of database: any SyncDatabaseProtocol
  ) async throws -> (objects: [UInt8: [StoredChunk]], byteCount: Int64?) {
    var before = try await SyncTokenStorage(database).tokens().first?.byteCount
    while true {
      var all: [UInt8: [StoredChunk]] = [:]
      for station in stations { all[station] = try await objects(of: Upload(station: station), database) }
      let after = try await SyncTokenStorage(database).tokens().first?.byteCount
      if before == after { return (all, after) }
      before = after
    }
  }

  /// Compares the database with what was acknowledged.
  private static func verify(_ database: any SyncDatabaseProtocol, _ acknowledged: [UInt8: UInt64]) async throws {
    let contents = try await contents(of: database)
    var byteCount: Int64 = 0
    for station in stations {
      let upload = Upload(station: station)
      let last = acknowledged[station] ?? 0
      let stored = contents.objects[station] ?? []
      #expect(stored.map(\.sequence).elementsEqual(stride(from: 1, through: UInt64(stored.count), by: 1)))
      #expect((last...(last + Upload.batch)).contains(UInt64(stored.count)))
      for chunk in stored {
        let whole = upload.object(chunk.sequence).bytes
        let isCut = Upload.isCut(chunk.sequence) && chunk.bytes == Array(whole.prefix(10))
        let mayBeWhole = !Upload.isCut(chunk.sequence) || chunk.sequence > last
        #expect(isCut || mayBeWhole && chunk.bytes == whole, "object \(chunk.sequence)")
      }
      if !stored.isEmpty { byteCount += SyncSpaceRow.overhead }
      byteCount += stored.reduce(0) { $0 + Int64($1.bytes.count) + SyncSpaceRow.overhead }
    }
    // What the space uses is counted with the objects, or not at all.
    #expect(contents.byteCount == byteCount)
  }
}
