import Sync
import SyncHTTPStore
import SyncTestKit
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("Tokens of a sync server", .timeLimit(.minutes(3)))
struct TokenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testToken_IsBoundToTheFirstSpace(choice: SyncDatabaseChoice) async throws {
    try await TestServer.run(over: try await choice.make(in: folder)) { server in
      let store = server.store(try await server.token("a"))
      // Reading a space that is not there does not bind it.
      #expect(try await store.logs(of: Planted.otherSpace).isEmpty)
      #expect(try await store.spaces().isEmpty)
      #expect(try await store.putIfAbsent([1], at: Planted.key(1)) == .stored)
      #expect(try await store.spaces() == [Planted.space])
      await #expect(throws: StoreFailure.otherSpace) {
        try await store.putIfAbsent([1], at: Planted.key(1, of: Planted.otherSpace))
      }
      await #expect(throws: StoreFailure.otherSpace) { try await store.logs(of: Planted.otherSpace) }
      await #expect(throws: StoreFailure.otherSpace) {
        try await store.put([StoreObject(key: Planted.key(1, of: Planted.otherSpace), bytes: [1])])
      }
      // Another token of the same space, as that of a second station.
      let second = server.store(try await server.token("b"))
      #expect(try await second.get(Planted.key(1)) == [1])
      await #expect(throws: StoreFailure.otherSpace) { try await second.logs(of: Planted.otherSpace) }
    }
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testUnknownAndRevokedTokens_AreRefused(choice: SyncDatabaseChoice) async throws {
    let database = try await choice.make(in: folder)
    try await TestServer.run(over: database) { server in
      let token = try await server.token("a")
      let store = server.store(token)
      _ = try await store.putIfAbsent([1], at: Planted.key(1))
      for wrong in ["", "x", SyncTokenSecret().text, token + "0", token.uppercased()] {
        await #expect(throws: StoreFailure.tokenRefused, "\(wrong)") {
          try await server.store(wrong).get(Planted.key(1))
        }
      }
      let tokens = SyncTokenStorage(database)
      await #expect(throws: SyncStorageFailure.nameTaken) {
        try await tokens.add(SyncToken(name: "a", digest: SyncTokenSecret().digest, quota: nil, created: 0))
      }
      #expect(try await tokens.tokens().map(\.token.space) == [Planted.space])
      #expect(try await tokens.revoke(name: "a"))
      #expect(try await !tokens.revoke(name: "a"))
      await #expect(throws: StoreFailure.tokenRefused) { try await store.get(Planted.key(1)) }
      // What the space has stays.
      let next = server.store(try await server.token("a"))
      #expect(try await next.get(Planted.key(1)) == [1])
    }
  }

  @Test func testWrongTokens_BlockOnlyUnknownOnes() async throws {
    let time = ManualTimeSource()
    try await TestServer.run(over: try SQLiteDatabase(path: folder.path("s.sqlite")), time: time) { server in
      let store = server.store(try await server.token("a"))
      _ = try await store.spaces()
      for _ in 0..<20 {
        await #expect(throws: StoreFailure.tokenRefused) { try await server.store(SyncTokenSecret().text).spaces() }
      }
      let blocked = StoreFailure.unavailable(retryAfter: .seconds(3))
      let new = server.store(try await server.token("b"))
      await #expect(throws: blocked) { try await server.store(SyncTokenSecret().text).spaces() }
      await #expect(throws: blocked) { try await new.spaces() }
      _ = try await store.spaces()
      time.advance(seconds: 3)
      _ = try await new.spaces()
    }
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testSecret_IsNotStored(choice: SyncDatabaseChoice) async throws {
    let database = try await choice.make(in: folder)
    let secret = SyncTokenSecret()
    let token = SyncToken(name: "kitchen", digest: secret.digest, quota: 5, created: 7)
    try await SyncTokenStorage(database).add(token)
    #expect(try await SyncTokenStorage(database).token(secret.digest) == token)
    #expect(token.digest == ContentDigest(of: Array(secret.text.utf8)))
    await database.close()
    if choice == .sqlite {
      let bytes = try folder.files().flatMap { Array(try folder.read($0)) }
      #expect(!bytes.isEmpty && !String(decoding: bytes, as: UTF8.self).contains(secret.text.dropFirst(4).prefix(8)))
    }
  }

  @Test func testSecret_HasOneForm() {
    let secret = SyncTokenSecret()
    #expect(SyncTokenSecret(authorization: "Bearer \(secret.text)") == secret)
    #expect(SyncTokenSecret(authorization: "bearer \(secret.text)") == secret)
    for text in [
      "", "Bearer", "Bearer ", secret.text, "Basic \(secret.text)", "Bearer \(secret.text) ", "Bearer tgs_12",
    ] {
      #expect(SyncTokenSecret(authorization: text) == nil, "\(text)")
    }
  }
}
