import TachogramCore

/// Corrects the beats of a run according to Lipponen & Tarvainen 2019 (section 2.3). A missed beat is added in the middle of
/// its interval, an extra one is removed, and a misplaced one (ectopic, long or short) is moved to the position given by linear
/// interpolation between its neighbours. Several misplaced beats in a row are spread evenly between the normal beats at both
/// ends.
enum BeatRepair {
  /// A beat, identified by the raw interval that it ends or, if added, lies in.
  private struct Beat {
    var time: Double
    /// The end of that interval, in ms from the beginning of the run.
    let rawTime: Double
    /// The index of that interval, or −1 for the beat that begins the run.
    let source: Int
    /// The class of the beat; `.missed` for an added one.
    let mark: BeatClass

    var isMisplaced: Bool { mark == .ectopic || mark == .longShort }
  }

  /// Returns the intervals between the corrected beats. The class of a changed interval is that of the beat corrected at its
  /// end, or else at its beginning.
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

  /// Returns the beats without the extra ones and with the missed ones.
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

  /// Spreads each row of misplaced beats evenly. There is a normal beat on each side, because the rule does not classify the
  /// ends of a run.
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
