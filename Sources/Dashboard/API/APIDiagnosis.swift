extension API {
  /// What helps to find a fault of a station, and nothing about a person: no names, addresses, values of the configuration or
  /// heart data. Each field is named here; nothing else is added.
  package struct Diagnosis: Encodable, Sendable {
    package struct Machine: Encodable, Sendable {
      package var system: String?
      package var kernel: String
      package var architecture: String
      package var processors: Int
      package var memoryMegabytes: Int?
      package var uptimeSeconds: Int

      package init(
        system: String?, kernel: String, architecture: String, processors: Int, memoryMegabytes: Int?,
        uptimeSeconds: Int,
      ) {
        self.system = system
        self.kernel = kernel
        self.architecture = architecture
        self.processors = processors
        self.memoryMegabytes = memoryMegabytes
        self.uptimeSeconds = uptimeSeconds
      }
    }

    package struct Database: Encodable, Sendable {
      package var schema: Int
      package var megabytes: Int
      package var freeMegabytes: Int?
      package var sessions: Int
      package var pendingDerivations: Int
      package var snapshots: Int
      /// The age of the newest snapshot, or `nil` if there is none.
      package var snapshotAgeSeconds: Int?
      package var isDamaged: Bool
      package var isDiskLow: Bool

      package init(
        schema: Int, megabytes: Int, freeMegabytes: Int?, sessions: Int, pendingDerivations: Int, snapshots: Int,
        snapshotAgeSeconds: Int?, isDamaged: Bool, isDiskLow: Bool,
      ) {
        self.schema = schema
        self.megabytes = megabytes
        self.freeMegabytes = freeMegabytes
        self.sessions = sessions
        self.pendingDerivations = pendingDerivations
        self.snapshots = snapshots
        self.snapshotAgeSeconds = snapshotAgeSeconds
        self.isDamaged = isDamaged
        self.isDiskLow = isDiskLow
      }
    }

    package struct Strap: Encodable, Sendable {
      package var strap: Int
      /// The phase of its link, as in a reading.
      package var link: String
      package var isCurrent: Bool
      package var notifications: Int
      package var gaps: Int
      package var batteryPercent: UInt8?
      package var signalDBm: Int8?

      package init(_ reading: Reading) {
        strap = reading.strap
        link = reading.link.phase
        isCurrent = reading.isCurrent
        notifications = reading.notifications
        gaps = reading.gaps
        batteryPercent = reading.batteryPercent
        signalDBm = reading.signalDBm
      }
    }

    package struct Check: Encodable, Sendable {
      package var id: String
      package var severity: String

      package init(id: String, severity: String) {
        self.id = id
        self.severity = severity
      }
    }

    package var format = 1
    package var version: String
    package var runningSeconds: Int
    package var source: String
    package var isRecording: Bool
    package var isStorageFailing: Bool
    /// The kinds of alerts.
    package var alerts: [String]
    package var machine: Machine
    package var database: Database
    /// The keys of the configuration that are set, without their values.
    package var configured: [String]
    package var straps: [Strap]
    package var checks: [Check]

    package init(
      version: String, runningSeconds: Int, source: String, isRecording: Bool, isStorageFailing: Bool,
      alerts: [String], machine: Machine, database: Database, configured: [String], straps: [Strap], checks: [Check],
    ) {
      self.version = version
      self.runningSeconds = runningSeconds
      self.source = source
      self.isRecording = isRecording
      self.isStorageFailing = isStorageFailing
      self.alerts = alerts
      self.machine = machine
      self.database = database
      self.configured = configured
      self.straps = straps
      self.checks = checks
    }
  }
}
