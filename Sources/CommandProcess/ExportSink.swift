import Glibc
import Repository

/// An export to a file or to standard output. A file gets its name only when it is complete.
package final class ExportSink: ByteSink {
  private static let bufferSize = 1 << 16

  private let path: String?
  private let temporary: String
  /// The descriptor of the file, or `nil` before anything is written, so that an export that ends earlier leaves nothing.
  private var descriptor: Int32?
  private var buffer: [UInt8] = []
  private var isFinished = false

  package init(path: String?, replacing: Bool) throws {
    self.path = path
    guard let path else {
      temporary = ""
      return
    }
    switch PathKind(path) {
    case .nothing: break
    case .file where replacing: break
    case .file:
      throw CommandFailure("\(path) exists; replace it with --force, or choose another name", code: .badUsage)
    case .folder, .pipe, .socket, .characterDevice, .blockDevice, .other:
      throw CommandFailure(
        "\(path) is not an ordinary file; name another, or none for standard output", code: .badUsage)
    }
    Interrupt.allow(.storing)
    temporary = "\(path).part-\(getpid())"
    // Checked first, to avoid useless work.
    guard access(Self.folder(of: path), W_OK) == 0 else { throw Self.failure("cannot write \(path)") }
  }

  deinit {
    if let descriptor, !isFinished {
      close(descriptor)
      unlink(temporary)
    }
  }

  /// Writes bytes. Throws if the user has requested the end; the incomplete file is then deleted.
  package func write(_ bytes: [UInt8]) throws {
    if Interrupt.isRequested { throw CommandFailure("stopped by the user", code: .interrupted) }
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the remaining bytes, and gives the file its name.
  package func finish() throws {
    try flush()
    guard let path, let descriptor else { return }
    guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, path) == 0 else {
      throw Self.failure("cannot write \(path)")
    }
    isFinished = true
  }

  private func flush() throws {
    guard let path else {
      StandardStreams.out(buffer)
      buffer.removeAll(keepingCapacity: true)
      return
    }
    let descriptor = try descriptor ?? opened(path)
    self.descriptor = descriptor
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { throw Self.failure("cannot write \(path)") }
      rest = rest.dropFirst(max(0, count))
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func opened(_ path: String) throws -> Int32 {
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot write \(path)") }
    return descriptor
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(_ what: String) -> CommandFailure {
    let code = errno
    // The incomplete file is deleted with this object.
    return CommandFailure(
      "\(what): \(SystemError.text(code))\(SystemError.isFull(code) ? "; nothing of it was kept" : "")")
  }
}
