/// A configuration file in GLib's key-file format, which bluetoothd reads: `[Group]`, `Key=value`, `# comment`.
package struct KeyFile: Hashable, Sendable {
  private var values: [String: [String: String]] = [:]
  /// The number of the first malformed line, from 1, or `nil` if there is none. bluetoothd ignores a file with such a line.
  package private(set) var malformedLine: Int?

  package init(_ text: String) {
    var group: String?
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let content = Self.trimmed(line)
      if content.isEmpty || content.hasPrefix("#") { continue }
      if content.hasPrefix("["), content.hasSuffix("]") {
        group = String(content.dropFirst().dropLast())
      } else if let group, let equals = content.firstIndex(of: "="), equals != content.startIndex {
        // The last of several values applies, and a group may be repeated.
        values[group, default: [:]][Self.trimmed(content[..<equals])] = Self.trimmed(
          content[content.index(after: equals)...])
      } else if malformedLine == nil {
        malformedLine = number + 1
      }
    }
  }

  package func value(_ key: String, in group: String) -> String? { values[group]?[key] }

  /// A number, decimal or with `0x`, as bluetoothd reads it; `nil` for anything else.
  package func number(_ key: String, in group: String) -> Int? {
    guard let value = value(key, in: group) else { return nil }
    return value.lowercased().hasPrefix("0x") ? Int(value.dropFirst(2), radix: 16) : Int(value)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
