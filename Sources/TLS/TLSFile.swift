#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A certificate or key on disk.
enum TLSFile {
  /// The largest file that is read, in bytes.
  static let limit = 256 * 1024

  /// Returns the bytes of a regular file. Pipes and devices are refused, because reading them could block.
  static func read(_ path: String) throws(TLSFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: reason()) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    guard status.st_size <= limit else { throw .tooLarge(path: path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(count))
        return pread(descriptor, rest.baseAddress, rest.count, off_t(count))
      }
      if more < 0 {
        if errno == EINTR { continue }
        throw .unreadable(path: path, reason: reason())
      }
      if more == 0 { break }
      count += more
    }
    return Array(bytes.prefix(count))
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
