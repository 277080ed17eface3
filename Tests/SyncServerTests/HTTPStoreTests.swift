import Sync
import SyncHTTPStore
import SyncTestKit
import TLS
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("Store by HTTP", .timeLimit(.minutes(3)))
struct HTTPStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testHTTPStore_FulfilsContract(choice: SyncDatabaseChoice) async throws {
    try await TestServer.run(over: try await choice.make(in: folder)) { server in
      let token = try await server.token("a")
      try await StoreContract(server.store(token), hasSeveralSpaces: false) { server.store(token) }.check()
    }
  }

  @Test func testTLS_IsVerified() async throws {
    let now = SystemTimeSource().now().wall
    let authority = try CertificateIssuer.makeAuthority("Test", at: now)
    let issued = try CertificateIssuer.issue(
      PageNames(hosts: ["localhost"], addresses: ["127.0.0.1"]), by: authority, at: now)
    let other = try CertificateIssuer.makeAuthority("Other", at: now)
    try folder.write(issued.certificate, to: "page.pem")
    try folder.write(issued.key, to: "page.key")
    try folder.write(authority.certificate, to: "authority.pem")
    try folder.write(other.certificate, to: "other.pem")
    let identity = CurrentIdentity(
      try TLSIdentity(certificate: folder.path("page.pem"), key: folder.path("page.key")))
    let database = try SQLiteDatabase(path: folder.path("sync.sqlite"))
    let (authorities, others) = (folder.path("authority.pem"), folder.path("other.pem"))
    try await TestServer.run(over: database, identity: identity, authorities: authorities) { server in
      let token = try await server.token("a")
      let store = server.store(token)
      #expect(try await store.put((1...50).map { Planted.object($0) }).count == 50)
      #expect(try await store.objects(of: Planted.log(), after: 0).objects.count == 50)
      for authorities in [others, nil] {
        let store = HTTPStore(HTTPStore.Options(address: server.address, token: token, authorities: authorities))
        await #expect {
          try await store.logs(of: Planted.space)
        } throws: { error in
          guard case .unreachable(server.address, let reason) = error as? StoreFailure else { return false }
          return reason.contains("TLS")
        }
      }
    }
  }

  @Test func testManyLargeObjects_NeedFewRequests_AndArriveInOrder() async throws {
    try await TestServer.run(over: try SQLiteDatabase(path: folder.path("sync.sqlite"))) { server in
      let store = server.store(try await server.token("a"))
      let objects = (1...7).map { sequence in
        StoreObject(key: Planted.key(sequence), bytes: [UInt8](repeating: UInt8(sequence), count: 400_000))
      }
      #expect(try await store.put(objects) == [StorePutResult](repeating: .stored, count: 7))
      var read: [StoredChunk] = []
      var requestCount = 0
      while true {
        let part = try await store.objects(of: Planted.log(), after: read.last?.sequence ?? 0)
        read += part.objects
        requestCount += 1
        if part.isWhole { break }
      }
      #expect(read == objects.map { StoredChunk(sequence: $0.key.sequence, bytes: $0.bytes) })
      #expect(requestCount == 4)
      let listing = try await store.list(Planted.log(), after: 0, limit: .max)
      #expect(listing == StoreListing(sequences: Array(1...7), isWhole: true))
    }
  }

  @Test func testOtherServer_IsNoStore() async throws {
    let web = try WebServer { request in
      request.path.hasSuffix("/logs")
        ? WebServer.Response(200, body: Array("<html>".utf8))
        : request.path.hasSuffix("/1")
          ? WebServer.Response(404) : WebServer.Response(503, headers: ["Retry-After": "7"])
    }
    let store = HTTPStore(HTTPStore.Options(address: "http://127.0.0.1:\(web.port)/", token: "x"))
    await #expect(throws: StoreFailure.notAStore(reason: "it answered with status 200")) {
      try await store.logs(of: Planted.space)
    }
    await #expect(throws: StoreFailure.notAStore(reason: "it answered with status 404")) {
      try await store.get(Planted.key(1))
    }
    await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(7))) { try await store.spaces() }
    web.stop()
    let refused = StoreFailure.unreachable(
      address: web.base, reason: "the host refused the connection or cannot be reached")
    #expect(refused.description.contains(web.base))
    await #expect(throws: refused) { try await store.spaces() }
  }

  /// An interrupted command differs from a server that cannot be reached.
  @Test func testCancelledRequest_IsNoFailureOfTheStore() async throws {
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
    let web = try WebServer { _ in
      continuation.yield()
      return nil
    }
    defer { web.stop() }
    let store = HTTPStore(HTTPStore.Options(address: web.base, token: "x"))
    let request = Task { try await store.spaces() }
    _ = await requests.first { _ in true }
    request.cancel()
    await #expect(throws: StoreFailure.cancelled) { try await request.value }
  }
}
