import FoundationEssentials

/// A stored stress level, with the fields that the StressMonitor apps synchronise.
public struct StressMeasurement: Hashable, Sendable, Identifiable {
  /// The identifier, which is the same on every device.
  public var id: UUID
  /// The end of the window that the level was computed from.
  public var timestamp: Date
  /// 0 … 100.
  public var stressLevel: Double
  /// The band of the level.
  public var category: StressCategory
  /// 0 … 1.
  public var confidence: Double
  /// HRV of the window, in ms.
  public var hrv: Double
  /// Which metric `hrv` is.
  public var kind: HRVKind
  /// Mean heart rate of the window, in bpm.
  public var heartRate: Double
  /// The resting heart rate that the level was computed against, in bpm.
  public var restingHeartRate: Double
  /// The person the measurement belongs to; `nil` if no person was named.
  public var person: String?
  /// The session the measurement was derived from; `nil` if it has another source.
  public var sessionID: String?
  /// The device that created the measurement.
  public var deviceID: String
  /// Whether this version has been uploaded to the other devices.
  public var isSynced: Bool
  /// When this record last changed.
  public var modified: Date
  /// Whether this is a tombstone, which is kept to synchronise the deletion, and excluded from every fetch.
  public var isDeleted: Bool

  /// Creates a measurement with all its fields, as a repository returns it.
  public init(
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

  /// Creates a new measurement, as the apps create it from a `StressResult`. The heart rate defaults to the resting heart rate.
  public init(
    timestamp: Date, stressLevel: Double, hrv: Double, restingHeartRate: Double, heartRate: Double? = nil,
    confidence: Double = 1, kind: HRVKind = .sdnn, deviceID: String = "",
  ) {
    self.init(
      id: UUID(), timestamp: timestamp, stressLevel: stressLevel, category: StressCategory(level: stressLevel),
      confidence: confidence, hrv: hrv, kind: kind, heartRate: heartRate ?? restingHeartRate,
      restingHeartRate: restingHeartRate, deviceID: deviceID, modified: timestamp)
  }
}
