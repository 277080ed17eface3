import Foundation

/// Captures in files that are only in memory: thousands of them would cost a disk dearly.
package enum TemporaryCapture {
  /// Calls `body` with the path of a file of these bytes, which goes away afterwards.
  package static func withPath<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let name = "/tachogram-\(UUID().uuidString)"
    let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    // Without a name, the file ends with its descriptor, whatever becomes of the test.
    shm_unlink(name)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
    return try body("/proc/self/fd/\(descriptor)")
  }
}
