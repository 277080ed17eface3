import BluetoothKernel
import CommandProcess
import Glibc
import Repository

/// A btsnoop file during a recording: it contains only complete records, and is synchronised to the disk at every flush.
final class MonitorRecorder {
  private let path: String
  private let descriptor: Int32
  private var buffer = MonitorRecord.header
  /// The end of the complete records on the disk.
  private var end: Int64 = 0

  /// Creates the file. Only its owner can read it, since it contains heart rates.
  init(path: String, replacing: Bool) throws {
    self.path = path
    if !replacing, access(path, F_OK) == 0 {
      throw CommandFailure("\(path) exists; replace it with --force, or choose another name", code: .badUsage)
    }
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    try flush()
  }

  deinit {
    close(descriptor)
  }

  func append(_ frame: MonitorFrame) {
    buffer += MonitorRecord.bytes(frame)
  }

  /// Synchronises appended records to the disk. If that fails, the file is truncated after the last complete record.
  func flush() throws {
    guard !buffer.isEmpty else { return }
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR {
        let failure = Self.failure(path)
        ftruncate(descriptor, off_t(end))
        throw failure
      }
      rest = rest.dropFirst(max(0, count))
    }
    end += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    // A pipe or a device cannot be synchronised.
    if fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> CommandFailure {
    let code = errno
    let end = SystemError.isFull(code) ? "; the file ends with the last whole record" : ""
    return CommandFailure("cannot write \(path): \(SystemError.text(code))\(end)")
  }
}
