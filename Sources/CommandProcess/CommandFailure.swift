import Capture
import IntervalFiles
import Repository

/// The failure of a command: a sentence for people and an exit code.
package struct CommandFailure: Error {
  /// The message, or an empty text if everything was reported already.
  package let message: String
  package let code: ExitStatus
  /// Further lines, as of a list.
  package let details: [String]

  package init(_ message: String, details: [String] = [], code: ExitStatus = .failed) {
    self.message = message
    self.details = details
    self.code = code
  }

  package init(_ error: CaptureError) {
    switch error {
    case .unreadable, .isDirectory, .madeByKernel, .notSpooled: self.init(error.description, code: .failed)
    default: self.init(error.description, code: .badInput)
    }
  }

  package init(_ error: RRSeriesError) {
    switch error {
    case .file(let error): self.init(error)
    case .noSeries: self.init(error.description, code: .badInput)
    }
  }

  package init(_ error: RepositoryError) {
    self.init(error.description, code: .failed)
  }

  /// Creates a failure from any error. The message begins with `path`, the file that it concerns.
  package init(_ error: any Error, about path: String? = nil) {
    switch error {
    case let error as CommandFailure: self = error.naming(path)
    case let error as CaptureError: self = CommandFailure(error).naming(path)
    case let error as RRSeriesError: self = CommandFailure(error).naming(path)
    case let error as RepositoryError: self = CommandFailure(error).naming(path)
    default:
      let place = (ErrorReason.path(error) ?? path).map { "\($0): " } ?? ""
      self.init(place + ErrorReason.text(error), code: .failed)
    }
  }

  /// Returns the failure with the file that it concerns, unless the message begins with it.
  private func naming(_ path: String?) -> CommandFailure {
    guard let path, !message.isEmpty, code != .interrupted else { return self }
    let beginning = "\(InputFile(path: path).name): "
    if message.hasPrefix(beginning) { return self }
    return CommandFailure(beginning + message, details: details, code: code)
  }

  /// Runs `body`, and converts the errors of the targets to failures with their exit codes.
  package static func wording<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as CaptureError {
      throw CommandFailure(error)
    } catch let error as RRSeriesError {
      throw CommandFailure(error)
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    }
  }
}
