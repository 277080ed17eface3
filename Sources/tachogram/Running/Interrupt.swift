import Dispatch
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and the loss of the terminal, as a flag that long loops look at between two steps, so that what was begun is brought to an
/// end.
enum Interrupt {
  private static let flag = Atomic<Bool>(false)
  /// Written by the signal handler for whoever waits; -1 while nobody does.
  private static let waiter = Atomic<Int32>(-1)

  /// Whether the user asked to stop.
  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Starts to listen. A second signal ends the process at once. A closed pipe is an error of `write`, not a signal.
  static func install() {
    flag.store(false, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    // A parent that starts the program from a thread which blocks signals hands the block on.
    var listened = sigset_t()
    sigemptyset(&listened)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      if number == SIGHUP, isIgnored(number) { continue }
      sigaddset(&listened, number)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        Interrupt.flag.store(true, ordering: .relaxed)
        let waiter = Interrupt.waiter.load(ordering: .relaxed)
        var byte: UInt8 = 0
        if waiter >= 0 { _ = write(waiter, &byte, 1) }
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
    sigprocmask(SIG_UNBLOCK, &listened, nil)
  }

  /// A parent that has a signal ignored, as nohup does, wants it ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(Optional(SIG_IGN), to: Int.self)
  }

  /// Calls `body` when the user asks to stop, until what is returned is cancelled.
  static func onRequest(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceRead {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reading, writing) = (ends[0], ends[1])
    let source = DispatchSource.makeReadSource(fileDescriptor: reading)
    source.setEventHandler { @Sendable in
      var byte: UInt8 = 0
      if read(reading, &byte, 1) == 1 { body() }
    }
    source.setCancelHandler { @Sendable in
      Interrupt.waiter.store(-1, ordering: .relaxed)
      close(reading)
      close(writing)
    }
    source.resume()
    waiter.store(writing, ordering: .relaxed)
    // What was asked before anybody listened.
    if isRequested { body() }
    return source
  }
}
