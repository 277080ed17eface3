import FoundationEssentials
import Glibc
import Repository

/// The token that a browser on another machine needs, in a file that only the service may read.
package struct AccessToken {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let path: String
  private let folder: String

  /// Beside the database.
  package init(database: String) {
    let parents = database.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    folder = parents.joined(separator: "/")
    path = (parents + ["token"]).joined(separator: "/")
  }

  /// The token; `nil` before the first.
  package func read() throws -> String? {
    guard let data = FileManager.default.contents(atPath: path) else {
      guard access(path, F_OK) != 0 else { throw Failure(description: "\(path) cannot be read: \(Self.reason)") }
      return nil
    }
    let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    guard text.utf8.count >= 32 else {
      throw Failure(description: "\(path) holds no token; delete it, and a new one is made")
    }
    return text
  }

  /// The token; the first time, one that nobody can guess.
  package func readOrMake() throws -> String {
    if let token = try read() { return token }
    return try make()
  }

  /// Makes a token in the place of the one before, which is of no use from the next start on.
  @discardableResult
  package func make() throws -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdefghijkmnpqrstuvwxyz")
    // 40 of 34 characters: 203 bits.
    let token = String((0..<40).map { _ in digits.randomElement(using: &generator) ?? "0" })
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let temporary = path + ".part"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(description: "\(path) cannot be written: \(Self.reason)") }
    defer { close(descriptor) }
    let line = Array((token + "\n").utf8)
    guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      throw Failure(description: "\(path) cannot be written: \(Self.reason)")
    }
    return token
  }

  private static var reason: String { SystemError.text(errno) }
}
