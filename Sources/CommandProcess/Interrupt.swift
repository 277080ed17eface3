import Foundation
import Glibc
import Synchronization

/// The handling of Ctrl-C, SIGTERM and the loss of the terminal. The first signal requests the end of the command.
///
/// A command without anything to complete is ended at once, with exit code 130. A command that stores, writes files or holds
/// links requests time with `allow`, checks `isRequested` or listens with `onRequest`, and ends by itself; after that time it
/// is ended anyway. A dedicated thread does both and is the only one that receives these signals, so that no other thread has
/// to be responsive. A second signal ends the process as without a handler, unless it arrives together with the first: a
/// terminal and the program that started this one may both pass on the same request.
package enum Interrupt {
  /// The work of a command between the first signal and its end, with its time limit in milliseconds. Commands that read input
  /// promise to end within a second, those that record within five; a station that stores what it has kept in memory may take as long
  /// as systemd waits for it.
  package enum Ending: Int {
    case nothing = 0
    /// Stores the input that was read, or undoes unfinished work.
    case storing = 900
    /// Stores received notifications, and closes links.
    case recording = 4_600
    /// Stores what was kept in memory.
    case keeping = 14_000
  }

  /// Calls a function when the user requests the end, until it is cancelled.
  package struct Listener {
    fileprivate let number: Int

    package func cancel() {
      _ = Interrupt.listeners.withLock { $0.removeValue(forKey: number) }
    }
  }

  /// The time in milliseconds after the first signal in which further signals count as the same request.
  private static let sameRequest = 500

  private static let flag = Atomic<Bool>(false)
  /// The time of the first signal, in milliseconds of the monotonic clock.
  private static let firstTime = Atomic<Int>(0)
  private static let time = Atomic<Int>(Ending.nothing.rawValue)
  private static let listeners = Mutex<[Int: @Sendable () -> Void]>([:])
  private static let nextListener = Atomic<Int>(0)
  private static let storesPiecemeal = Atomic<Bool>(false)
  /// The read end of a pipe that becomes readable when the user requests the end. It is never read, so that it wakes all
  /// waiting threads.
  private static let bell = Atomic<Int32>(-1)
  /// The write end, for the signal handler.
  private static let clapper = Atomic<Int32>(-1)

  /// Whether the user has requested the end.
  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Whether the user has requested the end, even if the signal thread has not handled the signal yet, or does so within
  /// `milliseconds`. All other threads block the signal, and see that it is pending.
  static func isRequested(within milliseconds: Int32) -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    if isRequested || [SIGINT, SIGTERM].contains(where: { sigismember(&pending, $0) == 1 }) { return true }
    var ringing = pollfd(fd: bell.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
    return poll(&ringing, 1, milliseconds) == 1 || isRequested
  }

  /// Requests the time of `ending` after the first signal. A request is never revoked.
  package static func allow(_ ending: Ending) {
    time.max(ending.rawValue, ordering: .relaxed)
  }

  /// Records that the command stores data as it proceeds: if it is ended early, the message says that this data is kept.
  package static func noteStoring() {
    storesPiecemeal.store(true, ordering: .relaxed)
  }

  /// Calls `body` on a new thread when the user requests the end, or at once if that has happened.
  package static func onRequest(_ body: @escaping @Sendable () -> Void) -> Listener {
    let number = nextListener.add(1, ordering: .relaxed).newValue
    let isLate = listeners.withLock { listeners in
      listeners[number] = body
      return isRequested
    }
    if isLate { callListeners() }
    return Listener(number: number)
  }

  /// Waits until a descriptor is ready for `events` of poll(2), after a request for at most `milliseconds`. Returns whether it
  /// is ready.
  package static func wait(for descriptor: Int32, _ events: Int32, afterRequest milliseconds: Int32) -> Bool {
    while true {
      let isRequested = isRequested
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        // poll(2) ignores a negative descriptor.
        pollfd(fd: isRequested ? -1 : bell.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, 2, isRequested ? milliseconds : -1)
      if descriptors[0].revents != 0 || (count < 0 && errno != EINTR) { return true }
      if count == 0 { return false }
    }
  }

  // MARK: - Listening to signals

  /// Installs the handlers. A closed pipe is reported by `write`, not by a signal.
  package static func install() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    bell.store(ends[0], ordering: .relaxed)
    clapper.store(ends[1], ordering: .relaxed)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      if number == SIGHUP, isIgnored(number) { continue }
      sigaddset(&signals, number)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Interrupt.handle($0) }
      sigaction(number, &action, nil)
    }
    let watching = Thread { [signals] in
      var signals = signals
      // A thread of the parent that blocks signals passes the block on to this program.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      watch()
    }
    watching.name = "interrupt"
    watching.start()
    // All threads created later inherit it.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether a signal is ignored. A parent such as nohup ignores signals for its children.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(Optional(SIG_IGN), to: Int.self)
  }

  /// Handles a signal. Calls only functions that are safe in a signal handler (signal-safety(7)).
  private static func handle(_ number: Int32) {
    let code = errno
    defer { errno = code }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let milliseconds = now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
    if flag.exchange(true, ordering: .relaxed) {
      // The loss of a terminal is signalled in addition to Ctrl-C.
      guard number != SIGHUP, milliseconds - firstTime.load(ordering: .relaxed) > sameRequest else { return }
      TerminalGuard.leave()
      signal(number, SIG_DFL)
      // Delivered when this handler returns.
      raise(number)
      return
    }
    firstTime.store(milliseconds, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(clapper.load(ordering: .relaxed), &byte, 1)
  }

  // MARK: - The end

  /// Waits for the first signal, then for the end of the process, and ends it when the time is over.
  private static func watch() {
    var waiting = pollfd(fd: bell.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) != 1 {}
    callListeners()
    let begun = ContinuousClock.now
    var allowed = Duration.zero
    while true {
      // The time may be requested after the signal.
      allowed = .milliseconds(time.load(ordering: .relaxed))
      let left = allowed - (ContinuousClock.now - begun)
      guard left > .zero else { break }
      usleep(UInt32(min(left, .milliseconds(50)) / .microseconds(1)))
    }
    ProcessEnd.force(
      saying: "stopped by the user"
        + (allowed > .zero ? " before it was done" : "")
        + (storesPiecemeal.load(ordering: .relaxed) ? "; what was stored until then stays" : ""))
  }

  private static func callListeners() {
    // The functions may wait for locks of a thread that hangs.
    Thread.detachNewThread {
      let bodies = listeners.withLock { listeners in
        defer { listeners.removeAll() }
        return Array(listeners.values)
      }
      for body in bodies { body() }
    }
  }
}
