import FileSystem
import FoundationEssentials
import Glibc
import Repository

/// The identifier of this installation among those of a person, in a file of the state folder that is created once. Recordings
/// made here contain it. It reveals nothing about the machine.
package struct InstallationIdentifier {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
      self.description = description
    }
  }

  private let folder: String
  private var path: String { folder + "/installation" }

  package init(folder: String) {
    self.folder = folder
  }

  /// Returns the identifier, a UUID in lower case, which is created the first time. Concurrent callers get the same identifier.
  package func readOrMake() throws(Failure) -> String {
    if let identifier = try read() { return identifier }
    try make()
    guard let identifier = try read() else { throw failure("cannot be read", ENOENT) }
    return identifier
  }

  private func read() throws(Failure) -> String? {
    let bytes: [UInt8]?
    do throws(AtomicFile.Failure) {
      bytes = try AtomicFile.read(path)
    } catch {
      throw Failure(description: error.description)
    }
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard let identifier = UUID(uuidString: text) else {
      throw Failure(description: "\(path) holds no identifier; delete it, and a new one is made")
    }
    return identifier.uuidString.lowercased()
  }

  /// Creates the file, unless another process was faster: the complete file is linked to its name atomically.
  private func make() throws(Failure) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let temporary = "\(path).\(UUID().uuidString.lowercased()).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be written", errno) }
    defer {
      close(descriptor)
      unlink(temporary)
    }
    let line = Array((UUID().uuidString.lowercased() + "\n").utf8)
    guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
      throw failure("cannot be written", errno)
    }
    guard link(temporary, path) == 0 || errno == EEXIST else { throw failure("cannot be written", errno) }
  }

  private func failure(_ problem: String, _ code: Int32) -> Failure {
    Failure(description: "\(path) \(problem): \(SystemError.text(code))")
  }
}
