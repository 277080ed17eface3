import FileSystem
import SystemPackage
import Yams

/// A configuration file: its keys and values, with line numbers.
struct ConfigurationFile {
  /// A key with its value.
  struct Entry: Hashable {
    let path: String
    let line: Int
    let value: Value

    /// The value in the form of flags and variables, or `nil` for a list with nested entries.
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
    /// A list with an entry that is not a single value.
    case nested
  }

  /// The maximum size of a file, in bytes; the packaged file has 3 kB.
  private static let mostBytes = 1 << 20
  /// The maximum number of values, including those in lists. A few lines with aliases can expand to any number.
  private static let mostValues = 10_000

  let path: String

  /// Returns the entries in their order. Throws `ConfigurationLoader.Problems`.
  func entries() throws(ConfigurationLoader.Problems) -> [Entry] {
    try Self.entries(of: try text(), path: path)
  }

  /// Returns the entries of the text of a file.
  static func entries(of text: String, path: String) throws(ConfigurationLoader.Problems) -> [Entry] {
    guard let root = try root(of: text, path: path) else { return [] }
    guard let mapping = root.mapping else {
      if root.string?.isEmpty == true { return [] }
      throw ConfigurationLoader.Problems(lines: ["\(path): is not a list of keys and values, as in `http:`."])
    }
    var walk = Walk(left: mostValues)
    walk.collect(mapping, prefix: "")
    guard walk.left >= 0 else {
      throw ConfigurationLoader.Problems(lines: [
        "\(path): has more than \(mostValues) values; is an alias (*name) repeated in what it stands for?"
      ])
    }
    return walk.entries
  }

  /// Returns the entries of a file that this program writes. It is not a pipe, which would be waited for.
  func entriesOfState() throws(ConfigurationLoader.Problems) -> [Entry] {
    let bytes: [UInt8]?
    do {
      bytes = try AtomicFile.read(path, limit: Self.mostBytes)
    } catch {
      throw ConfigurationLoader.Problems(lines: ["\(error)."])
    }
    return try bytes.map { bytes throws(ConfigurationLoader.Problems) in
      try Self.entries(of: String(decoding: bytes, as: UTF8.self), path: path)
    } ?? []
  }

  private static func root(of text: String, path: String) throws(ConfigurationLoader.Problems) -> Node? {
    do {
      return try Yams.compose(yaml: text)
    } catch {
      throw ConfigurationLoader.Problems(lines: ["\(path):\(words(error as? YamlError))"])
    }
  }

  /// Returns the place and the words of an error of the syntax, without the line of the file, which may contain a secret.
  private static func words(_ error: YamlError?) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(mark.line):\(mark.column): \(problem)"
    case .reader(let problem, _, _, _): " \(problem)"
    case .duplicatedKeysInMapping(_, let context): "\(context.mark.line):\(context.mark.column): a key is there twice"
    default: " is no YAML, or not in UTF-8"
    }
  }

  /// Returns the text of the file, which is read once because it may be a pipe.
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

  /// A traversal of a file that stops at the maximum number of values.
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

  /// Returns the problems of lists, by line: lists for keys with a single value, and entries that are not values, which would
  /// otherwise be ignored.
  static func wrongLists(_ entries: [Entry]) -> [String] {
    let single = Set(Setting.all.filter { !$0.isList }.flatMap(\.paths))
    return entries.compactMap { entry in
      switch entry.value {
      case .text: nil
      case .list where !single.contains(entry.path): nil
      case .list,
        .nested where single.contains(entry.path):
        "\(entry.line): \(entry.path) is a list; it takes one value."
      case .nested: "\(entry.line): \(entry.path) has an entry that is not a single value."
      }
    }
  }

  /// Returns the problems of unknown keys, by line.
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

  /// Returns the number of characters to replace, insert or delete between two texts (Levenshtein distance).
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
