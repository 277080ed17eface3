import Foundation
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and the loss of the terminal: the first of them asks the command to stop.
///
/// A command that has nothing to bring to an end is ended at once, with exit code 130, whatever it is doing. One that stores,
/// writes files or holds links asks for time with `allow`, looks at `isRequested` or listens with `onRequest`, and ends by
/// itself; when the time is over it is ended all the same. A thread of its own sees to both, and is the only one that takes
/// these signals: no other thread has to be awake for it. A second signal ends the process as if nobody listened, unless it
/// comes with the first: a terminal and the program that started this one may both hand the same request on.
package enum Interrupt {
  /// What a command does between the first signal and its end, and how long that may take, in milliseconds. Of what reads
  /// input a second is promised, of what records five.
  package enum Ending: Int {
    case nothing = 0
    /// Stores what was read, or takes back what was begun.
    case storing = 600
    /// Stores what was heard, and gives links back.
    case recording = 4_600
  }

  /// Calls `body` when the user asks to stop, until it is cancelled.
  package struct Listener {
    fileprivate let number: Int

    package func cancel() {
      _ = Interrupt.listeners.withLock { $0.removeValue(forKey: number) }
    }
  }

  /// What comes within so many milliseconds is the same request as the first signal.
  private static let sameRequest = 500

  private static let flag = Atomic<Bool>(false)
  /// When the first signal came, in milliseconds of the monotonic clock.
  private static let firstTime = Atomic<Int>(0)
  private static let time = Atomic<Int>(Ending.nothing.rawValue)
  private static let listeners = Mutex<[Int: @Sendable () -> Void]>([:])
  private static let nextListener = Atomic<Int>(0)
  private static let storesPiecemeal = Atomic<Bool>(false)
  /// A pipe that can be read once the user asked to stop; nobody reads it, so that everybody is woken.
  private static let bell = Atomic<Int32>(-1)
  /// Its other end, for the signal handler.
  private static let clapper = Atomic<Int32>(-1)

  /// Whether the user asked to stop.
  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// The same, also where the thread that takes the signal has not come to it yet. All other threads block it, and so see that it
  /// is there.
  static var isRequestedByNow: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return isRequested || [SIGINT, SIGTERM].contains { sigismember(&pending, $0) == 1 } || isRequested
  }

  /// Asks for the time of `ending` after the first signal. A time that was asked for is never taken back.
  package static func allow(_ ending: Ending) {
    time.max(ending.rawValue, ordering: .relaxed)
  }

  /// Notes that something was stored as the command goes on: one that is ended before it is done says that this stays.
  package static func noteStoring() {
    storesPiecemeal.store(true, ordering: .relaxed)
  }

  /// Calls `body` on a thread of its own when the user asks to stop, at once where that was before.
  package static func onRequest(_ body: @escaping @Sendable () -> Void) -> Listener {
    let number = nextListener.add(1, ordering: .relaxed).newValue
    let isLate = listeners.withLock { listeners in
      listeners[number] = body
      return isRequested
    }
    if isLate { callListeners() }
    return Listener(number: number)
  }

  /// Waits until a descriptor is ready for `events` of poll(2), for `milliseconds` at most once the user has asked to stop.
  /// Returns whether it is ready.
  package static func wait(for descriptor: Int32, _ events: Int32, afterRequest milliseconds: Int32) -> Bool {
    while true {
      let isRequested = isRequested
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        // A negative descriptor is passed over.
        pollfd(fd: isRequested ? -1 : bell.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, 2, isRequested ? milliseconds : -1)
      if descriptors[0].revents != 0 || (count < 0 && errno != EINTR) { return true }
      if count == 0 { return false }
    }
  }

  // MARK: - Listening to signals

  /// Starts to listen. A closed pipe is an error of `write`, not a signal.
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
      // A parent that starts the program from a thread which blocks signals hands the block on.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      watch()
    }
    watching.name = "interrupt"
    watching.start()
    // All threads that are started later inherit it.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// A parent that has a signal ignored, as nohup does, wants it ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(Optional(SIG_IGN), to: Int.self)
  }

  /// In a signal handler: calls only what is safe there (signal-safety(7)).
  private static func handle(_ number: Int32) {
    let code = errno
    defer { errno = code }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let milliseconds = now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
    if flag.exchange(true, ordering: .relaxed) {
      // A terminal that is lost says so beside Ctrl-C.
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

  /// Waits for the first signal, and then for the end of the process, which it brings about when the time is over.
  private static func watch() {
    var waiting = pollfd(fd: bell.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) != 1 {}
    callListeners()
    let begun = ContinuousClock.now
    var allowed = Duration.zero
    while true {
      // It may be asked for when the signal is there already.
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
    // What they call may wait for locks of a thread that is stuck.
    Thread.detachNewThread {
      let bodies = listeners.withLock { listeners in
        defer { listeners.removeAll() }
        return Array(listeners.values)
      }
      for body in bodies { body() }
    }
  }
}
