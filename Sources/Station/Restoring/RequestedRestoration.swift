import CommandProcess
import FoundationEssentials
import Logging
import Presentation
import Repository
import Sessions

/// The restoration of a snapshot that was requested on the page, carried out at the start of the station.
package struct RequestedRestoration {
  private let path: String
  private let logger: Logger
  private let request: RestoreRequest

  /// `path` is that of the database.
  package init(database path: String, logger: Logger) {
    (self.path, self.logger) = (path, logger)
    request = RestoreRequest(database: path)
  }

  /// Restores the requested snapshot. Returns the result in words, or `nil` if none was requested. If the snapshot cannot be
  /// restored, the database is kept.
  package func carryOut() -> String? {
    let requested: String?
    do {
      requested = try request.read()
    } catch {
      let aside = request.setAside().map { " It is \($0) now." } ?? ""
      log("the request to restore a snapshot", error)
      return "A request to restore a snapshot could not be read: \(ErrorReason.text(error)).\(aside)"
    }
    guard let snapshot = requested else { return nil }
    let outcome = ServiceManager(environment: ProcessInfo.processInfo.environment).pinging { restore(snapshot) }
    do {
      try request.remove()
      return outcome
    } catch {
      log("the request to restore a snapshot cannot be removed", error)
      return outcome
        + " It is tried again at the next start, because the request cannot be removed: \(ErrorReason.text(error))."
    }
  }

  private func restore(_ snapshot: String) -> String {
    do {
      let result = try DatabaseRestoration.restore(snapshot, to: path)
      logger.notice("a snapshot was restored")
      let replaced = result.replaced.map { "The database that it replaced is \($0)." }
      return ["The snapshot was restored.", replaced, result.ofStraps].compactMap { $0 }.joined(separator: " ")
    } catch {
      log("the snapshot was not restored", error)
      return "The snapshot was not restored, and the database is as it was: \(CommandFailure(error).message)"
    }
  }

  private func log(_ what: Logger.Message, _ error: any Error) {
    logger.error(what, metadata: ["error": "\(LogText.safe(CommandFailure(error).message))"])
  }
}
