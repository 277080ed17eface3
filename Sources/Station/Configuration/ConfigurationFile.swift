import FoundationEssentials
import Yams

/// The keys of a configuration file with their lines, to tell which of them nobody knows.
struct ConfigurationFile {
  struct Line: Hashable {
    let path: String
    let line: Int
    /// Whether a list stands behind the key.
    var isList = false
  }

  let path: String

  /// The keys that hold values, in their order. Throws `ConfigurationLoader.Problems`.
  func lines() throws -> [Line] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ConfigurationLoader.Problems(lines: ["\(path): cannot be read; is it there, and may this user read it?"])
    }
    do {
      guard let root = try Yams.compose(yaml: String(decoding: data, as: UTF8.self)) else { return [] }
      guard let mapping = root.mapping else {
        if root.string?.isEmpty == true { return [] }
        throw ConfigurationLoader.Problems(lines: ["\(path): is no list of keys and values, as in `http:`."])
      }
      var lines: [Line] = []
      Self.collect(mapping, prefix: "", into: &lines)
      return lines
    } catch let error as YamlError {
      throw ConfigurationLoader.Problems(lines: ["\(path): \(error)"])
    }
  }

  private static func collect(_ mapping: Node.Mapping, prefix: String, into lines: inout [Line]) {
    for (key, value) in mapping {
      let path = prefix + (key.string ?? "?")
      // As when all keys below it are comments.
      if ["", "~", "null"].contains(value.scalar?.string),
        Setting.all.contains(where: { $0.path.hasPrefix(path + ".") })
      {
        continue
      }
      if let inner = value.mapping {
        collect(inner, prefix: path + ".", into: &lines)
      } else {
        lines.append(Line(path: path, line: key.mark?.line ?? 0, isList: value.sequence != nil))
      }
    }
  }

  /// What is wrong with lists where a setting takes one value, by line: they would be passed over.
  static func wrongLists(_ lines: [Line]) -> [String] {
    let single = Set(Setting.all.filter { $0.kind != .list }.map(\.path))
    return lines.filter { $0.isList && single.contains($0.path) }.map { line in
      "\(line.line): \(line.path) is a list; it takes one value."
    }
  }

  /// What is wrong with keys that no setting has, by line.
  static func unknownKeys(_ lines: [Line]) -> [String] {
    let known = Set(Setting.all.map(\.path))
    return lines.filter { !known.contains($0.path) }.map { line in
      let near = Setting.all.map(\.path).min { distance($0, line.path) < distance($1, line.path) }
      let hint =
        near.flatMap { distance($0, line.path) <= 3 ? "; is it \($0)?" : nil }
        ?? "; `tachogram config show` lists all keys."
      return "\(line.line): \(line.path) is no key of the configuration\(hint)"
    }
  }

  /// How many characters have to be changed, put in or taken out to make one of the other (Levenshtein).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (left, right) = (Array(one.lowercased()), Array(other.lowercased()))
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (position, opposite) in right.enumerated() {
        let changed = diagonal + (character == opposite ? 0 : 1)
        diagonal = row[position + 1]
        row[position + 1] = min(changed, diagonal + 1, row[position] + 1)
      }
    }
    return row[right.count]
  }
}
