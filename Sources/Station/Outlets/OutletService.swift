import Logging
import Outlets
import Presentation
import ServiceLifecycle
import Synchronization

/// Runs an outlet until the station ends, and logs whether it works.
struct OutletService: Service {
  let member: OutletHub.Member
  let logger: Logger

  func run() async throws {
    let last = Mutex(OutletReport?.none)
    await withGracefulShutdownHandler {
      await withTaskCancellationHandler {
        await member.outlet.run(member.mailbox) { report in
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
  }

  private func log(_ report: OutletReport) {
    let name = member.outlet.name
    switch report {
    case .working: logger.notice("an outlet works", metadata: ["outlet": "\(name)"])
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
