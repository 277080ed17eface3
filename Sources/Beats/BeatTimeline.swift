import TachogramCore

/// Places beats on the monotonic axis: from notifications, which carry intervals but no times, to beats and gaps.
///
/// The strap measures intervals; the arrival of a notification only shows that its last beat is over. Beats therefore follow
/// each other by their intervals, and arrivals keep the chain aligned with the clock:
///
/// - A chain that runs ahead of the arrivals (the first notification was delivered late, or the strap's crystal is fast) is
///   moved back by at most half an interval per notification.
/// - A chain that falls behind slowly (the crystal is slow) follows the least delay of the last minute, at most 200
///   ppm.
/// - A chain that falls behind suddenly has either lost beats or is waiting for late ones. The notifications are held until
///   this is decided: late ones arrive in a burst and realign the chain with the clock; if notifications or beats are still
///   missing after 5 s, they were lost, and a gap of the missing time is inserted before the first held one. Notifications on
///   time are never held.
/// - A notification that claims more time than has passed (a stream received twice) is omitted, with a gap.
/// - An interval above 2 s, the longest of a human heart, has its stated length only if that much time has passed; otherwise it
///   lasts until the arrival. It never moves the chain ahead of the clock.
///
/// Decisions depend on arrivals and intervals alone, so live and replay agree. docs/adr/0005-late-or-lost.md explains the
/// reasons.
public struct BeatTimeline: Sendable {
  /// Time in sixteenths of a microsecond since the first arrival: a tick of 1/1024 s is exactly 15 625 of them.
  typealias Sixteenths = Int64

  private static let second: Sixteenths = 16_000_000
  /// The longest interval of a human heart, in ticks: 2 s.
  private static var longestBeat: UInt16 { IntervalRange.humanTicks.upperBound }
  /// The longest delay of a strap's delivery: 4 s, and a margin.
  private static let allowance: Sixteenths = 9 * second / 2
  /// By how much the delay of an optical sensor varies, which finds pulses in the waves of several seconds, as far as Polar
  /// documents it: less than the time of a lost frame.
  private static let opticalDelay: Sixteenths = 3 * second
  /// How long late notifications are waited for.
  private static let holdTime: Sixteenths = 5 * second
  /// The most notifications that are held.
  private static let holdLimit = 64
  /// The divisor for the assumed error of a crystal: 1/5000 (200 ppm).
  private static let driftDivisor: Sixteenths = 5000

  private var origin: MonotonicTime?
  private var latest: Sixteenths = 0
  private var run = BeatRun(end: 0, start: 0)
  private var isRunning = false
  private var held: [HeldNotification] = []
  private var currentLink: Int?
  private var lastArrival: Sixteenths?
  private var arrivals = 0
  private var rhythm = ArrivalRhythm()
  private var lastExcess: Sixteenths = 0
  /// The uncertainty of the position of beats after a loss. Later beats may be this much further behind, beyond half a second,
  /// without counting as another loss.
  private var doubt: Sixteenths = 0
  private var typicalRR: Sixteenths = 4 * second / 5
  private var nextBeat: Int64 = 0
  private var nextGap: Int64 = 0
  /// The end of the last beat, including those of earlier runs.
  private var lastEnd: Sixteenths?
  private var pendingGap: BeatGap.Reason?
  /// By how much the delay of the strap varies beyond that of the Heart Rate Service.
  private var delay: Sixteenths = 0
  /// The coverage of the session so far.
  public private(set) var coverage = BeatCoverage()
  /// The number of notifications whose intervals are omitted because they claim more time than has passed.
  public private(set) var overlapping = 0

  /// Creates an empty timeline.
  public init() {}

  /// Handles a well-formed notification, and passes the resulting beats and gaps to `output`.
  public mutating func notification(
    _ measurement: borrowing HeartRateMeasurement, ledgerSequence: Int64, link: Int, at time: MonotonicTime,
    into output: inout some BeatSink,
  ) {
    arrived(
      measurement.rrIntervals, withoutContact: measurement.contact == .notDetected ? .all : .none, ledgerSequence, link,
      at: time, into: &output)
  }

