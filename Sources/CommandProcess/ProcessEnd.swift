import Dispatch
import Foundation
import Glibc
import Synchronization

/// Ends the process.
package enum ProcessEnd {
  /// The exit code of an end that has begun; -1 before.
  private static let begun = Atomic<Int32>(-1)
  /// The exit code of a command that is ended before it came to its end by itself.
  private static let forced = Atomic<Int32>(ExitStatus.interrupted.rawValue)
  /// How long an end that has begun may take, in microseconds: what is said last may wait for its reader.
  private static let farewell: UInt32 = 200_000

  /// What is done before a process ends that does not come to its end by itself.
  private static let lastActs = Mutex<[@Sendable () -> Void]>([])

  /// Ends the process with lines for people, if there are any.
  package static func exit(_ status: ExitStatus, saying lines: [String] = []) -> Never {
    begin(status)
    for line in lines { StandardStreams.error(line) }
    Glibc.exit(status.rawValue)
  }

  /// What was asked for is done and stored; whatever keeps the process from its end now, its exit code is `status`.
  package static func settle(_ status: ExitStatus) {
    forced.store(status.rawValue, ordering: .relaxed)
  }

  /// Has `body` called before the process is ended after a signal. It may come on any thread, and is waited for only briefly.
  package static func beforeForce(_ body: @escaping @Sendable () -> Void) {
    lastActs.withLock { $0.append(body) }
  }

  /// Ends the process after a signal, whatever its other threads are doing. Nothing that runs at the end of a process is run
  /// but what `beforeForce` was given. `message` is for people, where what was asked for is not done.
  package static func force(saying message: String) -> Never {
    let status = forced.load(ordering: .relaxed)
    let earlier = begun.compareExchange(expected: -1, desired: status, ordering: .relaxed)
    if earlier.exchanged {
      TerminalGuard.leave()
      callLastActs()
      if status != ExitStatus.done.rawValue { StandardStreams.error("tachogram: \(message)") }
    } else {
      usleep(farewell)
    }
    _exit(earlier.exchanged ? status : earlier.original)
  }

  private static func callLastActs() {
    let bodies = lastActs.withLock { $0 }
    guard !bodies.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for body in bodies { body() }
      done.signal()
    }
    _ = done.wait(timeout: .now() + .microseconds(Int(farewell)))
  }

  /// Begins the end; waits for ever where it has begun already.
  private static func begin(_ status: ExitStatus) {
    if begun.compareExchange(expected: -1, desired: status.rawValue, ordering: .relaxed).exchanged { return }
    while true { pause() }
  }
}
