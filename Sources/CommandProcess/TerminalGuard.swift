import Glibc
import Synchronization

/// Restores the terminal, however the program ends. Signal handlers use this code, so it must call only async-signal-safe
/// functions (signal-safety(7)), and must not lock or allocate.
package enum TerminalGuard {
  /// Raw memory, because a signal handler cannot capture variables, and must not access data that another thread may be
  /// changing.
  private struct Memory {
    var terminal: Int32 = -1
    var wake: Int32 = -1
    var saved = termios()
    /// The previous action of each signal, by its number.
    let previous: UnsafeMutablePointer<sigaction>
  }

  package static let ends = [SIGINT, SIGTERM, SIGHUP]
  private static let others = [SIGWINCH, SIGTSTP, SIGCONT]
  private static let crashes = [SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]
  private static let signalCount = 65

  /// Modified only while no handler is installed, or by the thread that owns the terminal while it is not entered.
  nonisolated(unsafe) private static let memory: UnsafeMutablePointer<Memory> = {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
    previous.initialize(repeating: sigaction(), count: signalCount)
    memory.initialize(to: Memory(previous: previous))
    return memory
  }()
  private static let isClaimed = Atomic<Bool>(false)
  private static let entered = Atomic<Bool>(false)
  /// The signals that requested the end, one bit each.
  private static let asked = Atomic<UInt64>(0)
  private static let atExit: Void = { _ = atexit { TerminalGuard.leave() } }()

  /// Whether the screen is currently used.
  package static var isEntered: Bool { entered.load(ordering: .acquiring) }

  // MARK: - Claiming the terminal

  /// Installs the signal handlers; each writes its number to `wake`.
  package static func claim(terminal: Int32, wake: Int32) throws(TerminalError) {
    guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { throw .inUse }
    memory.pointee.terminal = terminal
    memory.pointee.wake = wake
    asked.store(0, ordering: .relaxed)
    _ = atExit
    for number in ends + others { install(number) { TerminalGuard.report($0) } }
    for number in crashes { install(number) { TerminalGuard.crash($0) } }
  }

  /// Restores the previous handlers. Must be called after `leave`.
  package static func release() {
    guard isClaimed.load(ordering: .acquiring) else { return }
    for number in ends + others + crashes {
      sigaction(number, memory.pointee.previous + Int(number), nil)
    }
    memory.pointee.terminal = -1
    memory.pointee.wake = -1
    isClaimed.store(false, ordering: .releasing)
  }

  private static func install(_ number: Int32, _ handler: @convention(c) (Int32) -> Void) {
    let previous = memory.pointee.previous + Int(number)
    sigaction(number, nil, previous)
    // A parent that has a signal ignored, as nohup does, wants it ignored.
    if address(previous.pointee) == address(ignoring: true), number != SIGWINCH, number != SIGCONT { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART | SA_ONSTACK
    sigaction(number, &action, nil)
  }

  private static func address(_ action: sigaction) -> Int {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  }

  private static func address(ignoring: Bool) -> Int {
    ignoring ? unsafeBitCast(Optional(SIG_IGN), to: Int.self) : 0
  }

  // MARK: - Entering and leaving the screen

  /// Switches the terminal to the alternate screen without echo, keeping Ctrl-C and Ctrl-Z as signals. The previous settings
  /// are kept for `leave`.
  package static func enter() throws(TerminalError) {
    let terminal = memory.pointee.terminal
    if !isEntered {
      guard tcgetattr(terminal, &memory.pointee.saved) == 0 else { throw .system(call: "tcgetattr", code: errno) }
    }
    var raw = memory.pointee.saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-S would stop the output until Ctrl-Q.
    raw.c_iflag &= ~tcflag_t(IXON)
    withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      bytes[Int(VMIN)] = 1
      bytes[Int(VTIME)] = 0
    }
    guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { throw .system(call: "tcsetattr", code: errno) }
    entered.store(true, ordering: .releasing)
  }

  /// Restores the terminal. Safe in a signal handler, and when called repeatedly.
  package static func leave() {
    guard entered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let terminal = memory.pointee.terminal
    var start = TerminalCode.leave.utf8Start
    var count = TerminalCode.leave.utf8CodeUnitCount
    var tries = 0
    while count > 0, tries < 5 {
      let written = write(terminal, start, count)
      if written > 0 {
        start += written
        count -= written
      } else {
        tries += 1
        guard errno == EAGAIN || errno == EINTR else { break }
        var wait = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 100)
      }
    }
    tcsetattr(terminal, TCSANOW, &memory.pointee.saved)
  }

  // MARK: - Stopping

  /// Stops the process as Ctrl-Z does without a handler, and returns when it continues. Not for a signal handler.
  package static func stop() {
    var action = sigaction()
    var ours = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &action, &ours)
    raise(SIGTSTP)
    sigaction(SIGTSTP, &ours, nil)
  }

  // MARK: - Signal handlers

  private static func report(_ number: Int32) {
    let code = errno
    defer { errno = code }
    if number == SIGINT || number == SIGTERM {
      let bit = UInt64(1) << UInt64(number)
      if asked.bitwiseOr(bit, ordering: .relaxed).oldValue & bit != 0 {
        // A second request: the program does not end by itself.
        leave()
        die(number)
      }
      let previous = memory.pointee.previous[Int(number)]
      let handler = address(previous)
      if handler != 0, handler != address(ignoring: true), previous.sa_flags & SA_SIGINFO == 0 {
        previous.__sigaction_handler.sa_handler?(number)
      }
    }
    var byte = UInt8(truncatingIfNeeded: number)
    // A full pipe wakes the reader anyway.
    _ = write(memory.pointee.wake, &byte, 1)
  }

  private static func crash(_ number: Int32) {
    leave()
    sigaction(number, memory.pointee.previous + Int(number), nil)
    // Delivered when this handler returns, before the instruction that failed is tried again.
    raise(number)
  }

  private static func die(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(number, &action, nil)
    raise(number)
  }
}
