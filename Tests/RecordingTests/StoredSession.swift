import FoundationEssentials
import GATT
import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore

/// What is stored of a session, and whether it is what its ledger amounts to.
struct StoredSession {
  /// How much more time than has passed the beats of a link may claim, in microseconds: what a strap delivers late.
  private static let allowance: Int64 = 5_000_000

  let description: SessionDescription
  let isComplete: Bool
  /// Whether it is noted to lack some of what derives from its entries.
  private let needsDerivation: Bool
  let entries: [LedgerEntry]
  private let links: [StrapLink]
  private let beats: [Beat]
  private let gaps: [BeatGap]
  private let windows: [HRVWindow]
  private let artifacts: [BeatArtifact]

  init(_ id: String, in database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    let record = try repository.session(matching: id)
    description = record.description
    isComplete = record.isComplete
    needsDerivation = try repository.pendingDerivations().contains { $0.session.description.id == id }
    var entries: [LedgerEntry] = []
    try repository.forEachEntry(of: id) { entries += $0 }
    self.entries = entries
    var beats: [Beat] = []
    try repository.forEachBeat(of: id) { beats += $0 }
    self.beats = beats
    links = try repository.links(of: id)
    gaps = try repository.gaps(of: id)
    windows = try repository.windows(of: id)
    artifacts = try repository.artifacts(of: id)
  }

  /// What is wrong with it in itself: numbers with holes, what is not what a replay of the ledger gives, beats that were
  /// not notified, links without a gap between them, more beats than time. `nil` when nothing is.
  func contradiction() -> String? {
    guard entries.map(\.sequence) == Array(0..<Int64(entries.count)) else { return "the ledger has a hole" }
    guard Set(entries.map(\.link)) == Set(links.map(\.number)) else { return "the links are not those of the ledger" }
    return differenceFromReplay() ?? beatThatWasNotNotified() ?? linkWithoutGap() ?? excessOfBeats()
  }

  /// A session may have been cut off behind the last of what derives from it.
  private func differenceFromReplay() -> String? {
    let ended = difference(fromReplayThatEnds: true)
    return isComplete || ended == nil ? ended : difference(fromReplayThatEnds: false)
  }

  private func difference(fromReplayThatEnds ends: Bool) -> String? {
    var deriver = SessionDeriver(
      description, baseline: .default(kind: .sdnn, lastUpdated: Date(timeIntervalSince1970: 0)))
    deriver.ingest(entries)
    if ends { deriver.finish() }
    let derived = deriver.drainRows()
    if needsDerivation { return excess(over: derived) }
    if derived.beats != beats { return "a replay gives \(derived.beats.count) beats, stored are \(beats.count)" }
    if derived.gaps != gaps { return "a replay gives the gaps \(derived.gaps), stored are \(gaps)" }
    // What comes later of the same beat or moment replaces what was there.
    let newest = Dictionary(derived.artifacts.map { ($0.beat, $0) }, uniquingKeysWith: { $1 })
    if newest != Dictionary(artifacts.map { ($0.beat, $0) }, uniquingKeysWith: { $1 }) {
      return "a replay gives other artifacts"
    }
    let last = Dictionary(
      derived.windows.map { ([Int64($0.length.seconds), $0.end.microseconds], Self.asStored($0)) },
      uniquingKeysWith: { $1 })
    let differing = Set(last.values).symmetricDifference(windows)
    return differing.isEmpty ? nil : "a replay and the database do not both have the windows \(differing)"
  }

  /// Of what derives from the entries, a part is stored.
  private func excess(over derived: SessionBatch) -> String? {
    if !derived.beats.starts(with: beats) { return "stored are beats that a replay does not give" }
    if !derived.gaps.starts(with: gaps) { return "stored are gaps that a replay does not give" }
    let others = Set(windows).subtracting(derived.windows.map(Self.asStored))
    return others.isEmpty ? nil : "stored are windows that a replay does not give: \(others)"
  }

  /// Why values were refused is not stored.
  private static func asStored(_ window: HRVWindow) -> HRVWindow {
    var window = window
    let metrics = window.metrics
    window.metrics = TimeDomainMetrics(
      count: metrics.count, pairCount: metrics.pairCount, duration: metrics.duration, values: metrics.values)
    return window
  }

  private func beatThatWasNotNotified() -> String? {
    for (number, own) in Dictionary(grouping: beats, by: \.ledgerSequence) {
      guard entries.indices.contains(Int(number)), case .notification(let value) = entries[Int(number)].content,
        let measurement = try? HeartRateMeasurementCodec.decode(value[...])
      else { return "beats of entry \(number), which is no measurement" }
      if own.map(\.rr) != Array(measurement.rrIntervals) {
        return "the beats of entry \(number) are not those that it tells"
      }
    }
    return zip(beats, beats.dropFirst()).contains { $0.time > $1.time } ? "beats go back in time" : nil
  }

  private func linkWithoutGap() -> String? {
    for (one, next) in zip(beats, beats.dropFirst()) {
      let (before, after) = (Int(one.ledgerSequence), Int(next.ledgerSequence))
      guard entries[before].link != entries[after].link else { continue }
      if !gaps.contains(where: { (before + 1...after).contains(Int($0.ledgerSequence)) }) {
        return "no gap between the links of entries \(before) and \(after)"
      }
    }
    return nil
  }

  private func excessOfBeats() -> String? {
    guard let first = entries.first, let last = entries.last, let heard = beats.first?.ledgerSequence else {
      return nil
    }
    // What no heart does takes no time of the clock.
    func duration(_ beats: [Beat]) -> Int64 {
      beats.reduce(0) { $0 + ($1.marks.isOutOfRange ? 0 : Int64($1.rr.ticks) * 15_625 / 16) }
    }
    // What the first notification tells of lies before it.
    let before = duration(beats.filter { $0.ledgerSequence == heard })
    let span = last.monotonic.microseconds(since: first.monotonic) + before + Self.allowance * Int64(links.count)
    return duration(beats) <= span ? nil : "beats of \(duration(beats)) µs in a span of \(span) µs"
  }
}
