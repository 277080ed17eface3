/// Lists in the answers of a store by HTTP, as lines of text. A decoder returns `nil` for any other text.
package enum StoreLines {
  /// The maximum number of lines.
  private static let most = 100_000

  /// Spaces: their identifiers.
  package static func text(spaces: [SpaceID]) -> String { lines(spaces.map(\.description)) }

  package static func spaces(_ text: String) -> [SpaceID]? {
    all(lines(of: text)) { SpaceID(text: $0) }
  }

  /// Logs: station and kind.
  package static func text(logs: [StoreLog]) -> String { lines(logs.map(line)) }

  package static func logs(_ text: String, of space: SpaceID) -> [StoreLog]? {
    all(lines(of: text)) { log($0, of: space) }
  }

  /// A listing: `whole` or `part`, then the sequences.
  package static func text(listing: StoreListing) -> String {
    lines([listing.isWhole ? "whole" : "part"] + listing.sequences.map { "\($0)" })
  }

  package static func listing(_ text: String) -> StoreListing? {
    guard let lines = lines(of: text), let first = lines.first, ["whole", "part"].contains(first) else { return nil }
    let sequences = all(lines.dropFirst()) { UInt64($0) }
    return sequences.map { StoreListing(sequences: $0, isWhole: first == "whole") }
  }

  /// Changes: the mark, then the changed logs.
  package static func text(changes: StoreChanges) -> String {
    lines(["\(changes.mark.changeCount)"] + changes.logs.map(line))
  }

  package static func changes(_ text: String, of space: SpaceID) -> StoreChanges? {
    guard let lines = lines(of: text), let mark = lines.first.flatMap({ Int64($0) }), mark >= 0 else { return nil }
    let logs = all(lines.dropFirst()) { log($0, of: space) }
    return logs.map { StoreChanges(mark: StoreMark(changeCount: mark), logs: $0) }
  }

  // MARK: - Lines

  private static func line(_ log: StoreLog) -> String { "\(log.station) \(log.kind.rawValue)" }

  private static func log(_ line: Substring, of space: SpaceID) -> StoreLog? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let station = StationID(text: words[0]),
      let kind = StoreLog.Kind(rawValue: String(words[1]))
    else { return nil }
    return StoreLog(space: space, station: station, kind: kind)
  }

  private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  private static func lines(of text: String) -> [Substring]? {
    guard text.isEmpty || text.hasSuffix("\n") else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.count <= most ? Array(lines) : nil
  }

  /// Returns all values, or `nil` if one is missing.
  private static func all<Value>(_ lines: (some Collection<Substring>)?, _ value: (Substring) -> Value?) -> [Value]? {
    guard let lines else { return nil }
    let values = lines.compactMap(value)
    return values.count == lines.count ? values : nil
  }
}
