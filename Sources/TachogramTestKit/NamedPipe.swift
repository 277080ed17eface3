import Foundation
import Glibc

/// A named pipe between a test and a program.
package final class NamedPipe: Sendable {
  package enum Failure: Error {
    case system(call: String, code: Int32)
  }

  package let path: String

  package init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw Failure.system(call: "mkfifo", code: errno) }
    self.path = path
  }

  /// Opens the pipe for writing, once it is open for reading.
  package func writer() async throws -> FileHandle {
    try await open(O_WRONLY)
  }

  /// Opens the pipe for reading, once it is open for writing.
  package func reader() async throws -> FileHandle {
    try await open(O_RDONLY)
  }

  private func open(_ mode: Int32) async throws -> FileHandle {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { [path] in
          let descriptor = Glibc.open(path, mode | O_CLOEXEC)
          if descriptor < 0 {
            continuation.resume(throwing: Failure.system(call: "open", code: errno))
          } else {
            continuation.resume(returning: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
          }
        }
      }
    } onCancel: { [path] in
      // Opens the other end to release the waiting thread.
      let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 { close(descriptor) }
    }
  }

  /// Writes bytes on a separate thread, `times` times or until the reader closes. Returns once they are written.
  package static func write(_ bytes: [UInt8], to handle: FileHandle, times: Int = 1) async {
    await withCheckedContinuation { continuation in
      let descriptor = handle.fileDescriptor
      Thread.detachNewThread {
        // With SIGPIPE blocked, a closed reader is reported as an error of `write`.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        for _ in 0..<times where !write(bytes, to: descriptor) { break }
        continuation.resume()
      }
    }
  }

  /// Writes bytes. Returns `false` if the reader has closed.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Reads the available bytes, once there are any. Returns no bytes at the end.
  package static func read(_ handle: FileHandle) async -> Data {
    await withCheckedContinuation { continuation in
      let descriptor = handle.fileDescriptor
      Thread.detachNewThread {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        continuation.resume(returning: Data(bytes.prefix(max(0, count))))
      }
    }
  }
}
