import Dispatch
import Foundation
import Glibc
import Synchronization

/// The end of the process.
package enum ProcessEnd {
  /// The exit code of the end that has begun, or -1.
  private static let begun = Atomic<Int32>(-1)
  /// The exit code for a command that is ended by a signal.
  private static let forced = Atomic<Int32>(ExitStatus.interrupted.rawValue)
  /// The time limit of the end, in microseconds: the last message may wait for its reader.
  private static let farewell: UInt32 = 200_000

  /// The functions to call before the process is ended by a signal.
  private static let lastActs = Mutex<[@Sendable () -> Void]>([])

  /// Ends the process with lines for people, if there are any.
  package static func exit(_ status: ExitStatus, saying lines: [String] = []) -> Never {
    begin(status)
    for line in lines { StandardStreams.error(line) }
    Glibc.exit(status.rawValue)
  }

  /// Records that the command is done and its data stored: if a signal ends the process now, its exit code is `status`.
  package static func settle(_ status: ExitStatus) {
    forced.store(status.rawValue, ordering: .relaxed)
  }

  /// Registers a function to call before the process is ended by a signal. It may be called on any thread, and is waited for
  /// only briefly.
  package static func beforeForce(_ body: @escaping @Sendable () -> Void) {
    lastActs.withLock { $0.append(body) }
  }

  /// Ends the process after a signal, whatever its other threads are doing. No exit handlers run, except the functions of
  /// `beforeForce`. `message` is shown if the command is not done.
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

  /// Begins the end, or waits forever if it has begun already.
  private static func begin(_ status: ExitStatus) {
    if begun.compareExchange(expected: -1, desired: status.rawValue, ordering: .relaxed).exchanged { return }
    while true { pause() }
  }
}
