import Access
import FileSystem
import FoundationEssentials

/// The settings that were changed on the page, in the file `settings.yaml` beside the database. The configuration file takes
/// precedence.
package struct SettingsFile: Sendable {
  /// The keys that it may contain.
  static let keys = Set(Setting.all.filter(\.isOnPage).map(\.path))

  package let path: String

  /// Creates the path beside `database`.
  package init(database: String) {
    path = AccessFolder.path(beside: database, "settings.yaml")
  }

  /// Writes the values by path. Without values, the file is deleted.
  func write(_ values: [String: String]) throws {
    if values.isEmpty {
      try AtomicFile.remove(path)
    } else {
      try AtomicFile.write(Array(try text(values).utf8), to: path)
    }
  }

  /// Whether the values are the same when they are read again. YAML has no place for some characters.
  func canStore(_ values: [String: String]) throws -> Bool {
    let entries = try? ConfigurationFile.entries(of: try text(values), path: path)
    return entries.map { Dictionary($0.map { ($0.path, $0.text) }) { first, _ in first } } == values
  }

  private func text(_ values: [String: String]) throws -> String {
    let lines = try values.sorted { $0.key < $1.key }.map { key, value in
      "\(key): \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n"
    }
    return "# Written by the page of the station. The configuration file takes precedence.\n" + lines.joined()
  }
}
