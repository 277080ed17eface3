import Dashboard
import Station
import Synchronization
import TachogramCore

/// What the parts of the station know of each other.
final class StationState: Sendable {
  private struct Values {
    var configuration: StationConfiguration
    var alerts: [AlertRules.Alert] = []
    var lastSnapshot: WallTime?
    var snapshotProblem: String?
    var hasStaleCopies = false
    var isDiskLow = false
    var storageProblem: String?
    var isRecording = false
  }

  private let values: Mutex<Values>
  let version: String
  let started: WallTime
  /// Whether a capture stands for the radio.
  let isReplay: Bool

  init(_ configuration: StationConfiguration, version: String, started: WallTime, isReplay: Bool) {
    values = Mutex(Values(configuration: configuration))
    self.version = version
    self.started = started
    self.isReplay = isReplay
  }

  /// What holds now; changes when the configuration is read again.
  var configuration: StationConfiguration {
    get { values.withLock { $0.configuration } }
    set { values.withLock { $0.configuration = newValue } }
  }

  var alerts: [AlertRules.Alert] {
    get { values.withLock { $0.alerts } }
    set { values.withLock { $0.alerts = newValue } }
  }

  var lastSnapshot: WallTime? {
    get { values.withLock { $0.lastSnapshot } }
    set { values.withLock { $0.lastSnapshot = newValue } }
  }

  /// What was wrong with the last copy.
  var snapshotProblem: String? {
    get { values.withLock { $0.snapshotProblem } }
    set { values.withLock { $0.snapshotProblem = newValue } }
  }

  /// Whether copies of the database hold what was deleted.
  var hasStaleCopies: Bool {
    get { values.withLock { $0.hasStaleCopies } }
    set { values.withLock { $0.hasStaleCopies = newValue } }
  }

  var isDiskLow: Bool {
    get { values.withLock { $0.isDiskLow } }
    set { values.withLock { $0.isDiskLow = newValue } }
  }

  /// Why what is heard cannot be stored; `nil` when it can.
  var storageProblem: String? {
    get { values.withLock { $0.storageProblem } }
    set { values.withLock { $0.storageProblem = newValue } }
  }

  var isRecording: Bool {
    get { values.withLock { $0.isRecording } }
    set { values.withLock { $0.isRecording = newValue } }
  }
}
