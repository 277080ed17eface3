import Foundation
import Glibc
import Synchronization

/// A program that runs during a test. Waiting for it does not block the threads that tests share: on a machine with two
/// processors there are only two, and a program that communicates with its test would then deadlock.
package final class ChildProcess: Sendable {
  /// The exit status and the output of a program. Output read from `pieces` is also in `output`.
  package struct Ending: Sendable {
    package let status: Int32
    package let reason: Process.TerminationReason
    package let output: Data
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The default deadline, long enough for a loaded machine: no program of a test takes more than seconds.
  package static let deadline = Duration.seconds(120)

  /// The pieces of standard output, as they are written.
  package let pieces: AsyncStream<Data>
  private let process: Running
  private let ending: Task<Ending, Never>

  // Process is not Sendable. The methods called after its start are safe on any thread.
  private struct Running: @unchecked Sendable {
    let process: Process
  }

  /// The output collected by the reading threads.
  private final class Collected: Sendable {
    let output = Mutex(Data())
    let errors = Mutex(Data())
  }

  /// Starts a program. `input` is its standard input, empty by default. After `readingPieces` pieces its standard output is
  /// closed on the reading side. The program is killed at the deadline.
  package static func start(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String],
    input: FileHandle = .nullDevice, readingPieces: Int = .max, deadline: Duration = deadline,
  ) throws -> ChildProcess {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardInput = input
    return try ChildProcess(process, readingPieces: readingPieces, deadline: deadline)
  }

  /// Starts a program and waits for its end.
  package static func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String],
  ) async throws -> Ending {
    try await start(program, arguments, in: folder, environment: environment).end()
  }

  private init(_ process: Process, readingPieces: Int, deadline: Duration) throws {
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let open = DispatchGroup()
    open.enter()
    process.terminationHandler = { _ in open.leave() }
    try process.run()
    let collected = Collected()
    let (pieces, continuation) = AsyncStream<Data>.makeStream()
    Self.read(output, pieces: readingPieces, open) { piece in
      collected.output.withLock { $0 += piece }
      continuation.yield(piece)
    } atEnd: {
      continuation.finish()
    }
    Self.read(errors, pieces: .max, open) { piece in
      collected.errors.withLock { $0 += piece }
    } atEnd: {
    }
    let running = Running(process: process)
    let killer = DispatchWorkItem { kill(running.process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .milliseconds(Int(deadline / .milliseconds(1))), execute: killer)
    self.pieces = pieces
    self.process = running
    ending = Task {
      await withCheckedContinuation { continuation in
        open.notify(queue: .global()) {
          killer.cancel()
          continuation.resume(
            returning: Ending(
              status: running.process.terminationStatus, reason: running.process.terminationReason,
              output: collected.output.withLock { $0 },
              errors: collected.errors.withLock { String(decoding: $0, as: UTF8.self) }))
        }
      }
    }
  }

  /// Sends SIGINT, as Ctrl-C does.
  package func interrupt() {
    process.process.interrupt()
  }

  /// Sends a signal, such as SIGTERM.
  package func send(_ signal: Int32) {
    kill(process.process.processIdentifier, signal)
  }

  /// Waits for the end of the program. Cancelling the task terminates it.
  package func end() async -> Ending {
    await withTaskCancellationHandler {
      await ending.value
    } onCancel: {
      process.process.terminate()
    }
  }

  private static func read(
    _ pipe: Pipe, pieces: Int, _ open: DispatchGroup, _ take: @escaping @Sendable (Data) -> Void,
    atEnd: @escaping @Sendable () -> Void,
  ) {
    open.enter()
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      var left = pieces
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while left > 0 {
        // FileHandle's own methods for reading end the process if a signal interrupts them.
        let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        take(Data(buffer.prefix(count)))
        left -= 1
      }
      try? handle.close()
      atEnd()
      open.leave()
    }
  }
}
