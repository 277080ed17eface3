import HTTPTypes
import Hummingbird
import NIOCore
import Sync
import TachogramCore

/// Answers the requests of a sync server. It knows nothing of what objects contain. Neither tokens nor contents are logged.
struct SyncResponder: Sendable {
  /// The longest wait for a change, in seconds.
  private static let longestWait = 60

  let storage: SyncStorage
  let tokens: SyncTokenStorage
  /// The requests of each token.
  let rates: RequestRates
  /// The wrong tokens of each network.
  let failures: RequestRates
  let budget: BodyBudget
  let hub: ChangeHub
  /// Receives failures of the database.
  let report: @Sendable (SyncStorageFailure) -> Void

  /// `network` is where the request comes from; it is used for counting alone.
  func respond(to request: Request, from network: String) async -> Response {
    guard let path = request.head.path else { return SyncAnswer.failure(.badRequest, "the request has no path.") }
    if path == "/healthz", request.method == .get { return SyncAnswer.text("ok\n") }
    guard let route = StoreRoute(path: path) else {
      return SyncAnswer.failure(.notFound, "there is nothing at this path.")
    }
    do throws(SyncStorageFailure) {
      return try await respond(to: request, route, ContentDigest(of: Array(network.utf8)))
    } catch {
      report(error)
      return SyncAnswer.failure(error)
    }
  }

  private func respond(
    to request: Request, _ route: StoreRoute, _ network: ContentDigest
  ) async throws(SyncStorageFailure) -> Response {
    guard let secret = request.headers[.authorization].flatMap({ SyncTokenSecret(authorization: $0) }) else {
      return SyncAnswer.failure(.unauthorized, "the request has no valid token.")
    }
    let digest = secret.digest
    // Whoever makes tokens up shall not occupy the database.
    if !budget.isKnown(digest), let pause = failures.pause(of: network) {
      return SyncAnswer.failure(.tooManyRequests, "there are too many wrong tokens.", retryAfter: pause)
    }
    let token = try await tokens.token(digest)
    budget.remember(digest, isValid: token != nil)
    guard let token else {
      failures.use(network)
      return SyncAnswer.failure(.unauthorized, "the token is wrong or revoked.")
    }
    if let pause = rates.use(digest) {
      return SyncAnswer.failure(.tooManyRequests, "there are too many requests of this token.", retryAfter: pause)
    }
    guard let space = route.space else {
      guard request.method == .get else { return methodFailure }
      var spaces: [SpaceID] = []
      if let space = token.space, try await storage.hasSpace(space) { spaces = [space] }
      return SyncAnswer.text(StoreLines.text(spaces: spaces))
    }
    guard try await isBound(token, to: space, isReading: request.method == .get) else {
      return SyncAnswer.failure(.forbidden, "the token is for another space.")
    }
    return try await respond(to: request, route, space, token)
  }

  /// Returns whether a token may use a space. The first request that writes to a space, or reads one that is there, binds it.
  private func isBound(
    _ token: SyncToken, to space: SpaceID, isReading: Bool
  ) async throws(SyncStorageFailure) -> Bool {
    if let bound = token.space { return bound == space }
    if isReading, try await !storage.hasSpace(space) { return true }
    return try await tokens.bind(token.digest, to: space) == space
  }

  private var methodFailure: Response { SyncAnswer.failure(.methodNotAllowed, "the path has no such method.") }

  private func respond(
    to request: Request, _ route: StoreRoute, _ space: SpaceID, _ token: SyncToken
  ) async throws(SyncStorageFailure) -> Response {
    switch (route, request.method) {
    case (.logs, .get):
      return SyncAnswer.text(StoreLines.text(logs: try await storage.logs(of: space)))
    case (.listing(let log, let sequence, let limit), .get):
      let limit = min(limit, StoreMessage.mostSequences)
      let listing = try await storage.list(log, after: sequence, limit: limit)
      return SyncAnswer.text(StoreLines.text(listing: listing))
    case (.objects(let log, let range, let limit), .get):
      let limit = min(limit, StoreMessage.mostBytes)
      let objects = try await storage.objects(of: log, in: range, byteLimit: limit)
      return SyncAnswer.bytes(StoreMessage.objects(objects))
    case (.object(let key, _), .get):
      guard let bytes = try await storage.get(key) else {
        return SyncAnswer.failure(.notFound, "there is no such object.")
      }
      return SyncAnswer.bytes(bytes)
    case (.object(let key, _), .put):
      return try await put(await body(request), at: key, token)
    case (.object(let key, let keptLength), .delete):
      let isThere = try await storage.delete(key, keeping: keptLength)
      if isThere { hub.reportChange(of: space) }
      return isThere ? SyncAnswer.nothing(.noContent) : SyncAnswer.failure(.notFound, "there is no such object.")
    case (.batch, .post):
      return try await put(await body(request), in: space, token)
    case (.head, .put):
      return try await moveHead(of: space, request)
    case (.changes(_, let mark, let seconds), .get):
      return try await changes(of: space, after: mark, seconds: seconds, token)
    default: return methodFailure
    }
  }

