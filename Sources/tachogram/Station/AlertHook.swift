import Dispatch
import Foundation
import Logging
import Station
import TachogramCore

/// Runs the program that is told of alerts, with the alert as a JSON object on its standard input.
struct AlertHook {
  private struct Message: Encodable {
    let kind: String
    let strap: String?
    let text: String
    let since: String
  }

  /// Longer than this it does not run.
  private static let patience: DispatchTimeInterval = .seconds(30)

  let path: String
  let logger: Logger

  /// Starts the program, and does not wait for it.
  func tell(_ alert: AlertRules.Alert) {
    let message = Message(
      kind: alert.kind.rawValue, strap: alert.strap, text: alert.text, since: Timestamp.text(alert.since))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.terminationHandler = { [logger, path] process in
      guard process.terminationReason != .exit || process.terminationStatus != 0 else { return }
      logger.error("the alert hook failed", metadata: ["path": "\(path)", "status": "\(process.terminationStatus)"])
    }
    do {
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(try JSONOutput.line(message).utf8))
      try input.fileHandleForWriting.close()
    } catch {
      logger.error("the alert hook could not be run", metadata: ["path": "\(path)", "error": "\(error)"])
    }
    let identifier = process.processIdentifier
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) {
      if process.isRunning { kill(identifier, SIGKILL) }
    }
  }
}
