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
  package let standard: String?
  package let help: String
  /// The path that version 0.1.0 had for it; it still works.
  package let formerPath: String?

  init(path: String, kind: Kind, standard: String?, help: String, formerPath: String? = nil) {
    self.path = path
    self.kind = kind
    self.standard = standard
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
      path: "database", kind: .text, standard: nil,
      help: "The database file; by default tachogram.sqlite in the state folder."),
    Setting(
      path: "timeZone", kind: .text, standard: nil,
      help: "The time zone of days and hours, as in Europe/Berlin; by default that of the machine."),
    Setting(
      path: "logLevel", kind: .choice(["debug", "info", "notice", "warning", "error"]), standard: "info",
      help: "What is logged: this and what is more serious."),
    Setting(
      path: "http.host", kind: .text, standard: "127.0.0.1",
      help: "The address that the page is served on. On another than loopback a token is required."),
    Setting(
      path: "http.port", kind: .integer(0...65_535), standard: "8620", help: "The port of the page; 0 for a free one."),
    Setting(
      path: "http.names", kind: .list, standard: nil,
      help: "Names of this machine that browsers may use on loopback, as behind a proxy."),
    Setting(
      path: "http.certificate", kind: .text, standard: nil,
      help: "A PEM file with the station's certificate and its chain; with http.key the page is served with TLS."),
    Setting(
      path: "http.key", kind: .text, standard: nil,
      help: "A PEM file with the private key of http.certificate, without a password."),
    Setting(
      path: "radio.straps", kind: .list, standard: nil, help: "Straps by name or address; by default the paired ones."),
    Setting(
      path: "radio.adapter", kind: .text, standard: nil, help: "The Bluetooth adapter, by its address; by default any."),
    Setting(
      path: "radio.bus", kind: .text, standard: nil,
      help: "The D-Bus address of the daemon's bus; by default the system bus."),
    Setting(
      path: "radio.passkey", kind: .integer(0...999_999), standard: nil,
      help: "The passkey that the strap asks for when it is bonded anew."),
    Setting(
      path: "session.endAfter", kind: .span, standard: "10m",
      help: "A session ends when its strap was not heard for so long."),
    Setting(
      path: "session.hrv", kind: .choice(HRVKind.allCases.map(\.rawValue)), standard: "sdnn",
      help: "Which metric stands for HRV in the stress level."),
    Setting(
      path: "storage.commit", kind: .spanWithin(1...300),
      standard: TimeSpan(seconds: StationConfiguration.Storage.usualSeconds).text,
      help: """
        Time within which what is heard is on the disk: a power cut loses no more. Longer spares SD cards. Beats, HRV and stress \
        are stored once a minute, and when somebody asks for them.
        """,
      formerPath: "session.commitInterval"),
    Setting(
      path: "retention.sessions", kind: .spanOrForever, standard: forever,
      help: "How long sessions are kept, with what was heard. What hours and days amounted to outlives them."),
    Setting(
      path: "retention.windows", kind: .spanOrForever, standard: forever,
      help: "How long the windows of each minute are kept."),
    Setting(
      path: "retention.trends", kind: .spanOrForever, standard: forever,
      help: "How long it is kept what hours and days amounted to."),
    Setting(
      path: "snapshots.every", kind: .span, standard: "1d",
      help: "Time between two verified copies of the database; none is made while nothing has changed."),
    Setting(
      path: "snapshots.megabytesPerDay", kind: .integer(1...1_000_000), standard: "500",
      help: "What copies may write a day: as the database grows, there is more time between them."),
    Setting(
      path: "snapshots.keep", kind: .integer(0...1000), standard: "6", help: "How many copies are kept; 0 makes none."),
    Setting(
      path: "snapshots.folder", kind: .text, standard: nil,
      help: "Where; by default the folder snapshots beside the database."),
    Setting(
      path: "disk.lowMegabytes", kind: .integer(1...1_000_000), standard: "200",
      help: "With less free space only what is heard is stored, and it is told; the rest and copies wait."),
    Setting(
      path: "alerts.stressMinutes", kind: .integer(0...1440), standard: "10",
      help: "Tell of stress that was high for so many minutes; 0 never."),
    Setting(
      path: "alerts.batteryPercent", kind: .integer(0...100), standard: "15",
      help: "Tell of a battery below this; 0 never."),
    Setting(
      path: "alerts.silenceMinutes", kind: .integer(0...1440), standard: "0",
      help: "Tell of a strap that was worn and was not heard for so many minutes; 0 never."),
    Setting(
      path: "alerts.hook", kind: .text, standard: nil,
      help: "A program that is run with each alert as a JSON object on its standard input."),
    Setting(
      path: "alerts.webhook", kind: .webAddress, standard: nil,
      help: "An address that each alert is posted to as a JSON object, with retries; needs curl."),
    Setting(
      path: "alerts.desktop", kind: .flag, standard: Setting.no,
      help: "Whether alerts are shown on the desktop of the user that the station runs for."),
  ]
}
