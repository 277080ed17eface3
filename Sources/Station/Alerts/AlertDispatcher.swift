import BlueZ
import Logging

/// Sends alerts to a program, a webhook and the desktop.
struct AlertDispatcher {
  let ways: StationConfiguration.Alerts
  let logger: Logger

  /// Sends an alert in all ways concurrently. Errors are logged.
  func dispatch(_ alert: AlertRules.Alert) async {
    let message = AlertMessage(alert)
    guard let json = try? message.json() else { return log("an alert could not be written", [:]) }
    async let isRun: Void = run(json)
    async let isPosted: Void = post(json)
    async let isShown: Void = show(message.text)
    _ = await (isRun, isPosted, isShown)
  }

  private func run(_ json: String) async {
    guard let path = ways.hook else { return }
    switch await AlertProgram(path: path, timeout: .seconds(30)).run(reading: json) {
    case .succeeded: break
    case .failed(let status): log("the alert hook failed", ["path": "\(path)", "status": "\(status)"])
    case .notStarted(let problem): log("the alert hook could not be run", ["path": "\(path)", "error": "\(problem)"])
    }
  }

  private func post(_ json: String) async {
    guard let url = ways.webhook, let problem = await AlertWebhook(url: url).post(json) else { return }
    log("an alert could not be posted", ["error": "\(problem)"])
  }

  private func show(_ text: String) async {
    guard ways.isOnDesktop else { return }
    do {
      try await DesktopNotification().show(text)
    } catch {
      log("an alert could not be shown on the desktop", ["error": "\(BluetoothWording.detail(error))"])
    }
  }

  private func log(_ text: Logger.Message, _ metadata: Logger.Metadata) {
    logger.error(text, metadata: metadata)
  }
}
