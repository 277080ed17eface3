import Glibc
import Synchronization

/// Ctrl-C and SIGTERM, as a flag that long loops look at between two steps, so that what was begun is brought to an end.
enum Interrupt {
  private static let flag = Atomic<Bool>(false)

  /// Whether the user asked to stop.
  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Starts to listen. A second signal ends the process at once. A closed pipe is an error of `write`, not a signal.
  static func install() {
    flag.store(false, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    // A parent that starts the program from a thread which blocks signals hands the block on.
    var listened = sigset_t()
    sigemptyset(&listened)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&listened, number)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in Interrupt.flag.store(true, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
    sigprocmask(SIG_UNBLOCK, &listened, nil)
  }
}
