import FoundationEssentials
import Stress
import StressKit
import TachogramCore

/// A stress level in exports, with all data needed to store it again. HRV in ms, heart rates in bpm.
package struct StressRow: Codable {
  let id: UUID
  let time: String
  let timeUs: Int64
  let level: Double
  let category: StressCategory
  let confidence: Double
  let hrv: Double
  let kind: HRVKind
  let heartRate: Double
  let restingHeartRate: Double
  let deviceID: String
  let modifiedUs: Int64
  let synced: Bool

  init(_ stress: StressMeasurement) {
    id = stress.id
    time = Timestamp.text(stress.timestamp)
    timeUs = WallTime(stress.timestamp).microseconds
    level = stress.stressLevel
    category = stress.category
    confidence = stress.confidence
    hrv = stress.hrv
    kind = stress.kind
    heartRate = stress.heartRate
    restingHeartRate = stress.restingHeartRate
    deviceID = stress.deviceID
    modifiedUs = WallTime(stress.modified).microseconds
    synced = stress.isSynced
  }

  /// The key of a value that is invalid in a level, or `nil` if the level can be stored.
  var wrongKey: String? {
    let values: [(key: String, isRight: Bool)] = [
      ("timeUs", timeUs.magnitude < SessionArchive.latest),
      ("modifiedUs", modifiedUs.magnitude < SessionArchive.latest),
      ("level", (0...100).contains(level)), ("confidence", (0...1).contains(confidence)),
      ("hrv", hrv >= 0 && hrv.isFinite), ("heartRate", heartRate > 0 && heartRate.isFinite),
      ("restingHeartRate", restingHeartRate > 0 && restingHeartRate.isFinite),
      ("deviceID", deviceID.isEmpty || ChosenName.isName(deviceID)),
    ]
    return values.first { !$0.isRight }?.key
  }

  /// The baseline HRV from which the level was computed, in ms, or `nil` if no value results in the level.
  var impliedBaseline: ClosedRange<Double>? {
    ImpliedBaseline.baselineHRV(
      level: level, hrv: hrv, heartRate: heartRate, restingHeartRate: restingHeartRate)
  }

  /// Returns the level as a measurement of a person and a session.
  func measurement(person: String?, session: String?) -> StressMeasurement {
    StressMeasurement(
      id: id, timestamp: WallTime(microseconds: timeUs).date, stressLevel: level, category: category,
      confidence: confidence, hrv: hrv, kind: kind, heartRate: heartRate, restingHeartRate: restingHeartRate,
      person: person, sessionID: session, deviceID: deviceID, isSynced: synced,
      modified: WallTime(microseconds: modifiedUs).date)
  }
}
