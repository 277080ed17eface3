import Dashboard
import Repository
import Statistics
import TachogramCore

/// The beats of a stored session in the form for plots.
struct SessionSeries {
  /// The maximum number of pairs in a Poincaré plot.
  private static let mostPairs = 3000

  let record: SessionRecord
  let repository: SessionRepository

  private var session: SessionDescription { record.description }
  private var origin: MonotonicTime { session.monotonicStart }

  /// Returns about `points` beats, with all gaps and artifacts.
  func beats(points: Int) throws -> API.Beats {
    let artifacts = Dictionary(
      try repository.artifacts(of: session.id).map { ($0.beat, $0.beatClass) }, uniquingKeysWith: { first, _ in first })
    var body = API.Beats(start: session.start, origin: origin, gaps: try repository.gaps(of: session.id))
    body.total = Int(record.beatCount)
    var thinning = BeatThinning(total: record.beatCount, points: points) { artifacts[$0] != nil }
    let keep = { (beat: Beat) in
      body.append(beat, origin: origin)
      if let beatClass = artifacts[beat.sequence] { body.append(beatClass, of: beat, origin: origin) }
    }
    try repository.forEachBeat(of: session.id, batchSize: 8192) { beats in
      for beat in beats { thinning.append(beat, keep) }
    }
    thinning.finish(keep)
    return body
  }

  /// Returns consecutive intervals without doubtful ones, and their spread along and across the diagonal.
  func poincare() throws -> API.Poincare {
    var body = API.Poincare()
    let breaks = try repository.gaps(of: session.id)
    let artifacts = Set(try repository.artifacts(of: session.id).map(\.beat))
    let every = max(1, (Int(record.beatCount) + Self.mostPairs - 1) / Self.mostPairs)
    var (rest, previous) = (breaks[...], nil as Double?)
    var (across, along) = ([Double](), [Double]())
    try repository.forEachBeat(of: session.id, batchSize: 8192) { beats in
      for beat in beats {
        while let gap = rest.first, gap.start < beat.time {
          previous = nil
          rest = rest.dropFirst()
        }
        guard beat.marks.isEmpty, !artifacts.contains(beat.sequence) else {
          previous = nil
          continue
        }
        let value = beat.rr.milliseconds
        if let previous {
          across.append((previous - value) / 2.squareRoot())
          along.append((previous + value) / 2.squareRoot())
          if body.total.isMultiple(of: every) { body.append(previous, value) }
          body.total += 1
        }
        previous = value
      }
    }
    body.sd1 = SampleMoments(across)?.deviation
    body.sd2 = SampleMoments(along)?.deviation
    return body
  }
}
