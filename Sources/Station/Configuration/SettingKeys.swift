import FoundationEssentials
import StressKit
import TachogramCore

/// The table of the keys with their types and defaults, the only source of what is read, validated, shown and explained.
enum SettingKeys {
  static let database = SettingKey<String?>.text(
    "database", help: "The database file. Default: tachogram.sqlite in the state folder.")
  static let timeZone = SettingKey<TimeZone?>.read(
    "timeZone", "no time zone that this machine knows",
    help: "The time zone of days and hours, such as Europe/Berlin. Default: the machine's time zone."
  ) { $0.utf8.contains(0) ? nil : TimeZone(identifier: $0) }.onPage
  static let logLevel = SettingKey<String>.choice(
    "logLevel", ["debug", "info", "notice", "warning", "error"], default: "info",
    help: "The least severe level that is logged.")
  static let httpHost = SettingKey<String>.text(
    "http.host", default: "127.0.0.1",
    help: "The address that the page is served on. Outside loopback a token is required.")
  static let httpPort = SettingKey<Int>.integer(
    "http.port", 0...65_535, default: 8620, help: "The port of the page; 0 picks a free port.")
  static let httpNames = SettingKey<[String]>.list(
    "http.names", help: "Host names that browsers may use on loopback, for example behind a proxy.")
  static let httpCertificate = SettingKey<String?>.text(
    "http.certificate", help: "A PEM file with the certificate and its chain. Together with http.key it enables TLS.")
  static let httpKey = SettingKey<String?>.text(
    "http.key", help: "A PEM file with the private key of http.certificate; it must not be encrypted.")
  static let httpFrameOrigins = SettingKey<[String]>.origins(
    "http.frameOrigins",
    help: "Origins, such as https://ha.example:8123, whose pages may show glances and the overlay in a frame.")
  static let httpHeartMetrics = SettingKey<Bool>.flag(
    "http.heartMetrics", default: false,
    help: "Whether /metrics has heart rate, HRV and stress, for full tokens and tokens for metrics.")
  static let radioStraps = SettingKey<[String]>.list(
    "radio.straps", help: "Straps to record, by name or address. Default: the paired straps.")
  static let radioAdapter = SettingKey<BluetoothAddress?>.read(
    "radio.adapter", "no address like C8:DE:AD:BE:EF:01",
    help: "The address of the Bluetooth adapter. Default: any adapter."
  ) { BluetoothAddress(text: $0) }
  static let radioBus = SettingKey<String?>.text(
    "radio.bus", help: "The D-Bus address of the bus that bluetoothd is on. Default: the system bus.")
  static let radioBroadcasts = SettingKey<[String]>.list(
    "radio.broadcasts",
    help: """
      Straps and watches whose heart rate is received from their advertisements, without a connection, by name or address, or all. \
      It is an average, and is shown but never recorded.
      """)
  static let radioPasskey = SettingKey<Int?>.secretInteger(
    "radio.passkey", 0...999_999, help: "The passkey to enter when a strap is bonded again.")
  static let sensorsAccelerometer = SettingKey<[String]>.list(
    "sensors.accelerometer",
    help: "Polar straps whose accelerometer is recorded, by name or address, or all: movement in bed. 4.5 MB a night."
  ).onPage
  static let sensorsEcg = SettingKey<[String]>.list(
    "sensors.ecg", help: "Polar straps whose ECG is recorded, by name or address, or all. About 10 MB an hour."
  ).onPage
  static let sensorsPulseIntervals = SettingKey<[String]>.list(
    "sensors.pulseIntervals",
    help: "Polar optical sensors whose pulse-to-pulse intervals are recorded, by name or address, or all."
  ).onPage
  static let sleepHours = SettingKey<QuietHours?>.read(
    "sleep.hours", "a span of the day like 22:00-09:00",
    help:
      "The usual hours in bed. When a strap is worn then, a night begins by itself. Default: nights are started by hand."
  ) { QuietHours(text: $0) }.onPage
  static let sessionEndAfter = SettingKey<TimeSpan>.span(
    "session.endAfter", default: TimeSpan(seconds: 600),
    help: "A session ends when its strap has sent nothing for this long."
  ).onPage
  static let sessionHrv = SettingKey<HRVKind>.choice(
    "session.hrv", default: .sdnn, help: "The HRV metric that stress levels are computed from."
  ).onPage
  static let storageCommit = SettingKey<TimeSpan>.span(
    "storage.commit", 1...300, default: TimeSpan(seconds: StationConfiguration.Storage.usualSeconds),
    formerPath: "session.commitInterval",
    help: """
      The longest time between two commits. A power cut loses no more than this. Longer intervals wear SD cards less. Beats, HRV \
      and stress are stored once a minute, and when the page or another command reads them.
      """)
  static let retentionSessions = SettingKey<TimeSpan?>.spanOrForever(
    "retention.sessions", help: "How long sessions are kept. Hourly and daily trends are kept longer."
  ).onPage
  static let retentionWindows = SettingKey<TimeSpan?>.spanOrForever(
    "retention.windows", help: "How long HRV windows are kept."
  ).onPage
  static let retentionTrends = SettingKey<TimeSpan?>.spanOrForever(
    "retention.trends", help: "How long hourly and daily trends are kept."
  ).onPage
  static let retentionRaw = SettingKey<TimeSpan?>.spanOrForever(
    "retention.raw", default: TimeSpan(seconds: 14 * 86_400),
    help:
      "How long accelerometer and ECG are kept as they were received. Movement and stages are kept with the session."
  ).onPage
  static let snapshotsEvery = SettingKey<TimeSpan>.span(
    "snapshots.every", default: TimeSpan(seconds: 86_400),
    help: "The interval between verified snapshots of the database. Nothing is written while nothing has changed.")
  static let snapshotsMegabytesPerDay = SettingKey<Int>.integer(
    "snapshots.megabytesPerDay", 1...1_000_000, default: 500,
    help: "How much snapshots may write in a day. The interval grows with the database.")
  static let snapshotsKeep = SettingKey<Int>.integer(
    "snapshots.keep", 0...1000, default: 6, help: "How many snapshots are kept; 0 disables snapshots.")
  static let snapshotsFolder = SettingKey<String?>.text(
    "snapshots.folder", help: "The folder of the snapshots. Default: snapshots beside the database.")
  static let diskLowMegabytes = SettingKey<Int>.integer(
    "disk.lowMegabytes", 1...1_000_000, default: 200,
    help: "Below this, only raw notifications are stored; derivation and snapshots pause and an alert is raised.")
  static let syncDaily = SettingKey<Bool>.flag(
    "sync.daily", default: false,
    help: """
      Whether this station synchronises with others once a day only, in chunks of 64 KiB: the store learns less about when and how \
      much is recorded. `tachogram sync now` synchronises at once.
      """)
  static let mqttHost = SettingKey<String?>.text(
    "mqtt.host", help: "The host of an MQTT broker that live values are sent to. Default: none.")
  static let mqttPort = SettingKey<Int?>.read(
    "mqtt.port", "a whole number from 1 to 65535", help: "The port of the broker. Default: 1883, or 8883 with TLS."
  ) { Int($0).flatMap { (1...65_535).contains($0) ? $0 : nil } }
  static let mqttTls = SettingKey<Bool>.flag(
    "mqtt.tls", default: false, help: "Whether the connection to the broker is encrypted.")
  static let mqttAuthorities = SettingKey<String?>.text(
    "mqtt.authorities",
    help: "A PEM file with the certificates that are trusted in place of the machine's. Enables mqtt.tls.")
  static let mqttUser = SettingKey<String?>.text("mqtt.user", help: "The user name for the broker.")
  static let mqttPasswordFile = SettingKey<String?>.text(
    "mqtt.passwordFile",
    help: "A file with the password for the broker. Default: the systemd credential mqtt-password, if there is one.")
  static let mqttStation = SettingKey<String?>.text(
    "mqtt.station", help: "The name of this station in topics and in Home Assistant. Default: the name of the host.")
  static let mqttInterval = SettingKey<TimeSpan>.span(
    "mqtt.interval", default: TimeSpan(seconds: 10), help: "The least time between two messages with values of a strap."
  )
  static let mqttBeats = SettingKey<Bool>.flag(
    "mqtt.beats", default: false, help: "Whether each beat is sent as a message of its own.")
  static let mqttCommands = SettingKey<Bool>.flag(
    "mqtt.commands", default: false,
    help: "Whether Home Assistant, and whoever may write to the broker, can start and stop the recording of a strap.")
  static let mqttHomeAssistant = SettingKey<String>.text(
    "mqtt.homeAssistant", default: "homeassistant",
    help: "The discovery prefix of Home Assistant, or off: then straps are not announced.")
  static let influxUrl = SettingKey<String?>.webAddress(
    "influx.url",
    help: """
      A URL that beats and values are posted to in the Influx line protocol, with times in nanoseconds, such as \
      http://localhost:8086/api/v2/write?org=home&bucket=heart. Default: none.
      """)
  static let influxTokenFile = SettingKey<String?>.text(
    "influx.tokenFile",
    help: "A file with the token for influx.url. Default: the systemd credential influx-token, if there is one.")
  static let influxFile = SettingKey<String?>.text(
    "influx.file", help: "A file that beats and values are appended to in the Influx line protocol. Default: none.")
  static let alertsStressMinutes = SettingKey<Int>.integer(
    "alerts.stressMinutes", 0...1440, default: 10, help: "Alert after this many minutes of high stress; 0 disables."
  ).onPage
  static let alertsBatteryPercent = SettingKey<Int>.integer(
    "alerts.batteryPercent", 0...100, default: 15,
    help: "Alert when a battery falls below this percentage; 0 disables."
  ).onPage
  static let alertsSilenceMinutes = SettingKey<Int>.integer(
    "alerts.silenceMinutes", 0...1440, default: 0,
    help: "Alert when a worn strap has sent nothing for this many minutes; 0 disables."
  ).onPage
  static let alertsQuietHours = SettingKey<QuietHours?>.read(
    "alerts.quietHours", "a span of the day like 22:00-07:00",
    help:
      "The hours in which alerts are shown on the page only. Those that still hold are sent when the hours are over."
  ) { QuietHours(text: $0) }.onPage
  static let alertsMorningReading = SettingKey<ClockTime?>.read(
    "alerts.morningReading", "a time of the day like 07:30",
    help: "For six hours from this time, an alert reminds of a morning reading that was not taken."
  ) { ClockTime(text: $0) }.onPage
  static let alertsHook = SettingKey<String?>.text(
    "alerts.hook", help: "A program to run for each alert. It receives the alert as a JSON object on standard input.")
  static let alertsWebhook = SettingKey<String?>.webAddress(
    "alerts.webhook",
    help: "A URL that each alert is posted to as a JSON object, with retries for a quarter of an hour.")
  static let alertsDesktop = SettingKey<Bool>.flag(
    "alerts.desktop", default: false,
    help: "Whether alerts are shown on the desktop of the user that the station runs as.")
}

