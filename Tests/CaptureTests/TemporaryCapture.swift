import Foundation

/// A capture in a file that is only in memory and goes away with it: thousands of them would cost a disk dearly.
final class TemporaryCapture {
  let path: String
  private let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    let name = "/tachogram-\(UUID().uuidString)"
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    // Without a name, the file ends with its descriptor, whatever becomes of the test.
    shm_unlink(name)
    path = "/proc/self/fd/\(descriptor)"
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
  }

  deinit {
    close(descriptor)
  }
}
