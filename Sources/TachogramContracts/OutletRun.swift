import Outlets
import Synchronization
import Testing

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

  /// Ends the mailbox, and expects that the outlet ends in time. The limit is generous for a machine that is busy.
  package func expectEnd() async {
    let task = running.withLock { $0 }
    mailbox.finish()
    let begin = ContinuousClock.now
    await task?.value
    #expect(ContinuousClock.now - begin < OutletLimits.ending * 5)
  }

  /// Lets others run in place of a pause.
  package static let yield: @Sendable (Duration) async -> Void = { _ in await Task.yield() }
}
