/// What a request to a store by HTTP is about. Paths are built and parsed here.
///
/// | path below `/v1` | |
/// |---|---|
/// | `/spaces` | GET: the space of the token |
/// | `/spaces/S/logs` | GET: the logs of a space |
/// | `/spaces/S/logs/STATION/KIND?after=N&limit=N` | GET: the sequences of a log |
/// | `/spaces/S/logs/STATION/KIND/objects?first=N&last=N&bytes=N` | GET: objects of a log |
/// | `/spaces/S/logs/STATION/KIND/N` | PUT if absent, GET, DELETE with `?keep=BYTES` |
/// | `/spaces/S/objects` | POST: several objects, each if absent |
/// | `/spaces/S/head` | PUT with `If-Match` or `If-None-Match: *` |
/// | `/spaces/S/changes?after=MARK&wait=SECONDS` | GET: what changed, as soon as something changes |
package enum StoreRoute: Hashable, Sendable {
  case spaces
  case logs(SpaceID)
  case listing(StoreLog, after: UInt64, limit: Int)
  case objects(StoreLog, ClosedRange<UInt64>, byteLimit: Int)
  /// `keptLength` is the number of bytes that a deletion keeps.
  case object(StoreKey, keptLength: Int)
  case batch(SpaceID)
  case head(SpaceID)
  case changes(SpaceID, after: StoreMark?, seconds: Int)

  /// The largest sequence. Databases have signed integers.
  package static let lastSequence = UInt64(Int64.max)
  private static let prefix = "/v1/spaces"

  /// The space, or `nil` if the route is not about a certain one.
  package var space: SpaceID? {
    switch self {
    case .spaces: nil
    case .logs(let space), .batch(let space), .head(let space), .changes(let space, _, _): space
    case .listing(let log, _, _), .objects(let log, _, _): log.space
    case .object(let key, _): key.log.space
    }
  }

  // MARK: - Paths

  /// The path with its query.
  package var path: String {
    switch self {
    case .spaces: Self.prefix
    case .logs(let space): "\(Self.prefix)/\(space)/logs"
    case .listing(let log, let sequence, let limit): "\(Self.path(log))?after=\(sequence)&limit=\(limit)"
    case .objects(let log, let range, let limit):
      "\(Self.path(log))/objects?first=\(range.lowerBound)&last=\(range.upperBound)&bytes=\(limit)"
    case .object(let key, 0): "\(Self.path(key.log))/\(key.sequence)"
    case .object(let key, let length): "\(Self.path(key.log))/\(key.sequence)?keep=\(length)"
    case .batch(let space): "\(Self.prefix)/\(space)/objects"
    case .head(let space): "\(Self.prefix)/\(space)/head"
    case .changes(let space, nil, let seconds): "\(Self.prefix)/\(space)/changes?wait=\(seconds)"
    case .changes(let space, let mark?, let seconds):
      "\(Self.prefix)/\(space)/changes?after=\(mark.changeCount)&wait=\(seconds)"
    }
  }

  private static func path(_ log: StoreLog) -> String {
    "\(prefix)/\(log.space)/logs/\(log.station)/\(log.kind.rawValue)"
  }

  /// Parses a path with its query. Returns `nil` if it is not one of a store. Numbers that are missing have defaults.
  package init?(path: String) {
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count == 1 || !parts[1].isEmpty,
      let query = Self.numbers(parts.count == 1 ? "" : parts[1])
    else { return nil }
    let names = first.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 8, names.prefix(3) == ["", "v1", "spaces"] else { return nil }
    guard let parsed = Self.parse(Array(names.dropFirst(3)), query) else { return nil }
    self = parsed.route
    // A number that the route does not have is a mistake, not an extension.
    guard Set(query.keys).isSubset(of: parsed.numbers) else { return nil }
  }

  private static func parse(
    _ names: [String], _ query: [String: UInt64]
  ) -> (route: StoreRoute, numbers: Set<String>)? {
    guard let text = names.first else { return (.spaces, []) }
    guard names.count > 1, let space = SpaceID(text: text) else { return nil }
    switch (names[1], names.count) {
    case ("logs", 2): return (.logs(space), [])
    case ("objects", 2): return (.batch(space), [])
    case ("head", 2): return (.head(space), [])
    case ("changes", 2):
      let mark = query["after"].map { StoreMark(changeCount: Int64(clamping: $0)) }
      return (.changes(space, after: mark, seconds: Int(clamping: query["wait"] ?? 0)), ["after", "wait"])
    case ("logs", 4), ("logs", 5):
      guard let station = StationID(text: names[2]), let kind = StoreLog.Kind(rawValue: names[3]) else { return nil }
      let log = StoreLog(space: space, station: station, kind: kind)
      return names.count == 4
        ? (.listing(log, after: query["after"] ?? 0, limit: Int(clamping: query["limit"] ?? 1000)), ["after", "limit"])
        : parse(names[4], of: log, query)
    default: return nil
    }
  }

  private static func parse(
    _ name: String, of log: StoreLog, _ query: [String: UInt64]
  ) -> (route: StoreRoute, numbers: Set<String>)? {
    if name == "objects" {
      let (first, last) = (query["first"] ?? 1, query["last"] ?? .max)
      guard first <= last else { return nil }
      let limit = Int(clamping: query["bytes"] ?? 1 << 20)
      return (.objects(log, first...last, byteLimit: limit), ["first", "last", "bytes"])
    }
    guard let sequence = number(name), (1...lastSequence).contains(sequence) else { return nil }
    let key = StoreKey(log: log, sequence: sequence)
    return (.object(key, keptLength: Int(clamping: query["keep"] ?? 0)), ["keep"])
  }

  /// Returns the numbers of a query such as `after=1&limit=2`, or `nil` if it has others or repeats one.
  private static func numbers(_ query: some StringProtocol) -> [String: UInt64]? {
    var numbers: [String: UInt64] = [:]
    for part in query.split(separator: "&", omittingEmptySubsequences: query.isEmpty) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let value = number(sides[1]), numbers.updateValue(value, forKey: String(sides[0])) == nil
      else { return nil }
    }
    return numbers
  }

  private static func number(_ text: some StringProtocol) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt64(text)
  }
}
