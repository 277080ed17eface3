import Capture
import Repository

/// The end of a command that did not do what was asked: a sentence for people and an exit code.
struct CommandFailure: Error {
  /// Empty when everything was said already.
  let message: String
  let code: ExitStatus

  init(_ message: String, code: ExitStatus = .failed) {
    self.message = message
    self.code = code
  }

  init(_ error: CaptureError) {
    switch error {
    case .unreadable, .isDirectory, .madeByKernel, .notSpooled: self.init(error.description, code: .failed)
    default: self.init(error.description, code: .badInput)
    }
  }

  init(_ error: RepositoryError) {
    self.init(error.description, code: .failed)
  }

  /// An error of whatever kind; `path` names what it is about where the error does not.
  init(_ error: any Error, about path: String? = nil) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as CaptureError: self.init(error)
    case let error as RepositoryError: self.init(error)
    default:
      let place = (ErrorReason.path(error) ?? path).map { "\($0): " } ?? ""
      self.init(place + ErrorReason.text(error), code: .failed)
    }
  }

  /// Runs `body`, and turns the errors of the targets into failures with their exit codes.
  static func wording<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as CaptureError {
      throw CommandFailure(error)
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    }
  }
}
