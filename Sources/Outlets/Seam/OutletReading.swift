import TachogramCore

/// The state of a strap at one instant, for other systems.
package struct OutletReading: Hashable, Sendable {
  /// The number of the strap in this run of the station.
  package var strap: Int
  /// The address of the strap, or `nil` for a capture without one. Outlets derive identifiers from it and never send it.
  package var address: String?
  /// The name that people gave the strap, or the one that it sends.
  package var name: String
  package var person: String?
  package var time: WallTime
  /// Whether the values are current: the link is live, and the last notification is less than five seconds old.
  package var isCurrent: Bool
  /// Whether the heart rate was received from advertisements, without a connection. There are no beats then.
  package var isAverage = false
  /// In bpm, as averaged by the strap.
  package var heartRate: Int?
  /// Of the last minute, in ms.
  package var rmssd: Double?
  /// Of the last minute, in ms.
  package var sdnn: Double?
  package var stress: OutletStress?
  /// In percent.
  package var battery: Int?
  /// Whether the strap touches the skin; `nil` where it does not report this.
  package var contact: Bool?
  /// Received signal strength, in dBm.
  package var signal: Int?
  /// The label of the session that is recorded, or when it began, or `nil` if none is recorded.
  package var session: String?
  /// The stage of the night that is recorded, or `nil` where none is known.
  package var sleepStage: SleepStage?

  /// A name that is an address does not leave the station: another one stands for it.
  package init(strap: Int, name: String, time: WallTime, isCurrent: Bool) {
    self.name = ChosenName.forOthers(name, strap: strap)
    (self.strap, self.time, self.isCurrent) = (strap, time, isCurrent)
  }
}
