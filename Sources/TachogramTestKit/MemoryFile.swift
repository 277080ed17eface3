import Foundation

/// Files that are only in memory: thousands of them would cost a disk dearly.
package enum MemoryFile {
  /// Calls `body` with the path of a file of these bytes, which goes away afterwards.
  package static func withPath<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let descriptor = try open(bytes)
    defer { close(descriptor) }
    return try body(path(descriptor))
  }

  /// The same for what takes its time.
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
    // Without a name, the file ends with its descriptor, whatever becomes of the test.
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
