import Presentation
import TachogramCore

/// The message of an alert for recipients outside the station.
struct AlertMessage: Encodable {
  let kind: String
  let strap: String?
  let text: String
  let since: String

  /// Creates the message. Addresses, which stand for straps without a name, are shortened to their last byte.
  init(_ alert: AlertRules.Alert) {
    (kind, since) = (alert.kind.rawValue, Timestamp.text(alert.since))
    (strap, text) = (alert.strap.map(LogText.safe), LogText.safe(alert.text))
  }

  /// Returns the message as a line of JSON.
  func json() throws -> String { try JSONOutput.line(self) }
}
