import FoundationEssentials
import StressKit
import TachogramCore

/// One key of the configuration: what it holds and what it is for. The table of them is the only place that knows the keys:
/// what is read, checked, shown and explained comes from it.
package struct Setting: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text
    case list
    case integer(ClosedRange<Int>)
    /// As in 90s, 30m, 8h, 365d.
    case span
    /// As a span, between two lengths of time in seconds.
    case spanWithin(ClosedRange<Int64>)
    /// As a span, or `forever`.
    case spanOrForever
    case choice([String])
    /// `true` or `false`.
    case flag
    /// As in https://example.org/alerts.
    case webAddress
  }

  /// The path of the key, as in `http.port`.
  package let path: String
  package let kind: Kind
  /// As it would be written; `nil` where nothing is the default.
  package let defaultValue: String?
  package let help: String
  /// The path that version 0.1.0 had for it; it still works.
  package let formerPath: String?

  init(path: String, kind: Kind, defaultValue: String?, help: String, formerPath: String? = nil) {
    self.path = path
    self.kind = kind
    self.defaultValue = defaultValue
    self.help = help
    self.formerPath = formerPath
  }

  /// The paths by which it can be written.
  package var paths: [String] { [path] + (formerPath.map { [$0] } ?? []) }

  /// What is wrong with a value that was written for this key; `nil` when nothing is.
  func problem(with text: String) -> String? {
    switch kind {
    case .text: text.isEmpty ? "is empty; leave the key out for the default" : nil
    case .list:
      !text.isEmpty && text.split(separator: ",", omittingEmptySubsequences: false).contains("")
        ? "has an empty entry" : nil
    case .integer(let range):
      Int(text).map(range.contains) == true
        ? nil : "is \"\(text)\"; it is a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .span: TimeSpan(text: text) == nil ? "is \"\(text)\"; it is a length of time like 90s, 30m, 8h or 30d" : nil
    case .spanWithin(let range):
      TimeSpan(text: text).map { range.contains($0.seconds) } == true
        ? nil
        : "is \"\(text)\"; it is a length of time from \(TimeSpan(seconds: range.lowerBound).text) to "
          + TimeSpan(seconds: range.upperBound).text
    case .spanOrForever:
      text == Self.forever || TimeSpan(text: text) != nil
        ? nil : "is \"\(text)\"; it is a length of time like 30d, or forever"
    case .choice(let choices):
      choices.contains(text) ? nil : "is \"\(text)\"; it is one of \(choices.joined(separator: ", "))"
    case .flag: [Self.yes, Self.no].contains(text) ? nil : "is \"\(text)\"; it is true or false"
    case .webAddress:
      Self.isWebAddress(text) ? nil : "is \"\(text)\"; it is an address like https://example.org/alerts"
    }
  }

  package static let forever = "forever"
  package static let (yes, no) = ("true", "false")

  private static func isWebAddress(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    return ["http", "https"].contains(scheme) && url.host()?.isEmpty == false
  }

  /// What a value that was written by its former path is now, where it was right by then: the nearest one that is.
  func current(_ text: String) -> String {
    guard case .spanWithin(let range) = kind, let span = TimeSpan(text: text) else { return text }
    return range.contains(span.seconds)
      ? text : TimeSpan(seconds: min(max(span.seconds, range.lowerBound), range.upperBound)).text
  }

  /// The name of the environment variable.
  package var variable: String { Self.variable(path) }

  static func variable(_ path: String) -> String {
    "TACHOGRAM_"
      + path.map { character in
        character == "." ? "_" : character.isUppercase ? "_\(character)" : character.uppercased()
      }.joined()
  }
}

extension Setting {
  /// All paths by which a key can be written.
  package static var paths: Set<String> { Set(all.flatMap(\.paths)) }

