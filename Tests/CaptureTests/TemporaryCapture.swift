import Foundation

/// A capture in a temporary file that goes away with it.
final class TemporaryCapture {
  let path: String

  init(_ bytes: [UInt8]) throws {
    path = NSTemporaryDirectory() + "tachogram-\(UUID().uuidString).capture"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
