import Foundation

/// Files in memory only, since thousands of files would be slow on a disk.
package enum MemoryFile {
  /// Calls `body` with the path of a file of these bytes, which is removed afterwards.
  package static func withPath<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let descriptor = try open(bytes)
    defer { close(descriptor) }
    return try body(path(descriptor))
  }

  /// Calls an asynchronous `body` with the path of a file of these bytes, which is removed afterwards.
  package static func withPath<Result: Sendable>(
    _ bytes: [UInt8], _ body: @Sendable (String) async throws -> Result
  ) async throws -> Result {
    let descriptor = try open(bytes)
    defer { close(descriptor) }
    return try await body(path(descriptor))
  }

  private static func open(_ bytes: [UInt8]) throws -> Int32 {
    let name = "/tachogram-\(UUID().uuidString)"
    let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    // Without a name, the file ends with its descriptor, even if the test crashes.
    shm_unlink(name)
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func path(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
