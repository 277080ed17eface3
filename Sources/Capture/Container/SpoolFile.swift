#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary file for the data of a pipe that is read again. It has no name, so that no other process can open it and nothing
/// is left however the program ends.
final class SpoolFile: Sendable {
  /// The folders to try in order. `/tmp` is in memory on many systems, and is the last.
  private static var folders: [String] {
    let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return (wanted.isEmpty ? [] : [wanted]) + ["/var/tmp", "/tmp"]
  }

  private let descriptor: Int32
  private let name: String

  /// Creates a file. `name` is that of the pipe, for messages.
  init(of name: String) throws(CaptureError) {
    var code: Int32 = 0
    for folder in Self.folders {
      var template = Array("\(folder)/tachogram-XXXXXX".utf8CString)
      // Its mode is 0600.
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else {
        code = errno
        continue
      }
      unlink(template)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      self.descriptor = descriptor
      self.name = name
      return
    }
    throw .notSpooled(path: name, code: code)
  }

  deinit {
    close(descriptor)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(CaptureError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(done))
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      if count > 0 { done += count } else if errno != EINTR { throw .notSpooled(path: name, code: errno) }
    }
  }

  /// Reads at least one of the bytes that were written.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { throw .unreadable(path: name, code: errno) }
    }
  }
}
