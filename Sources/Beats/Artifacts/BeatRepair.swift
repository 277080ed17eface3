import TachogramCore

/// Corrects the beats of a run, as Lipponen & Tarvainen 2019 (section 2.3) say: a missed beat is put in the middle of its
/// interval, an extra one is taken out, and one that is out of place, ectopic or long or short, is moved to where linear
/// interpolation between its neighbours has it. Where several in a row are out of place, they are spread evenly between
/// the sound beats at both ends of them.
enum BeatRepair {
  /// A beat, by the raw interval that it ends or, for an added one, lies in.
  private struct Beat {
    var time: Double
    /// When that interval ended, in ms from the begin of the run.
    let rawTime: Double
    /// Place of that interval; −1 for the beat that begins the run.
    let source: Int
    /// What was wrong with it; `.missed` for an added one.
    let mark: BeatClass

    var isMisplaced: Bool { mark == .ectopic || mark == .longShort }
  }

  /// The intervals between the corrected beats. An interval that the correction changed is of the class of what was
  /// corrected at its end, or else at its begin.
  static func mended(_ intervals: [Double], _ classes: [BeatClass]) -> [MendedInterval] {
    var beats = beats(intervals, classes)
    moveMisplaced(&beats)
    return zip(beats, beats.dropFirst()).map { first, second in
      let isJoined = second.source - first.source > 1
      let changes = [second.mark, first.mark, isJoined ? .extra : .normal]
      let beatClass = changes.first { $0 != .normal } ?? .normal
      return MendedInterval(
        milliseconds: beatClass == .normal ? intervals[second.source] : second.time - first.time,
        beatClass: beatClass, source: second.source, shift: second.time - second.rawTime)
    }
  }

  /// The beats without the extra ones and with the missed ones.
  private static func beats(_ intervals: [Double], _ classes: [BeatClass]) -> [Beat] {
    var beats = [Beat(time: 0, rawTime: 0, source: -1, mark: .normal)]
    beats.reserveCapacity(intervals.count + 1)
    var (time, last) = (0.0, 0.0)
    for (source, interval) in intervals.enumerated() {
      time += interval
      let beatClass = classes[source]
      if beatClass == .extra { continue }
      if beatClass == .missed {
        beats.append(Beat(time: (last + time) / 2, rawTime: time, source: source, mark: .missed))
      }
      beats.append(Beat(time: time, rawTime: time, source: source, mark: beatClass == .missed ? .normal : beatClass))
      last = time
    }
    return beats
  }

  /// Spreads each row of misplaced beats evenly. The rule judges neither end of a run: there is a sound beat on each side.
  private static func moveMisplaced(_ beats: inout [Beat]) {
    var next = 0
    while let first = beats[next...].firstIndex(where: \.isMisplaced),
      let end = beats[first...].firstIndex(where: { !$0.isMisplaced })
    {
      let (left, right) = (beats[first - 1].time, beats[end].time)
      for place in first..<end {
        beats[place].time = left + (right - left) * Double(place - first + 1) / Double(end - first + 1)
      }
      next = end
    }
  }
}