  /// All keys, in the order in which they are shown.
  package static let all: [Setting] = [
    Setting(
      path: "database", kind: .text, defaultValue: nil,
      help: "The database file. Default: tachogram.sqlite in the state folder."),
    Setting(
      path: "timeZone", kind: .text, defaultValue: nil,
      help: "The time zone of days and hours, such as Europe/Berlin. Default: the machine's time zone."),
    Setting(
      path: "logLevel", kind: .choice(["debug", "info", "notice", "warning", "error"]), defaultValue: "info",
      help: "The least severe level that is logged."),
    Setting(
      path: "http.host", kind: .text, defaultValue: "127.0.0.1",
      help: "The address that the page is served on. Outside loopback a token is required."),
    Setting(
      path: "http.port", kind: .integer(0...65_535), defaultValue: "8620",
      help: "The port of the page; 0 picks a free port."),
    Setting(
      path: "http.names", kind: .list, defaultValue: nil,
      help: "Host names that browsers may use on loopback, for example behind a proxy."),
    Setting(
      path: "http.certificate", kind: .text, defaultValue: nil,
      help: "A PEM file with the certificate and its chain. Together with http.key it enables TLS."),
    Setting(
      path: "http.key", kind: .text, defaultValue: nil,
      help: "A PEM file with the private key of http.certificate; it must not be encrypted."),
    Setting(
      path: "radio.straps", kind: .list, defaultValue: nil,
      help: "Straps to record, by name or address. Default: the paired straps."),
    Setting(
      path: "radio.adapter", kind: .text, defaultValue: nil,
      help: "The address of the Bluetooth adapter. Default: any adapter."),
    Setting(
      path: "radio.bus", kind: .text, defaultValue: nil,
      help: "The D-Bus address of the bus that bluetoothd is on. Default: the system bus."),
    Setting(
      path: "radio.passkey", kind: .integer(0...999_999), defaultValue: nil,
      help: "The passkey to enter when a strap is bonded again."),
    Setting(
      path: "session.endAfter", kind: .span, defaultValue: "10m",
      help: "A session ends when its strap has sent nothing for this long."),
    Setting(
      path: "session.hrv", kind: .choice(HRVKind.allCases.map(\.rawValue)), defaultValue: "sdnn",
      help: "The HRV metric that stress levels are computed from."),
    Setting(
      path: "storage.commit", kind: .spanWithin(1...300),
      defaultValue: TimeSpan(seconds: StationConfiguration.Storage.usualSeconds).text,
      help: """
        The longest time between two commits. A power cut loses no more than this. Longer intervals wear SD cards less. Beats, HRV \
        and stress are stored once a minute, and when the page or another command reads them.
        """,
      formerPath: "session.commitInterval"),
    Setting(
      path: "retention.sessions", kind: .spanOrForever, defaultValue: forever,
      help: "How long sessions are kept. Hourly and daily trends are kept longer."),
    Setting(
      path: "retention.windows", kind: .spanOrForever, defaultValue: forever,
      help: "How long HRV windows are kept."),
    Setting(
      path: "retention.trends", kind: .spanOrForever, defaultValue: forever,
      help: "How long hourly and daily trends are kept."),
    Setting(
      path: "snapshots.every", kind: .span, defaultValue: "1d",
      help: "The interval between verified snapshots of the database. Nothing is written while nothing has changed."),
    Setting(
      path: "snapshots.megabytesPerDay", kind: .integer(1...1_000_000), defaultValue: "500",
      help: "How much snapshots may write in a day. The interval grows with the database."),
    Setting(
      path: "snapshots.keep", kind: .integer(0...1000), defaultValue: "6",
      help: "How many snapshots are kept; 0 disables snapshots."),
    Setting(
      path: "snapshots.folder", kind: .text, defaultValue: nil,
      help: "The folder of the snapshots. Default: snapshots beside the database."),
    Setting(
      path: "disk.lowMegabytes", kind: .integer(1...1_000_000), defaultValue: "200",
      help: "Below this, only raw notifications are stored; derivation and snapshots pause and an alert is raised."),
    Setting(
      path: "alerts.stressMinutes", kind: .integer(0...1440), defaultValue: "10",
      help: "Alert after this many minutes of high stress; 0 disables."),
    Setting(
      path: "alerts.batteryPercent", kind: .integer(0...100), defaultValue: "15",
      help: "Alert when a battery falls below this percentage; 0 disables."),
    Setting(
      path: "alerts.silenceMinutes", kind: .integer(0...1440), defaultValue: "0",
      help: "Alert when a worn strap has sent nothing for this many minutes; 0 disables."),
    Setting(
      path: "alerts.hook", kind: .text, defaultValue: nil,
      help: "A program to run for each alert. It receives the alert as a JSON object on standard input."),
    Setting(
      path: "alerts.webhook", kind: .webAddress, defaultValue: nil,
      help: "A URL that each alert is posted to as a JSON object, with retries. Requires curl."),
    Setting(
      path: "alerts.desktop", kind: .flag, defaultValue: Setting.no,
      help: "Whether alerts are shown on the desktop of the user that the station runs as."),
  ]
}