  /// Returns the body, which the connection received completely before.
  private func body(_ request: Request) async -> [UInt8]? {
    guard let buffer = try? await request.body.collect(upTo: StoreMessage.longestRequest) else { return nil }
    return Array(buffer.readableBytesView)
  }

  // MARK: - Putting

  private func put(
    _ bytes: [UInt8]?, at key: StoreKey, _ token: SyncToken
  ) async throws(SyncStorageFailure) -> Response {
    guard let bytes, bytes.count <= EnvelopeHeader.byteCount + EnvelopeHeader.longestBody else {
      return SyncAnswer.failure(.contentTooLarge, "the object is too large.")
    }
    let object = StoreObject(key: key, bytes: bytes)
    let outcome = try await storage.put([object], in: key.log.space, quota: token.quota)
    if outcome.hasChanged { hub.reportChange(of: key.log.space) }
    switch outcome.results.first {
    case .stored?: return SyncAnswer.nothing(.created)
    case .unchanged?: return SyncAnswer.nothing(.ok)
    case .conflict(let existing)?: return SyncAnswer.bytes(existing, status: .conflict)
    case nil: return quotaFailure
    }
  }

  private func put(
    _ bytes: [UInt8]?, in space: SpaceID, _ token: SyncToken
  ) async throws(SyncStorageFailure) -> Response {
    guard let bytes, let objects = try? StoreMessage.batch(bytes, of: space) else {
      return SyncAnswer.failure(.badRequest, "the body is not a list of objects.")
    }
    let outcome = try await storage.put(objects, in: space, quota: token.quota)
    if outcome.hasChanged { hub.reportChange(of: space) }
    return outcome.isFull ? quotaFailure : SyncAnswer.bytes(StoreMessage.results(outcome.results))
  }

  private var quotaFailure: Response {
    SyncAnswer.failure(SyncAnswer.insufficientStorage, "the space has as many bytes as the token allows.")
  }

  // MARK: - The head and changes

  private func moveHead(of space: SpaceID, _ request: Request) async throws(SyncStorageFailure) -> Response {
    let expected: ContentDigest?
    switch (request.headers[.ifMatch], request.headers[.ifNoneMatch]) {
    case (let tag?, nil):
      guard tag.count == 66, tag.hasPrefix("\""), tag.hasSuffix("\""),
        let digest = SpaceID(text: tag.dropFirst().dropLast())?.digest
      else { return SyncAnswer.failure(.badRequest, "If-Match is not a head in quotation marks.") }
      expected = digest
    case (nil, "*"?): expected = nil
    default:
      return SyncAnswer.failure(.preconditionRequired, "the request has neither If-Match nor If-None-Match: *.")
    }
    let text = String(decoding: await body(request) ?? [], as: UTF8.self)
    guard text.hasSuffix("\n"), let head = SpaceID(text: text.dropLast())?.digest else {
      return SyncAnswer.failure(.badRequest, "the body is not a head of 64 hexadecimal digits and a line end.")
    }
    switch try await storage.compareAndSetHead(of: space, from: expected, to: head) {
    case .conflict(let current): return SyncAnswer.text(current.map { "\($0)\n" } ?? "", status: .preconditionFailed)
    case .moved, .notSupported:
      hub.reportChange(of: space)
      return SyncAnswer.nothing(.noContent)
    }
  }

  private func changes(
    of space: SpaceID, after mark: StoreMark?, seconds: Int, _ token: SyncToken
  ) async throws(SyncStorageFailure) -> Response {
    guard let mark, seconds > 0 else {
      return SyncAnswer.text(StoreLines.text(changes: try await storage.changes(of: space, after: mark)))
    }
    // Before the database is read, so that no change is missed between.
    guard let waiter = hub.waiter(for: space, token: token.digest) else {
      return SyncAnswer.failure(
        .tooManyRequests, "there are too many waits of this token.", retryAfter: .seconds(Self.longestWait))
    }
    var changes = try await storage.changes(of: space, after: mark)
    if changes.mark == mark {
      await waiter.wait(atMost: .seconds(min(seconds, Self.longestWait)))
      changes = try await storage.changes(of: space, after: mark)
    }
    return SyncAnswer.text(StoreLines.text(changes: changes))
  }
}
