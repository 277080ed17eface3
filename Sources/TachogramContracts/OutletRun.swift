import Outlets
import Synchronization

/// A running outlet.
package final class OutletRun: Sendable {
  package let mailbox: OutletMailbox
  private let kept = Mutex([OutletReport]())
  private let running = Mutex(Task<Void, Never>?.none)

  package init(_ outlet: any OutletProtocol, _ mailbox: OutletMailbox? = nil) {
    self.mailbox = mailbox ?? OutletMailbox(wantsBeats: outlet.wantsBeats)
    let task = Task {
      await outlet.run(self.mailbox) { [self] report in kept.withLock { $0.append(report) } }
    }
    running.withLock { $0 = task }
  }

  package var reports: [OutletReport] { kept.withLock { $0 } }

  /// Ends the mailbox, and waits until the outlet has ended. The time limit of the suite is the only one: the machine may be busy.
  package func end() async {
    let task = running.withLock { $0 }
    mailbox.finish()
    await task?.value
  }

  /// Lets others run in place of a pause.
  package static let yield: @Sendable (Duration) async -> Void = { _ in await Task.yield() }
}
