import Dashboard
import Synchronization
import TachogramCore

/// What the parts of the station know of each other.
@dynamicMemberLookup
final class StationState: Sendable {
  /// What changes while it runs.
  struct Values: Sendable {
    /// What holds now; changes when the configuration is read again.
    var configuration: StationConfiguration
    var alerts: [AlertRules.Alert] = []
    var lastSnapshot: WallTime?
    /// What is wrong with the database, and what to do; `nil` when nothing was found.
    var damage: String?
    /// Why there is no new copy.
    var snapshotProblem: String?
    /// Whether copies of the database hold what was deleted.
    var hasStaleCopies = false
    var isDiskLow = false
    /// Why what is heard cannot be stored; `nil` when it can.
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

  subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
    get { values.withLock { $0[keyPath: path] } }
    set { values.withLock { $0[keyPath: path] = newValue } }
  }
}
