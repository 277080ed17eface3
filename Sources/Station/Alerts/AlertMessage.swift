import Presentation
import TachogramCore

/// An alert as it leaves the station.
struct AlertMessage: Encodable {
  let kind: String
  let strap: String?
  let text: String
  let since: String

  /// A strap that has no name goes by its address, which is not for others.
  init(_ alert: AlertRules.Alert) {
    (kind, since) = (alert.kind.rawValue, Timestamp.text(alert.since))
    (strap, text) = (alert.strap.map(LogText.safe), LogText.safe(alert.text))
  }

  /// A JSON object on a line.
  func json() throws -> String { try JSONOutput.line(self) }
}
