import Logging
import Outlets
import Presentation
import ServiceLifecycle
import Synchronization

/// Runs an outlet until the station ends, logs whether it works, and does what it reports that a person asks.
struct OutletService: Service {
  let member: OutletHub.Member
  let logger: Logger
  /// Starts or stops recording a strap.
  let record: @Sendable (_ isWanted: Bool, _ strap: Int) async -> Void

  func run() async throws {
    let last = Mutex(OutletReport?.none)
    // A few are kept while one is done: the outlet does not wait for the disk.
    let (commands, command) = AsyncStream.makeStream(of: (Int, Bool).self, bufferingPolicy: .bufferingNewest(64))
    async let done: Void = obey(commands)
    await withGracefulShutdownHandler {
      await withTaskCancellationHandler {
        await member.outlet.run(member.mailbox) { report in
          if case .recording(let strap, let isWanted) = report { return _ = command.yield((strap, isWanted)) }
          let isNew = last.withLock { last in
            defer { last = report }
            return last != report
          }
          if isNew { log(report) }
        }
      } onCancel: {
        member.mailbox.finish()
      }
    } onGracefulShutdown: {
      member.mailbox.finish()
    }
    command.finish()
    await done
  }

  private func obey(_ commands: AsyncStream<(Int, Bool)>) async {
    for await (strap, isWanted) in commands {
      logger.notice(
        isWanted ? "an outlet starts recording a strap" : "an outlet stops recording a strap",
        metadata: ["outlet": "\(member.outlet.name)", "strap": "\(strap)"])
      await record(isWanted, strap)
    }
  }

  private func log(_ report: OutletReport) {
    let name = member.outlet.name
    switch report {
    case .working: logger.notice("an outlet works", metadata: ["outlet": "\(name)"])
    case .restricted(let problem):
      logger.warning(
        "an outlet works, with a restriction",
        metadata: ["outlet": "\(name)", "problem": "\(LogText.safe(problem))"])
    case .failing(let problem):
      logger.warning(
        "an outlet does not reach the other system, and tries again",
        metadata: ["outlet": "\(name)", "problem": "\(LogText.safe(problem))"])
    case .ended(let problem):
      logger.error(
        "an outlet does not work", metadata: ["outlet": "\(name)", "problem": "\(LogText.safe(problem))"])
    case .recording: break
    }
  }
}