extension Setting {
  /// All keys, in the order in which they are shown.
  package static let all: [Setting] = [
    SettingKeys.database.setting,
    SettingKeys.timeZone.setting,
    SettingKeys.logLevel.setting,
    SettingKeys.httpHost.setting,
    SettingKeys.httpPort.setting,
    SettingKeys.httpNames.setting,
    SettingKeys.httpCertificate.setting,
    SettingKeys.httpKey.setting,
    SettingKeys.httpFrameOrigins.setting,
    SettingKeys.httpHeartMetrics.setting,
    SettingKeys.radioStraps.setting,
    SettingKeys.radioAdapter.setting,
    SettingKeys.radioBus.setting,
    SettingKeys.radioBroadcasts.setting,
    SettingKeys.radioPasskey.setting,
    SettingKeys.sensorsAccelerometer.setting,
    SettingKeys.sensorsEcg.setting,
    SettingKeys.sensorsPulseIntervals.setting,
    SettingKeys.sleepHours.setting,
    SettingKeys.sessionEndAfter.setting,
    SettingKeys.sessionHrv.setting,
    SettingKeys.storageCommit.setting,
    SettingKeys.retentionSessions.setting,
    SettingKeys.retentionWindows.setting,
    SettingKeys.retentionTrends.setting,
    SettingKeys.retentionRaw.setting,
    SettingKeys.snapshotsEvery.setting,
    SettingKeys.snapshotsMegabytesPerDay.setting,
    SettingKeys.snapshotsKeep.setting,
    SettingKeys.snapshotsFolder.setting,
    SettingKeys.diskLowMegabytes.setting,
    SettingKeys.syncDaily.setting,
    SettingKeys.mqttHost.setting,
    SettingKeys.mqttPort.setting,
    SettingKeys.mqttTls.setting,
    SettingKeys.mqttAuthorities.setting,
    SettingKeys.mqttUser.setting,
    SettingKeys.mqttPasswordFile.setting,
    SettingKeys.mqttStation.setting,
    SettingKeys.mqttInterval.setting,
    SettingKeys.mqttBeats.setting,
    SettingKeys.mqttCommands.setting,
    SettingKeys.mqttHomeAssistant.setting,
    SettingKeys.influxUrl.setting,
    SettingKeys.influxTokenFile.setting,
    SettingKeys.influxFile.setting,
    SettingKeys.alertsStressMinutes.setting,
    SettingKeys.alertsBatteryPercent.setting,
    SettingKeys.alertsSilenceMinutes.setting,
    SettingKeys.alertsQuietHours.setting,
    SettingKeys.alertsMorningReading.setting,
    SettingKeys.alertsHook.setting,
    SettingKeys.alertsWebhook.setting,
    SettingKeys.alertsDesktop.setting,
  ]
}
