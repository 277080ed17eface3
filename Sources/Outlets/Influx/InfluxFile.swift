import Glibc

/// A file that batches of lines are appended to, each as a whole or not at all.
struct InfluxFile {
  let path: String

  /// Appends bytes. Returns the reason of a failure, in words.
  func append(_ bytes: [UInt8]) -> String? {
    // A pipe without a reader would block.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o640)
    guard descriptor >= 0 else { return problem(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return problem(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is not a regular file" }
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let code = errno
        // Half a batch would be written twice.
        ftruncate(descriptor, status.st_size)
        return problem(code)
      }
      count += written
    }
    return nil
  }

  private func problem(_ code: Int32) -> String { "\(path) cannot be written: \(String(cString: strerror(code)))" }
}
