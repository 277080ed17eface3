import FoundationEssentials
import StressKit
import TachogramCore

/// The configuration of the station. Every value was checked.
package struct StationConfiguration: Sendable {
  package struct HTTP: Hashable, Sendable {
    /// Paths of PEM files.
    package struct TLS: Hashable, Sendable {
      package let certificate: String
      package let key: String
    }

    package let host: String
    package let port: Int
    package let names: [String]
    /// `nil` for connections without TLS.
    package var tls: TLS?

    /// Whether only this machine can reach it, so that no token is needed.
    package var isLoopback: Bool {
      host == "::1" || Loopback.isHost(host)
    }
  }

  package struct Radio: Hashable, Sendable {
    package var straps: [String]
    package let adapter: BluetoothAddress?
    package let bus: String?
    package let passkey: UInt32?
  }

  package struct Session: Hashable, Sendable {
    package let endAfter: TimeSpan
    package let hrv: HRVKind
  }

  package struct Storage: Hashable, Sendable {
    package static let usualSeconds: Int64 = 10

    /// Time within which what is heard is on the disk.
    package let commit: TimeSpan
  }

  /// `nil`: for ever.
  package struct Retention: Hashable, Sendable {
    package let sessions: TimeSpan?
    package let windows: TimeSpan?
    package let trends: TimeSpan?
  }

  package struct Snapshots: Hashable, Sendable {
    /// The least time between two.
    package let every: TimeSpan
    /// What they may write a day.
    package let bytesPerDay: Int64
    package let keep: Int
    package let folder: String?

    /// The time between two copies of a database of `bytes`: no less than is configured, and so long that
    /// they write no more a day than they may.
    package func interval(bytes: Int64) -> Duration {
      let days = Double(max(0, bytes)) / Double(bytesPerDay)
      return max(every.duration, .microseconds(Int64((min(days, 36_525) * 86_400e6).rounded())))
    }
  }

  package struct Alerts: Hashable, Sendable {
    /// 0: never; so are the others.
    package let stressMinutes: Int
    package let batteryPercent: Int
    package let silenceMinutes: Int
    /// A program.
    package let hook: String?
    package let webhook: String?
    package let isOnDesktop: Bool

    package init(
      stressMinutes: Int, batteryPercent: Int, silenceMinutes: Int, hook: String? = nil, webhook: String? = nil,
      isOnDesktop: Bool = false,
    ) {
      self.stressMinutes = stressMinutes
      self.batteryPercent = batteryPercent
      self.silenceMinutes = silenceMinutes
      self.hook = hook
      self.webhook = webhook
      self.isOnDesktop = isOnDesktop
    }
  }

  package let database: String?
  package let timeZone: TimeZone
  package let logLevel: String
  package let http: HTTP
  package let radio: Radio
  package let session: Session
  package let storage: Storage
  package let retention: Retention
  package let snapshots: Snapshots
  /// In bytes.
  package let lowDisk: UInt64
  package let alerts: Alerts
  /// What was read otherwise than it is written, a sentence each.
  package let remarks: [String]

  /// Of values that were checked one by one; throws what is wrong beyond that.
  init(_ values: [ConfigurationLoader.Value]) throws(ConfigurationLoader.Problems) {
    let table = ConfigurationTable(values)
    remarks = values.compactMap(\.remark)
    database = table.text("database")
    timeZone =
      try table.checked("timeZone", "is no time zone that this machine knows") { TimeZone(identifier: $0) } ?? .current
    logLevel = table.text("logLevel") ?? "info"
    http = HTTP(
      host: table.text("http.host") ?? "127.0.0.1", port: table.integer("http.port") ?? 8620,
      names: table.list("http.names"), tls: try table.tls())
    radio = Radio(
      straps: table.list("radio.straps"),
      adapter: try table.checked("radio.adapter", "is no address like C8:DE:AD:BE:EF:01") {
        BluetoothAddress(text: $0)
      },
      bus: table.text("radio.bus"), passkey: table.integer("radio.passkey").map(UInt32.init))
    session = Session(
      endAfter: table.span("session.endAfter") ?? TimeSpan(seconds: 600),
      hrv: table.text("session.hrv").flatMap(HRVKind.init(rawValue:)) ?? .sdnn)
    storage = Storage(commit: table.span("storage.commit") ?? TimeSpan(seconds: Storage.usualSeconds))
    retention = Retention(
      sessions: table.span("retention.sessions"), windows: table.span("retention.windows"),
      trends: table.span("retention.trends"))
    snapshots = Snapshots(
      every: table.span("snapshots.every") ?? TimeSpan(seconds: 86_400),
      bytesPerDay: Int64(table.integer("snapshots.megabytesPerDay") ?? 500) * 1_000_000,
      keep: table.integer("snapshots.keep") ?? 6,
      folder: table.text("snapshots.folder"))
    lowDisk = UInt64(table.integer("disk.lowMegabytes") ?? 200) * 1_000_000
    alerts = Alerts(
      stressMinutes: table.integer("alerts.stressMinutes") ?? 0,
      batteryPercent: table.integer("alerts.batteryPercent") ?? 0,
      silenceMinutes: table.integer("alerts.silenceMinutes") ?? 0, hook: table.text("alerts.hook"),
      webhook: table.text("alerts.webhook"), isOnDesktop: table.text("alerts.desktop") == Setting.yes)
    guard alerts.silenceMinutes * 60 < session.endAfter.seconds || alerts.silenceMinutes == 0 else {
      throw .init(lines: [
        "\(table.place("alerts.silenceMinutes")) is \(alerts.silenceMinutes), and a session ends after "
          + "\(session.endAfter.text) without data (session.endAfter), so the alert would never be raised; it must be less."
      ])
    }
  }
}

/// Values by path, as what they are.
private struct ConfigurationTable {
  private let values: [String: ConfigurationLoader.Value]

  init(_ values: [ConfigurationLoader.Value]) {
    self.values = Dictionary(uniqueKeysWithValues: values.map { ($0.setting.path, $0) })
  }

  func text(_ path: String) -> String? {
    values[path]?.text
  }

  func place(_ path: String) -> String {
    values[path].map(ConfigurationLoader.place) ?? path
  }

  func list(_ path: String) -> [String] {
    text(path)?.split(separator: ",").map { $0.trimming { $0 == " " } } ?? []
  }

  func integer(_ path: String) -> Int? {
    text(path).flatMap { Int($0) }
  }

  func span(_ path: String) -> TimeSpan? {
    text(path).flatMap(TimeSpan.init(text:))
  }

  func tls() throws(ConfigurationLoader.Problems) -> StationConfiguration.HTTP.TLS? {
    switch (text("http.certificate"), text("http.key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return .init(certificate: certificate, key: key)
    case (_?, nil): throw .init(lines: ["http.key is not set; it goes with http.certificate."])
    case (nil, _?): throw .init(lines: ["http.certificate is not set; it goes with http.key."])
    }
  }

  func checked<Value>(
    _ path: String, _ problem: String, _ read: (String) -> Value?
  ) throws(ConfigurationLoader.Problems) -> Value? {
    guard let value = values[path], let text = value.text else { return nil }
    guard let read = read(text) else {
      throw ConfigurationLoader.Problems(lines: ["\(ConfigurationLoader.place(value)) is \"\(text)\"; it \(problem)."])
    }
    return read
  }
}

extension Substring {
  fileprivate func trimming(_ isSpace: (Character) -> Bool) -> String {
    var rest = self.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
  }
}
