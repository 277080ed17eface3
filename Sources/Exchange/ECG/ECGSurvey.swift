import CommandProcess
import TachogramCore

/// What the electrocardiogram of a session consists of, as its first reading finds it. Samples are not kept.
struct ECGSurvey {
  private(set) var stretches: [ECGStretch] = []
  /// The greatest magnitude of a sample in µV.
  private(set) var largest: UInt32 = 0
  private(set) var unusableCount = 0

  /// Reads the sensor entries of a session once. Throws errors of the database.
  init(of session: StoredSession) throws {
    var decoder = ECGDecoder()
    try session.forEachSensorEntry { entry in
      guard let frame = decoder.ingest(entry) else { return }
      if frame.isContinuation, !stretches.isEmpty {
        stretches[stretches.count - 1].add(frame)
      } else {
        stretches.append(ECGStretch(frame))
      }
      largest = max(largest, frame.microvolts.lazy.map(\.magnitude).max() ?? 0)
    }
    unusableCount = decoder.unusableCount
  }

  /// Returns whether a session has a frame of an electrocardiogram. Reads up to the first one.
  static func hasFrame(_ session: StoredSession) throws -> Bool {
    struct Found: Error {}
    var decoder = ECGDecoder()
    do {
      try session.forEachSensorEntry { if decoder.ingest($0) != nil { throw Found() } }
      return false
    } catch is Found {
      return true
    }
  }

  /// Reads the sensor entries again, and calls `body` with each frame, its stretch, and the position of its first sample in the
  /// stretch.
  func forEachFrame(of session: StoredSession, _ body: (ECGFrame, ECGStretch, Int) throws -> Void) throws {
    var decoder = ECGDecoder()
    var (place, offset) = (-1, 0)
    try session.forEachSensorEntry { entry in
      guard let frame = decoder.ingest(entry) else { return }
      if !frame.isContinuation || place < 0 { (place, offset) = (place + 1, 0) }
      // Entries may have been added since they were surveyed.
      guard stretches.indices.contains(place), offset + frame.times.count <= stretches[place].sampleCount else {
        return
      }
      try body(frame, stretches[place], offset)
      offset += frame.times.count
    }
  }
}
