import TachogramCore

extension API {
  /// Beats in columns, thinned out for a plot.
  package struct Beats: Encodable, Sendable {
    package struct Gap: Encodable, Sendable {
      package var start: Double
      package var end: Double
      package var reason: String
    }

    package struct Artifact: Encodable, Sendable {
      package var seconds: Double
      package var rr: Double
      package var `class`: String
    }

    package var start: String
    package var seconds: [Double] = []
    package var rr: [Double] = []
    package var marked: [Bool] = []
    package var gaps: [Gap] = []
    package var artifacts: [Artifact] = []
    package var total = 0

    /// Creates the beats of a session that began at `start` on the wall clock and at `origin` on its monotonic time axis.
    package init(start: WallTime, origin: MonotonicTime, gaps: [BeatGap]) {
      self.start = Timestamp.text(start)
      self.gaps = gaps.map { gap in
        Gap(
          start: Self.seconds(gap.start, origin), end: Self.seconds(gap.end, origin), reason: gap.reason.rawValue)
      }
    }

    private static func seconds(_ time: MonotonicTime, _ origin: MonotonicTime) -> Double {
      API.rounded(time.seconds(since: origin)) ?? 0
    }

    package mutating func append(_ beat: Beat, origin: MonotonicTime) {
      seconds.append(Self.seconds(beat.time, origin))
      rr.append(API.rounded(beat.rr.milliseconds) ?? 0)
      marked.append(!beat.marks.isEmpty)
    }

    package mutating func append(_ beatClass: BeatClass, of beat: Beat, origin: MonotonicTime) {
      artifacts.append(
        Artifact(
          seconds: Self.seconds(beat.time, origin), rr: API.rounded(beat.rr.milliseconds) ?? 0,
          class: beatClass.rawValue))
    }
  }

  /// Pairs of neighbouring intervals.
  package struct Poincare: Encodable, Sendable {
    package var x: [Double] = []
    package var y: [Double] = []
    package var total = 0
    package var sd1: Double?
    package var sd2: Double?

    package init() {}

    /// Appends a pair, in ms.
    package mutating func append(_ first: Double, _ second: Double) {
      x.append(API.rounded(first) ?? 0)
      y.append(API.rounded(second) ?? 0)
    }
  }
}
