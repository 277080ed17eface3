import Foundation

/// A locator of the folder `Fixtures` at the top of the checkout.
package enum FixtureLocator {
  /// Returns the folder, searched upwards from this source file, wherever the checkout is.
  package static func folder(file: String = #filePath) throws -> URL {
    var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("Fixtures", isDirectory: true)
      if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// Returns the path of the capture of a fixture.
  package static func capture(_ fixture: String) throws -> String {
    try folder().appendingPathComponent("\(fixture)/input.btsnoop").path
  }

  /// Returns the SQL of the database of a released schema.
  package static func databaseText(version: Int) throws -> String {
    try String(contentsOf: folder().appendingPathComponent("databases/v\(version).sql"), encoding: .utf8)
  }
}
