import Foundation

/// A folder with the files of a simulated system, which is deleted with this object.
package final class TemporaryTree: Sendable {
  /// The folder, for use as the root of the system.
  package let root: String

  package init(_ files: [String: String]) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "tachogram-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for (path, text) in files {
      let url = URL(filePath: root).appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  package func read(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: root).appending(path: path)))
  }
}
