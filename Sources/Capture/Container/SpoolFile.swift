#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary file that nobody else can open, for what comes through a pipe and is read again. It has no name, so that nothing
/// of it is left however the program ends.
final class SpoolFile: Sendable {
  /// Where it is made, the first that goes. `/tmp` is memory on many systems, and comes last.
  private static var folders: [String] {
    let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return (wanted.isEmpty ? [] : [wanted]) + ["/var/tmp", "/tmp"]
  }

  private let descriptor: Int32
  private let name: String

  /// `name` is that of the pipe, for messages.
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

  /// Reads bytes that were written, some at least.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { throw .unreadable(path: name, code: errno) }
    }
  }
}