  /// Handles the intervals of a frame of an optical sensor, in place of those of notifications.
  public mutating func pulseIntervals(
    _ intervals: borrowing RRIntervals, doubtful: DoubtfulPositions, ledgerSequence: Int64, link: Int,
    at time: MonotonicTime, into output: inout some BeatSink,
  ) {
    delay = Self.opticalDelay
    arrived(intervals, withoutContact: doubtful, ledgerSequence, link, at: time, into: &output)
  }

  @inline(__always)
  private mutating func arrived(
    _ rrIntervals: borrowing RRIntervals, withoutContact: DoubtfulPositions, _ ledgerSequence: Int64, _ link: Int,
    at time: MonotonicTime, into output: inout some BeatSink,
  ) {
    let arrival = sixteenths(time)
    if currentLink != link {
      if currentLink != nil { endRun(.linkDown, into: &output) }
      currentLink = link
    }
    let interval = lastArrival.map { arrival - $0 }
    lastArrival = arrival
    arrivals += 1
    coverage.extend(to: arrival)
    if rrIntervals.count > 0 {
      let ticks = rrIntervals.ticks
      let claimed = Self.claimedTicks(of: rrIntervals, sum: ticks)
      consider(
        HeldNotification.Arrival(
          time: arrival, interval: interval, number: arrivals, ledgerSequence: ledgerSequence,
          withoutContact: withoutContact, duration: (ticks - claimed) * 15_625, claimed: claimed * 15_625),
        rrIntervals, into: &output)
    }
    if !held.isEmpty { decideIfDue(arrival, into: &output) }
    if let interval, held.isEmpty { rhythm.learn(interval) }
  }

  /// Handles an arrival without intervals for the chain of beats, as that of a notification that could not be decoded. It only
  /// advances the time.
  public mutating func elapsed(at time: MonotonicTime, into output: inout some BeatSink) {
    let arrival = sixteenths(time)
    coverage.extend(to: arrival)
    decideIfDue(arrival, into: &output)
  }

  /// Handles the end of a link. The next notification starts a new run, after a gap.
  public mutating func linkDown(at time: MonotonicTime, into output: inout some BeatSink) {
    coverage.extend(to: sixteenths(time))
    endRun(.linkDown, into: &output)
  }

  /// Handles that intervals come from another source from now on: notifications, or frames of an optical sensor. The next ones
  /// start a new run, after a gap if there were any.
  public mutating func sourceChanged(at time: MonotonicTime, into output: inout some BeatSink) {
    coverage.extend(to: sixteenths(time))
    endRun(.lost, into: &output)
    rhythm = ArrivalRhythm()
    delay = 0
  }

  /// Handles the source's report that notifications may have been lost while the link stays up. The next notification starts a
  /// new run, after a gap.
  public mutating func lost(at time: MonotonicTime, into output: inout some BeatSink) {
    coverage.extend(to: sixteenths(time))
    endRun(.lost, into: &output)
  }

  /// Ends the session, and decides on the held notifications.
  public mutating func finish(into output: inout some BeatSink) {
    while !held.isEmpty { decide(into: &output) }
  }

  // MARK: - Late or lost

  /// Emits a notification, or holds it. While one is held, all later ones are held too.
  private mutating func consider(
    _ arrival: HeldNotification.Arrival, _ rrIntervals: borrowing RRIntervals, into output: inout some BeatSink
  ) {
    if isRunning, held.isEmpty {
      let excess = arrival.excess(behind: run.end).excess
      let isAfterPause = arrival.interval.map(rhythm.isPause) ?? false
      if !(excess > farBehind || isAfterPause && excess > typicalRR / 2) {
        emit(arrival, rrIntervals, into: &output)
        return
      }
    } else if held.isEmpty {
      startRun(arrival, rrIntervals, into: &output)
      return
    }
    hold(HeldNotification(arrival: arrival, rrIntervals: copy rrIntervals), into: &output)
  }

