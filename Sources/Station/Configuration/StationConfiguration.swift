import FoundationEssentials
import Listening
import StressKit
import TachogramCore

/// The configuration of the station. All values are validated.
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
    /// The certificate and key, or `nil` for connections without TLS.
    package var tls: TLS?
    /// The origins whose pages may show glances and the overlay in a frame.
    package var frameOrigins: [String] = []
    /// Whether the metrics contain heart values, for whoever may read them.
    package var heartMetrics = false

    /// Whether only this machine can connect, so that no token is required.
    package var isLoopback: Bool {
      host == "::1" || Loopback.isHost(host)
    }
  }

  package struct Radio: Hashable, Sendable {
    package var straps: [String]
    package let adapter: BluetoothAddress?
    package let bus: String?
    /// The straps whose advertised heart rate is received, by name or address, or `all`.
    package let broadcasts: [String]
    package let passkey: UInt32?
  }

  package struct Sleep: Hashable, Sendable {
    /// The usual hours in bed, in which nights begin by themselves, or `nil` for none.
    package let hours: QuietHours?
  }

  package struct Session: Hashable, Sendable {
    package let endAfter: TimeSpan
    package let hrv: HRVKind
  }

  package struct Storage: Hashable, Sendable {
    package static let usualSeconds: Int64 = 10

    /// The time within which received notifications are on disk.
    package let commit: TimeSpan
  }

  /// The retention of data; `nil` stands for unlimited retention.
  package struct Retention: Hashable, Sendable {
    package let sessions: TimeSpan?
    package let windows: TimeSpan?
    package let trends: TimeSpan?
    /// The retention of accelerometer and ECG as they were received.
    package let raw: TimeSpan?
  }

  package struct Snapshots: Hashable, Sendable {
    /// The minimum time between two snapshots.
    package let every: TimeSpan
    /// The maximum number of bytes that snapshots write in a day.
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
    /// The minutes of high stress before an alert. Here and below, 0 switches the alert off.
    package let stressMinutes: Int
    package let batteryPercent: Int
    package let silenceMinutes: Int
    /// The hours in which alerts are shown on the page only, or `nil` for none.
    package let quietHours: QuietHours?
    /// The time of the day from which an alert reminds of the morning reading, or `nil` for none.
    package let morningReading: ClockTime?
    /// The path of a program to run for alerts.
    package let hook: String?
    package let webhook: String?
    package let isOnDesktop: Bool

    package init(
      stressMinutes: Int, batteryPercent: Int, silenceMinutes: Int, quietHours: QuietHours? = nil,
      morningReading: ClockTime? = nil, hook: String? = nil, webhook: String? = nil, isOnDesktop: Bool = false,
    ) {
      self.stressMinutes = stressMinutes
      self.batteryPercent = batteryPercent
      self.silenceMinutes = silenceMinutes
      self.quietHours = quietHours
      self.morningReading = morningReading
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
  /// The measurements that straps are asked for beside the heart rate.
  package let sensors: SensorWishes
  package let sleep: Sleep
  package let session: Session
  package let storage: Storage
  package let retention: Retention
  package let snapshots: Snapshots
  /// In bytes.
  package let lowDisk: UInt64
  /// Whether the station synchronises with others once a day only.
  package let syncsDaily: Bool
  package let mqtt: MQTTSettings
  package let influx: InfluxSettings
  package let alerts: Alerts
  /// Descriptions of values that are interpreted differently than written, one sentence each.
  package let remarks: [String]

  /// Creates a configuration from validated values. Throws the problems of combinations of values.
  init(_ values: ConfigurationValues) throws(ConfigurationLoader.Problems) {
    remarks = values.remarks
    database = values[SettingKeys.database]
    timeZone = values[SettingKeys.timeZone] ?? .current
    logLevel = values[SettingKeys.logLevel]
    http = HTTP(
      host: values[SettingKeys.httpHost], port: values[SettingKeys.httpPort], names: values[SettingKeys.httpNames],
      tls: try values.tls(), frameOrigins: values[SettingKeys.httpFrameOrigins],
      heartMetrics: values[SettingKeys.httpHeartMetrics])
    radio = Radio(
      straps: values[SettingKeys.radioStraps], adapter: values[SettingKeys.radioAdapter],
      bus: values[SettingKeys.radioBus], broadcasts: values[SettingKeys.radioBroadcasts],
      passkey: values[SettingKeys.radioPasskey].map(UInt32.init))
    sensors = SensorWishes(
      accelerometer: values[SettingKeys.sensorsAccelerometer], ecg: values[SettingKeys.sensorsEcg],
      pulseIntervals: values[SettingKeys.sensorsPulseIntervals])
    sleep = Sleep(hours: values[SettingKeys.sleepHours])
    session = Session(endAfter: values[SettingKeys.sessionEndAfter], hrv: values[SettingKeys.sessionHrv])
    storage = Storage(commit: values[SettingKeys.storageCommit])
    retention = Retention(
      sessions: values[SettingKeys.retentionSessions], windows: values[SettingKeys.retentionWindows],
      trends: values[SettingKeys.retentionTrends], raw: values[SettingKeys.retentionRaw])
    snapshots = Snapshots(
      every: values[SettingKeys.snapshotsEvery],
      bytesPerDay: Int64(values[SettingKeys.snapshotsMegabytesPerDay]) * 1_000_000,
      keep: values[SettingKeys.snapshotsKeep], folder: values[SettingKeys.snapshotsFolder])
    lowDisk = UInt64(values[SettingKeys.diskLowMegabytes]) * 1_000_000
    syncsDaily = values[SettingKeys.syncDaily]
    mqtt = MQTTSettings(values)
    influx = InfluxSettings(values)
    alerts = Alerts(
      stressMinutes: values[SettingKeys.alertsStressMinutes],
      batteryPercent: values[SettingKeys.alertsBatteryPercent],
      silenceMinutes: values[SettingKeys.alertsSilenceMinutes],
      quietHours: values[SettingKeys.alertsQuietHours], morningReading: values[SettingKeys.alertsMorningReading],
      hook: values[SettingKeys.alertsHook], webhook: values[SettingKeys.alertsWebhook],
      isOnDesktop: values[SettingKeys.alertsDesktop])
    guard alerts.silenceMinutes * 60 < session.endAfter.seconds || alerts.silenceMinutes == 0 else {
      throw .init(lines: [
        "\(values.place(SettingKeys.alertsSilenceMinutes)) is \(alerts.silenceMinutes), and a session ends after "
          + "\(session.endAfter.text) without data (session.endAfter), so the alert would never be raised; it must be less."
      ])
    }
  }
}
