import HTTPClient
import HTTPTypes
import Sync

/// A store that a sync server offers by HTTP. Connections stay open between requests. Nothing is repeated here, except by libcurl
/// when an idle connection turns out to be closed.
package struct HTTPStore: SyncStoreProtocol {
  /// The address of the server, the token, and the limits of time.
  package struct Options: Sendable {
    /// An `http` or `https` URL, with a path if the server is behind a proxy.
    package var address: String
    package var token: String
    /// A PEM file of the certificates to trust in place of the system's.
    package var authorities: String?
    package var connectTimeout = Duration.seconds(15)
    /// The longest that an answer may take. A request with 1 MiB needs half a minute where 300 kbit/s are sent.
    package var timeout = Duration.seconds(120)

    package init(address: String, token: String, authorities: String? = nil) {
      (self.address, self.token, self.authorities) = (address, token, authorities)
    }
  }

  /// The number of bytes, and of objects, that one request puts.
  private static let (mostBytes, mostObjects) = (1 << 20, 1024)
  /// The longest wait of one request. Proxies end a request without an answer after a minute.
  private static let longestWait: Int64 = 50

  private let base: String
  private let authorization: String
  private let timeout: Duration
  private let client: HTTPClient

  package init(_ options: Options) {
    base = String(options.address.reversed().drop { $0 == "/" }.reversed())
    authorization = "Bearer \(options.token)"
    timeout = options.timeout
    var client = HTTPClient.Options()
    client.timeout = options.timeout
    client.connectTimeout = options.connectTimeout
    client.keepsConnections = true
    client.largestBody = 2 * StoreMessage.longestRequest
    client.redirects = 0
    client.authorities = options.authorities
    self.client = HTTPClient(client)
  }

  // MARK: - Putting

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult {
    guard bytes.count <= Self.longestObject else { throw .tooLarge(limit: Self.longestObject) }
    let response = try await send(.put, .object(key, keptLength: 0), body: bytes)
    switch response.status.code {
    case 201: return .stored
    case 200: return .unchanged
    case 409: return .conflict(existing: response.body)
    default: throw Self.failure(response)
    }
  }

  package func put(_ objects: [StoreObject]) async throws(StoreFailure) -> [StorePutResult] {
    var results: [StorePutResult] = []
    while results.count < objects.count {
      let part = Self.firstPart(of: objects[results.count...])
      guard let first = part.first, part.allSatisfy({ $0.bytes.count <= Self.longestObject }) else {
        throw .tooLarge(limit: Self.longestObject)
      }
      let response = try await send(.post, .batch(first.key.log.space), body: StoreMessage.batch(part))
      guard response.status == .ok else { throw Self.failure(response) }
      guard let more = try? StoreMessage.results(response.body), more.count <= part.count else {
        throw Self.malformed
      }
      results += more
      if case .conflict? = more.last { return results }
      guard more.count == part.count else { throw Self.malformed }
    }
    return results
  }

  /// Returns the first objects, of one space, that one request puts; at least one.
  private static func firstPart(of objects: ArraySlice<StoreObject>) -> ArraySlice<StoreObject> {
    guard let space = objects.first?.key.log.space else { return [] }
    var size = 0
    let end = objects.prefix(mostObjects).firstIndex { object in
      size += StoreMessage.batchLength(object)
      return object.key.log.space != space || size > mostBytes
    }
    return end.map { objects[..<max($0, objects.startIndex + 1)] } ?? objects.prefix(mostObjects)
  }

  // MARK: - Reading

  package func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]? {
    let response = try await send(.get, .object(key, keptLength: 0))
    switch response.status.code {
    case 200: return response.body
    case 404: return nil
    default: throw Self.failure(response)
    }
  }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing {
    let limit = max(0, limit)
    guard limit > 0 else {
      let rest = try await list(log, after: sequence, limit: 1)
      return StoreListing(sequences: [], isWhole: rest.sequences.isEmpty)
    }
    var (sequences, after): ([UInt64], UInt64) = ([], sequence)
    while true {
      let response = try await send(.get, .listing(log, after: after, limit: limit - sequences.count))
      let listing = try Self.decode(response) { StoreLines.listing($0) }
      guard listing.sequences.count <= limit - sequences.count,
        zip([after] + listing.sequences, listing.sequences).allSatisfy({ $0 < $1 })
      else { throw Self.malformed }
      sequences += listing.sequences
      // The server lists fewer at once than the limit may be.
      guard !listing.isWhole, sequences.count < limit, let last = listing.sequences.last else {
        return StoreListing(sequences: sequences, isWhole: listing.isWhole)
      }
      after = last
    }
  }

  package func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(StoreFailure) -> StoreObjects {
    let response = try await send(.get, .objects(log, range, byteLimit: max(0, byteLimit)))
    guard response.status == .ok else { throw Self.failure(response) }
    do { return try StoreMessage.objects(response.body, in: range) } catch { throw Self.malformed }
  }

  package func spaces() async throws(StoreFailure) -> [SpaceID] {
    try Self.decode(try await send(.get, .spaces)) { StoreLines.spaces($0) }
  }

  package func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog] {
    try Self.decode(try await send(.get, .logs(space))) { StoreLines.logs($0, of: space) }
  }

  /// Waits for at most 50 s, and returns the same mark if nothing changed until then.
  package func waitForChange(
    of space: SpaceID, after mark: StoreMark?, atMost time: Duration
  ) async throws(StoreFailure) -> StoreChanges? {
    let (seconds, fraction) = time.components
    let wait = min(max(0, fraction > 0 ? seconds + 1 : seconds), Self.longestWait)
    let route = StoreRoute.changes(space, after: mark, seconds: Int(wait))
    let response = try await send(.get, route, timeout: timeout + .seconds(wait))
    return try Self.decode(response) { StoreLines.changes($0, of: space) }
  }

  // MARK: - Changing

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult {
    let condition =
      expected.map { HTTPField(name: .ifMatch, value: "\"\($0)\"") } ?? HTTPField(name: .ifNoneMatch, value: "*")
    let response = try await send(.put, .head(space), field: condition, body: Array("\(head)\n".utf8))
    switch response.status.code {
    case 204: return .moved
    case 412:
      let text = String(decoding: response.body, as: UTF8.self)
      if text.isEmpty { return .conflict(current: nil) }
      guard let current = SpaceID(text: text.dropLast())?.digest, text.hasSuffix("\n") else { throw Self.malformed }
      return .conflict(current: current)
    default: throw Self.failure(response)
    }
  }

  @discardableResult
  package func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool {
    let response = try await send(.delete, .object(key, keptLength: max(0, keptLength)))
    switch response.status.code {
    case 204: return true
    case 404: return false
    default: throw Self.failure(response)
    }
  }

  // MARK: - Requests

  /// Sends a request. Throws if what answers is not a store.
  private func send(
    _ method: HTTPRequest.Method, _ route: StoreRoute, field: HTTPField? = nil, body: [UInt8] = [],
    timeout: Duration? = nil
  ) async throws(StoreFailure) -> HTTPClient.Response {
    var headers: HTTPFields = [.authorization: authorization]
    // Otherwise libcurl would wait for the server before it sends a large body.
    headers[.expect] = ""
    if !body.isEmpty { headers[.contentType] = "application/octet-stream" }
    if let field { headers.append(field) }
    let request = HTTPClient.Request(
      method, url: base + route.path, headers: headers, body: body, timeout: timeout)
    let response: HTTPClient.Response
    do throws(HTTPClientError) {
      response = try await client.send(request)
    } catch .bodyTooLarge {
      throw .notAStore(reason: HTTPClientError.bodyTooLarge.description)
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreachable(address: base, reason: error.description)
    }
    // A proxy in front of the server, whose own answers are no store's, may be busy as well.
    let isBusy = [429, 502, 503, 504].contains(response.status.code)
    let isStore = response.headers.contains { $0.name.canonicalName == StoreMessage.versionField.lowercased() }
    guard isBusy || isStore else {
      throw .notAStore(reason: "it answered with status \(response.status.code)")
    }
    return response
  }

  private static let malformed = StoreFailure.notAStore(reason: "its answer is malformed")

  private static func decode<Value>(
    _ response: HTTPClient.Response, _ decode: (String) -> Value?
  ) throws(StoreFailure) -> Value {
    guard response.status == .ok else { throw failure(response) }
    guard let value = decode(String(decoding: response.body, as: UTF8.self)) else { throw malformed }
    return value
  }

  private static func failure(_ response: HTTPClient.Response) -> StoreFailure {
    switch response.status.code {
    case 401: return .tokenRefused
    case 403: return .otherSpace
    case 413: return .tooLarge(limit: longestObject)
    case 507: return .full
    case 429, 500...504:
      let seconds = response.headers[.retryAfter].flatMap { Int64($0) }
      return .unavailable(retryAfter: seconds.map { .seconds(max(0, $0)) })
    default: return .notAStore(reason: "it answered with status \(response.status.code)")
    }
  }
}
