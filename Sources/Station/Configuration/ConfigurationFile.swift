import SystemPackage
import Yams

/// A configuration file: what is set in it, with lines.
struct ConfigurationFile {
  /// A key that holds something.
  struct Entry: Hashable {
    let path: String
    let line: Int
    let value: Value

    /// The value as flags and variables write it; `nil` for a list that has more than single values.
    var text: String? {
      switch value {
      case .text(let text): text
      case .list(let texts): texts.joined(separator: ",")
      case .nested: nil
      }
    }
  }

  enum Value: Hashable {
    case text(String)
    case list([String])
    /// A list of which an entry is no single value.
    case nested
  }

  /// The longest file, in bytes; the packaged one has 3 kB.
  private static let mostBytes = 1 << 20
  /// The most values, of keys and in lists. A few lines of aliases can stand for any number.
  private static let mostValues = 10_000

  let path: String

  /// What is set, in its order. Throws `ConfigurationLoader.Problems`.
  func entries() throws(ConfigurationLoader.Problems) -> [Entry] {
    guard let root = try root() else { return [] }
    guard let mapping = root.mapping else {
      if root.string?.isEmpty == true { return [] }
      throw ConfigurationLoader.Problems(lines: ["\(path): is no list of keys and values, as in `http:`."])
    }
    var walk = Walk(left: Self.mostValues)
    walk.collect(mapping, prefix: "")
    guard walk.left >= 0 else {
      throw ConfigurationLoader.Problems(lines: [
        "\(path): has more than \(Self.mostValues) values; is an alias (*name) repeated in what it stands for?"
      ])
    }
    return walk.entries
  }

  private func root() throws(ConfigurationLoader.Problems) -> Node? {
    let text = try text()
    do {
      return try Yams.compose(yaml: text)
    } catch {
      throw ConfigurationLoader.Problems(lines: ["\(path): \(error)"])
    }
  }

  /// The file, read once: it may be a pipe.
  private func text() throws(ConfigurationLoader.Problems) -> String {
    var bytes: [UInt8] = []
    do {
      let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      try descriptor.closeAfter {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.mostBytes {
          let count = try piece.withUnsafeMutableBytes { try descriptor.read(into: $0) }
          if count == 0 { break }
          bytes += piece[..<count]
        }
      }
    } catch {
      throw ConfigurationLoader.Problems(lines: ["\(path): cannot be read; is it there, and may this user read it?"])
    }
    guard bytes.count <= Self.mostBytes else {
      throw ConfigurationLoader.Problems(lines: [
        "\(path): has more than \(Self.mostBytes >> 20) MiB; is it another file?"
      ])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Goes through a file until more was met than one has.
  private struct Walk {
    var left: Int
    var entries: [Entry] = []

    mutating func collect(_ mapping: Node.Mapping, prefix: String) {
      for (key, value) in mapping {
        left -= 1
        if left < 0 { return }
        let path = prefix + (key.string ?? "?")
        // As when all keys below it are comments.
        if ["", "~", "null"].contains(value.scalar?.string),
          Setting.all.contains(where: { $0.path.hasPrefix(path + ".") })
        {
          continue
        }
        switch value {
        case .mapping(let inner): collect(inner, prefix: path + ".")
        case .scalar(let scalar): add(path, key, .text(scalar.string))
        case .sequence(let list): add(path, key, values(list))
        // What stands for an alias is put in its place when the file is read.
        case .alias: add(path, key, .nested)
        }
      }
    }

    private mutating func values(_ list: Node.Sequence) -> Value {
      left -= list.count
      let texts = list.prefix(max(left, 0)).compactMap { $0.scalar?.string }
      return texts.count == list.count ? .list(texts) : .nested
    }

    private mutating func add(_ path: String, _ key: Node, _ value: Value) {
      entries.append(Entry(path: path, line: key.mark?.line ?? 0, value: value))
    }
  }

  /// What is wrong with lists, by line: where a setting takes one value, or where an entry is no value, they would be passed
  /// over.
  static func wrongLists(_ entries: [Entry]) -> [String] {
    let single = Set(Setting.all.filter { !$0.isList }.flatMap(\.paths))
    return entries.compactMap { entry in
      switch entry.value {
      case .text: nil
      case .list where !single.contains(entry.path): nil
      case .list,
        .nested where single.contains(entry.path):
        "\(entry.line): \(entry.path) is a list; it takes one value."
      case .nested: "\(entry.line): \(entry.path) has an entry that is no single value."
      }
    }
  }

  /// What is wrong with keys that no setting has, by line.
  static func unknownKeys(_ entries: [Entry]) -> [String] {
    let known = Setting.paths
    return entries.filter { !known.contains($0.path) }.map { entry in
      let near = Setting.all.map(\.path).min { distance($0, entry.path) < distance($1, entry.path) }
      let hint =
        near.flatMap { distance($0, entry.path) <= 3 ? "; did you mean \($0)?" : nil }
        ?? "; `tachogram config show` lists all keys."
      return "\(entry.line): unknown key \(entry.path)\(hint)"
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
