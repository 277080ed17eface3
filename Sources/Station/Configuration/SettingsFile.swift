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
    guard !values.isEmpty else {
      try AtomicFile.remove(path)
      return
    }
    let lines = try values.sorted { $0.key < $1.key }.map { key, value in
      "\(key): \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n"
    }
    let text =
      "# Written by the page of the station. The configuration file takes precedence.\n" + lines.joined()
    try AtomicFile.write(Array(text.utf8), to: path)
  }
}
