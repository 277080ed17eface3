/// What an outlet receives at once: all that happened since its last delivery, as far as it is kept.
package struct OutletDelivery: Sendable {
  /// The last reading of each strap that changed, in the order of the straps.
  package var readings: [OutletReading] = []
  /// The straps that were forgotten, by their last reading.
  package var forgotten: [OutletReading] = []
  /// The beats, in the order of their arrival.
  package var beats: [OutletBeat] = []
  /// The number of beats that are missing before these, because the outlet was too slow.
  package var droppedBeats = 0

  package init() {}

  package var isEmpty: Bool { readings.isEmpty && forgotten.isEmpty && beats.isEmpty && droppedBeats == 0 }
}
