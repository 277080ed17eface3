import Foundation
import TachogramCore

/// A database that a copy was put in the place of: it stays beside it, under another name.
enum ReplacedDatabase {
  private static let infix = ".replaced-"

  /// Where the database at `path` goes when it is replaced at `time`.
  static func path(of path: String, at time: WallTime) -> String {
    path + infix + Timestamp.text(time).filter { $0 != ":" }
  }

  /// The names of the files that are left of databases that were replaced by the one at `path`.
  static func names(beside path: String) -> [String] {
    let database = URL(fileURLWithPath: path)
    let files = try? FileManager.default.contentsOfDirectory(atPath: database.deletingLastPathComponent().path)
    return (files ?? []).filter { $0.hasPrefix(database.lastPathComponent + infix) }.sorted()
  }
}
