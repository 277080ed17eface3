import Foundation
import HTTPClient
import HTTPTypes
import Sync
import SyncHTTPStore
import SyncTestKit
import TachogramTestKit
import Testing

@testable import SyncServer

/// Requests that no store of this package sends: each has an answer, and the server goes on.
@Suite("Hostile clients of a sync server", .timeLimit(.minutes(3)))
struct HostileClientTests {
  private struct Trial {
    let method: HTTPRequest.Method
    let path: String
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    let status: Int

    init(
      _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], body: [UInt8] = [], gives status: Int
    ) {
      (self.method, self.path, self.headers) = (method, path, headers)
      (self.body, self.status) = (body, status)
    }
  }

  private static let space = "/v1/spaces/\(Planted.space)"
  private static let log = "\(space)/logs/\(Planted.log().station)/chunks"
  private static let digest = "\(ContentDigest(of: []))"

  private static let trials: [Trial] = [
    Trial(.get, "/", gives: 404), Trial(.get, "/v1", gives: 404), Trial(.get, "/v1/spaces/", gives: 404),
    Trial(.get, "/v2/spaces", gives: 404),
    Trial(.get, "/v1/spaces/\(String(repeating: "A", count: 64))/logs", gives: 404),
    Trial(.get, "\(space)x/logs", gives: 404),
    Trial(.get, "\(space)/logs/", gives: 404), Trial(.get, "\(space)/logs/\(digest)", gives: 404),
    Trial(.get, "\(space)/logs/\(digest)/other", gives: 404), Trial(.get, "\(log)/0", gives: 404),
    Trial(.get, "\(log)/-1", gives: 404),
    Trial(.get, "\(log)/9223372036854775808", gives: 404), Trial(.get, "\(log)/1/2", gives: 404),
    Trial(.get, "\(log)/+1", gives: 404),
    Trial(.get, "\(log)/9223372036854775807", gives: 404), Trial(.get, "\(log)/99999999999999999999999", gives: 404),
    Trial(.get, "\(log)?after=1&after=2", gives: 404), Trial(.get, "\(log)?before=1", gives: 404),
    Trial(.get, "\(log)?after=", gives: 404),
    Trial(.get, "\(log)?", gives: 404), Trial(.get, "\(log)?after=1&", gives: 404),
    Trial(.get, "\(log)?after=18446744073709551615&limit=18446744073709551615", gives: 200),
    Trial(.get, "\(log)?limit=0", gives: 200),
    Trial(.get, "\(log)/objects?first=2&last=1", gives: 404),
    Trial(.get, "\(log)/objects?first=0&last=18446744073709551615&bytes=18446744073709551615", gives: 200),
    Trial(.get, "\(space)/changes?after=18446744073709551615&wait=18446744073709551615", gives: 200),
    Trial(.post, "/v1/spaces", gives: 405), Trial(.delete, "\(space)/logs", gives: 405),
    Trial(.post, "\(log)/1", body: [1], gives: 405),
    Trial(.init("TRACE") ?? .get, "\(space)/logs", gives: 405),
    Trial(.delete, "\(log)/5?keep=18446744073709551615", gives: 404),
    Trial(
      .put, "\(log)/6", body: [UInt8](repeating: 0, count: EnvelopeHeader.byteCount + EnvelopeHeader.longestBody + 1),
      gives: 413),
    Trial(.put, "\(log)/6", body: [UInt8](repeating: 0, count: StoreMessage.longestRequest + 1), gives: 413),
    Trial(.put, "\(log)/6", body: [], gives: 201), Trial(.post, "\(space)/objects", body: [], gives: 200),
    Trial(.post, "\(space)/objects", body: [0], gives: 400),
    Trial(.post, "\(space)/objects", body: [9, 9, 9], gives: 400),
    Trial(.put, "\(space)/head", body: Array("\(digest)\n".utf8), gives: 428),
    Trial(.put, "\(space)/head", [.ifNoneMatch: "\"\(digest)\""], body: Array("\(digest)\n".utf8), gives: 428),
    Trial(.put, "\(space)/head", [.ifMatch: digest], body: Array("\(digest)\n".utf8), gives: 400),
    Trial(.put, "\(space)/head", [.ifMatch: "\""], body: Array("\(digest)\n".utf8), gives: 400),
    Trial(.put, "\(space)/head", [.ifNoneMatch: "*"], body: Array(digest.utf8), gives: 400),
    Trial(.put, "\(space)/head", [.ifNoneMatch: "*"], body: [0xFF, 0xFE], gives: 400),
  ]

  @Test func testEachRequest_HasItsAnswer() async throws {
    let folder = try TemporaryFolder()
    let incidents = IncidentList()
    try await TestServer.run(over: try SQLiteDatabase(path: folder.path("s.sqlite")), incidents: incidents) { server in
      let token = try await server.token("a")
      let store = server.store(token)
      _ = try await store.putIfAbsent([1], at: Planted.key(1))
      let client = HTTPClient()
      for trial in Self.trials {
        var headers = trial.headers
        headers[.authorization] = "Bearer \(token)"
        headers[.expect] = ""
        let response = try await client.send(
          HTTPClient.Request(trial.method, url: server.address + trial.path, headers: headers, body: trial.body))
        #expect(response.status.code == trial.status, "\(trial.method) \(trial.path)")
      }
      #expect(try await store.get(Planted.key(1)) == [1])
    }
    #expect(incidents.all.isEmpty)
  }

  @Test func testRoutes_AreTheirPaths() {
    let (space, log) = (Planted.space, Planted.log(.joining))
    let routes: [StoreRoute] = [
      .spaces, .logs(space), .listing(log, after: 3, limit: 5), .objects(log, 2...9, byteLimit: 10),
      .objects(log, 1...UInt64.max, byteLimit: 0), .object(StoreKey(log: log, sequence: 7), keptLength: 0),
      .object(StoreKey(log: log, sequence: StoreRoute.lastSequence), keptLength: 246), .batch(space), .head(space),
      .changes(space, after: nil, seconds: 0), .changes(space, after: StoreMark(changeCount: 8), seconds: 50),
    ]
    for route in routes {
      #expect(StoreRoute(path: route.path) == route, "\(route)")
    }
  }

  @Test func testMessages_CutAnywhere_AreErrors() throws {
    let objects = (1...3).map { Planted.object($0) }
    let batch = StoreMessage.batch(objects)
    #expect(batch.count == objects.reduce(0) { $0 + StoreMessage.batchLength($1) })
    #expect(try StoreMessage.batch(batch, of: Planted.space) == objects)
    let results: [StorePutResult] = [.stored, .unchanged, .conflict(existing: [1, 2, 3])]
    let answer = StoreMessage.results(results)
    #expect(try StoreMessage.results(answer) == results)
    let read = StoreObjects(
      objects: objects.map { StoredChunk(sequence: $0.key.sequence, bytes: $0.bytes) }, isWhole: false)
    let message = StoreMessage.objects(read)
    #expect(try StoreMessage.objects(message, in: 1...3) == read)
    #expect(throws: FormatFailure.self) { try StoreMessage.objects(message, in: 1...2) }
    #expect(throws: FormatFailure.self) { try StoreMessage.objects(message + message.dropFirst(), in: 1...3) }
    for length in 0..<batch.count {
      let cut = try? StoreMessage.batch(Array(batch.prefix(length)), of: Planted.space)
      #expect(cut == nil || objects.starts(with: cut ?? []))
    }
    for length in 0..<message.count {
      let cut = try? StoreMessage.objects(Array(message.prefix(length)), in: 1...3)
      #expect(cut == nil || read.objects.starts(with: cut?.objects ?? []))
    }
    for length in 0..<answer.count {
      let cut = try? StoreMessage.results(Array(answer.prefix(length)))
      #expect(cut == nil || results.starts(with: cut ?? []))
    }
  }

  @Test func testLines_OfOtherText_AreNone() {
    let logs = [Planted.log(), Planted.log(.members)]
    #expect(StoreLines.logs(StoreLines.text(logs: logs), of: Planted.space) == logs)
    let listing = StoreListing(sequences: [1, 9], isWhole: false)
    #expect(StoreLines.listing(StoreLines.text(listing: listing)) == listing)
    let changes = StoreChanges(mark: StoreMark(changeCount: 5), logs: logs)
    #expect(StoreLines.changes(StoreLines.text(changes: changes), of: Planted.space) == changes)
    #expect(StoreLines.spaces("\(Planted.space)\n") == [Planted.space] && StoreLines.spaces("") == [])
    #expect(StoreLines.spaces("\(Planted.space)") == nil && StoreLines.spaces("x\n") == nil)
    #expect(StoreLines.listing("") == nil && StoreLines.listing("whole\n\n") == nil && StoreLines.listing("w\n") == nil)
    #expect(StoreLines.changes("-1\n", of: Planted.space) == nil && StoreLines.changes("", of: Planted.space) == nil)
    #expect(StoreLines.logs("\(ContentDigest.zero)  chunks\n", of: Planted.space) == nil)
  }
}