  /// The delay that neither a beat in progress nor the uncertain position of beats after a loss can explain.
  private var farBehind: Sixteenths { typicalRR * 5 / 4 + Self.second / 2 + doubt + delay }

  private mutating func hold(_ notification: HeldNotification, into output: inout some BeatSink) {
    held.append(notification)
    let excess = leastExcess
    if excess < typicalRR / 2 || excess <= farBehind && !isNotificationMissing {
      // The notifications were late: the chain has caught up with the clock.
      let late = held
      held.removeAll(keepingCapacity: true)
      for notification in late { emit(notification.arrival, notification.rrIntervals, into: &output) }
    } else if held.count >= Self.holdLimit {
      decide(into: &output)
    }
  }

  /// Whether fewer notifications have arrived since the one before the held ones than expected from the strap's rhythm.
  private var isNotificationMissing: Bool {
    guard let first = held.first?.arrival, let last = lastArrival else { return false }
    return arrivals - first.number + 1 < rhythm.expected(in: last - first.time + (first.interval ?? 0))
  }

  /// The least delay of the chain behind the clock among the held notifications.
  private var leastExcess: Sixteenths {
    var end = isRunning ? run.end : 0
    var least = Sixteenths.max
    for notification in held {
      let (excess, granted) = notification.arrival.excess(behind: end)
      end += notification.arrival.duration + granted
      least = min(least, excess)
    }
    return least
  }

  private mutating func decideIfDue(_ arrival: Sixteenths, into output: inout some BeatSink) {
    while let first = held.first, arrival - first.arrival.time >= Self.holdTime { decide(into: &output) }
  }

  /// Decides that beats were lost before the held notifications, or that none were, by the least excess; then looks
  /// at the rest of them again, since more may have been lost among them.
  private mutating func decide(into output: inout some BeatSink) {
    let excess = leastExcess
    let isLost = excess >= typicalRR / 2 && (excess > farBehind || isNotificationMissing)
    var rest = held
    held.removeAll(keepingCapacity: true)
    guard !rest.isEmpty else { return }
    let first = rest.removeFirst()
    if isLost, isRunning {
      // The beats keep their previous position between notifications, as far as possible.
      let jump = first.arrival.excess(behind: run.end).excess - lastExcess
      let shift = min(excess, max(jump, typicalRR / 2))
      run.end += shift
      doubt = max(0, lastExcess - max(0, shift - jump) - Self.second / 2)
      pendingGap = .lost
    }
    emit(first.arrival, first.rrIntervals, into: &output)
    for notification in rest { consider(notification.arrival, notification.rrIntervals, into: &output) }
  }

  // MARK: - Runs

  private mutating func startRun(
    _ arrival: HeldNotification.Arrival, _ rrIntervals: borrowing RRIntervals, into output: inout some BeatSink
  ) {
    run = BeatRun(end: max(lastEnd ?? .min, arrival.time - arrival.duration), start: arrival.time)
    isRunning = true
    doubt = 0
    emit(arrival, rrIntervals, into: &output)
  }

  private mutating func endRun(_ reason: BeatGap.Reason, into output: inout some BeatSink) {
    finish(into: &output)
    if isRunning { pendingGap = reason }
    isRunning = false
    currentLink = nil
    lastArrival = nil
  }

