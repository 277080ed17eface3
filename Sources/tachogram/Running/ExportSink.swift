import Glibc
import Repository

/// An export on its way to a file, or to standard output; a file appears under its name only when it is whole.
final class ExportSink: ByteSink {
  private static let bufferSize = 1 << 16

  private let path: String?
  private let temporary: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false

  init(path: String?, replacing: Bool) throws {
    self.path = path
    guard let path else {
      temporary = ""
      descriptor = STDOUT_FILENO
      return
    }
    switch PathKind(path) {
    case .nothing: break
    case .file where replacing: break
    case .file:
      throw CommandFailure("\(path) exists; replace it with --force, or choose another name", code: .badUsage)
    case .folder, .special:
      throw CommandFailure("\(path) is no ordinary file; name another, or none for standard output", code: .badUsage)
    }
    temporary = "\(path).part-\(getpid())"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot write \(path)") }
  }

  deinit {
    if path != nil, !isFinished {
      close(descriptor)
      unlink(temporary)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  func finish() throws {
    try flush()
    guard let path else { return }
    guard fsync(descriptor) == 0, close(descriptor) == 0, rename(temporary, path) == 0 else {
      throw Self.failure("cannot write \(path)")
    }
    isFinished = true
  }

  private func flush() throws {
    guard path != nil else {
      StandardStreams.out(buffer)
      buffer.removeAll(keepingCapacity: true)
      return
    }
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { throw Self.failure("cannot write \(path ?? "")") }
      rest = rest.dropFirst(max(0, count))
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ what: String) -> CommandFailure {
    let code = errno
    // What was written of it goes with this object.
    return CommandFailure(
      "\(what): \(SystemError.text(code))\(SystemError.isFull(code) ? "; nothing of it was kept" : "")")
  }
}
