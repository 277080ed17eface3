import FoundationEssentials

/// A stored stress level, with the fields that the StressMonitor apps synchronise.
package struct StressMeasurement: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var timestamp: Date
  /// 0 … 100.
  package var stressLevel: Double
  package var category: StressCategory
  /// 0 … 1.
  package var confidence: Double
  /// HRV of the window, in ms.
  package var hrv: Double
  /// Which metric `hrv` is.
  package var kind: HRVKind
  /// Mean heart rate of the window, in bpm.
  package var heartRate: Double
  /// The resting heart rate that the level was computed against, in bpm.
  package var restingHeartRate: Double
  /// The person it belongs to; `nil` when nobody was named.
  package var person: String?
  /// The session it was derived from; `nil` for one that came from elsewhere.
  package var sessionID: String?
  /// The device that made it.
  package var deviceID: String
  package var isSynced: Bool
  /// When this record last changed.
  package var modified: Date
  /// A tombstone: kept so that the deletion can be synchronised, and left out of every fetch.
  package var isDeleted: Bool

  /// The identifier of a level that derives from a session: a hash of the session and the time, in microseconds since 1970, so
  /// that deriving it again gives the same.
  package static func derivedID(session: String, microseconds: Int64) -> UUID {
    var hash = ContentHash()
    hash.add(session.utf8)
    hash.add(microseconds)
    let value = hash.uuidValue.bigEndian
    return withUnsafeBytes(of: value) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  package init(
    id: UUID, timestamp: Date, stressLevel: Double, category: StressCategory, confidence: Double, hrv: Double,
    kind: HRVKind = .sdnn, heartRate: Double, restingHeartRate: Double, person: String? = nil,
    sessionID: String? = nil, deviceID: String, isSynced: Bool = false, modified: Date, isDeleted: Bool = false,
  ) {
    self.id = id
    self.timestamp = timestamp
    self.stressLevel = stressLevel
    self.category = category
    self.confidence = confidence
    self.hrv = hrv
    self.kind = kind
    self.heartRate = heartRate
    self.restingHeartRate = restingHeartRate
    self.person = person
    self.sessionID = sessionID
    self.deviceID = deviceID
    self.isSynced = isSynced
    self.modified = modified
    self.isDeleted = isDeleted
  }
}