  /// Appends the beats of a notification to the chain.
  private mutating func emit(
    _ arrival: HeldNotification.Arrival, _ rrIntervals: borrowing RRIntervals, into output: inout some BeatSink
  ) {
    guard isRunning else { return }
    var (excess, granted) = arrival.excess(behind: run.end)
    // The clock contradicts an interval above 2 s: the chain starts again at its arrival.
    if granted > 0, granted < arrival.claimed { run.anchor(at: arrival.time) }
    let elapsed = max(0, arrival.time - run.start)
    if run.shift + excess < -Self.allowance - elapsed / Self.driftDivisor {
      pendingGap = .overlap
      overlapping += 1
      return
    }
    let shift: Sixteenths
    if excess < 0 {
      let first = rrIntervals[0]
      shift = Self.isClaim(first) ? 0 : max(excess, -Self.duration(first) / 2)
    } else {
      shift = run.drift(arrival.duration / Self.driftDivisor)
    }
    run.end += shift
    run.shift += shift
    excess -= shift
    lastExcess = excess
    run.observe(excess: lastExcess, at: arrival.time)
    if let reason = pendingGap { appendGap(reason, to: run.end, arrival.ledgerSequence, &output) }
    if lastEnd == nil { coverage.extend(to: run.end) }
    var covered: Sixteenths = 0
    for position in 0..<rrIntervals.count {
      let rr = rrIntervals[position]
      if Self.isClaim(rr) {
        let length = min(granted, Self.duration(rr))
        granted -= length
        run.end += length
      } else {
        run.end += Self.duration(rr)
      }
      let beat = beat(rr, end: run.end, arrival, hasContact: !arrival.withoutContact.contains(position))
      covered += beat.marks.isOutOfRange ? 0 : Self.duration(rr)
      output.append(beat)
    }
    coverage.add(covered, to: run.end)
    lastEnd = run.end
  }

  @inline(__always)
  private mutating func beat(
    _ rr: RRInterval, end: Sixteenths, _ arrival: HeldNotification.Arrival, hasContact: Bool
  ) -> Beat {
    let marks = BeatMarks(rr, hasContact: hasContact)
    if !marks.isOutOfRange { typicalRR += (Self.duration(rr) - typicalRR) / 8 }
    let beat = Beat(
      sequence: nextBeat, time: instant(end), rr: rr, ledgerSequence: arrival.ledgerSequence, marks: marks)
    nextBeat += 1
    return beat
  }

  private mutating func appendGap(
    _ reason: BeatGap.Reason, to end: Sixteenths, _ ledgerSequence: Int64, _ output: inout some BeatSink,
  ) {
    pendingGap = nil
    guard let lastEnd else { return }
    output.append(
      BeatGap(
        sequence: nextGap, start: instant(lastEnd), end: instant(max(lastEnd, end)), reason: reason,
        ledgerSequence: ledgerSequence))
    nextGap += 1
  }

  // MARK: - Units

  private static func duration(_ rr: RRInterval) -> Sixteenths {
    Sixteenths(rr.ticks) * 15_625
  }

  /// Returns whether an interval has its stated length only if that much time has passed.
  @inline(__always)
  private static func isClaim(_ rr: RRInterval) -> Bool { rr.ticks > longestBeat }

  /// Returns the sum of such intervals of a notification, in ticks. `sum` is the sum of all its intervals.
  private static func claimedTicks(of rrIntervals: borrowing RRIntervals, sum: Int64) -> Int64 {
    if sum <= Int64(longestBeat) { return 0 }
    var claimed: Int64 = 0
    for position in 0..<rrIntervals.count where isClaim(rrIntervals[position]) {
      claimed += Int64(rrIntervals[position].ticks)
    }
    return claimed
  }

  private mutating func sixteenths(_ time: MonotonicTime) -> Sixteenths {
    let start = origin ?? time
    origin = start
    // No session lasts ten years: beyond them, time stands still instead of overflowing.
    let limit: Int64 = 10 * 366 * 86_400 * 1_000_000
    // A monotonic clock does not go back; if the source's does, time stands still.
    latest = max(latest, max(0, min(time.microseconds(since: start), limit)) * 16)
    return latest
  }

  private func instant(_ time: Sixteenths) -> MonotonicTime {
    (origin ?? MonotonicTime(microseconds: 0)).advanced(byMicroseconds: time >> 4)
  }
}
