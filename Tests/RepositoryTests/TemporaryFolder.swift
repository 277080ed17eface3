import Foundation

/// A folder that is deleted with this object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "tachogram-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  func file(_ name: String = "tachogram.sqlite") -> String {
    path + "/" + name
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(filePath: file(name)))
  }

  func read(_ name: String = "tachogram.sqlite") throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }
}
