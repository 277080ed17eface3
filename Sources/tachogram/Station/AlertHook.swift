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

    /// A strap that has no name goes by its address, which is no business of what others are told.
    init(_ alert: AlertRules.Alert) {
      (kind, since) = (alert.kind.rawValue, Timestamp.text(alert.since))
      (strap, text) = (alert.strap.map(LogText.safe), LogText.safe(alert.text))
    }
  }

  /// Longer than this it does not run.
  private static let patience: DispatchTimeInterval = .seconds(30)

  let path: String
  let logger: Logger

  /// What the program reads.
  static func message(_ alert: AlertRules.Alert) throws -> String {
    try JSONOutput.line(Message(alert))
  }

  /// The program's environment, of that of the station: neither the station's configuration, which may name straps by their
  /// addresses and hold a passkey, nor what is between the station and systemd.
  static func environment(_ own: [String: String]) -> [String: String] {
    let own = own.filter { !$0.key.hasPrefix("TACHOGRAM_") }
    return own.filter { !["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM"].contains($0.key) }
  }

  /// Starts the program, and does not wait for it.
  func tell(_ alert: AlertRules.Alert) {
    let process = Process()
    process.environment = Self.environment(ProcessInfo.processInfo.environment)
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
      try input.fileHandleForWriting.write(contentsOf: Data(try Self.message(alert).utf8))
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
