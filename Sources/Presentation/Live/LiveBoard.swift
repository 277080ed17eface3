import Pipeline
import Recording
import StressKit
import TachogramCore

/// The readings of all straps of a source, updated with each event.
package struct LiveBoard {
  /// What a session amounts to at an instant, as far as it is shown.
  package struct Derived {
    package var windows: [HRVWindow]
    package var stress: StressResult?
    package var stressAbsence: String?
  }

  private var names: StrapNames
  private var rows: [Int: LiveRow] = [:]

  package init(names: StrapNames) {
    self.names = names
  }

  /// Straps have other names from now on, as they are heard of.
  package mutating func rename(_ names: StrapNames) {
    self.names = names
  }

  // MARK: - Taking news

  /// Takes an event, with what followed from it.
  package mutating func handle(_ event: StrapEvent, batch: SessionBatch = SessionBatch(), derived: Derived? = nil) {
    if event.content == .dismissed {
      rows[event.strap] = nil
      return
    }
    let link = LinkState(phase: .idle, since: event.monotonic)
    let unknown = LiveRow(reading: LiveReading(strap: names.name(event.strap, nil), link: link))
    let name: String? =
      if case .identified(let identity) = event.content { names.name(event.strap, identity) } else { nil }
    rows[event.strap, default: unknown].handle(event, name, batch, derived)
  }

  package mutating func handle(_ news: LiveRecorder.Update) {
    var derived: Derived?
    if case .notification = news.event.content { derived = news.live?.reading().map { Derived($0) } }
    handle(news.event, batch: news.batch, derived: derived)
  }

  /// Takes the metrics of a strap that were computed beside the beats; `nil` where there are none of now.
  package mutating func handle(_ detail: HRVMetrics?, of strap: Int) {
    rows[strap]?.reading.detail = detail
  }

  /// The session of a strap has ended: nothing is known of windows and stress.
  package mutating func ended(_ strap: Int) {
    rows[strap]?.reading.detail = nil
    rows[strap]?.reading.minute = nil
    rows[strap]?.reading.fiveMinutes = nil
    rows[strap]?.reading.stress = nil
    rows[strap]?.reading.stressAbsence = nil
  }

  // MARK: - Reading

  /// The straps that are known of, by ordinal.
  package var straps: [Int] { rows.keys.sorted() }

  /// What is known of a strap at `time`.
  package func reading(_ strap: Int, at time: MonotonicTime) -> LiveReading? {
    guard let row = rows[strap] else { return nil }
    var reading = row.reading
    reading.age = row.last.map { Self.seconds(from: $0, to: time) }
    reading.elapsed = row.first.map { Self.seconds(from: $0, to: time) } ?? 0
    return reading
  }

  /// When the reading of a strap becomes stale without another notification; `nil` before the first.
  package func staleTime(_ strap: Int) -> MonotonicTime? {
    rows[strap]?.last?.advanced(byMicroseconds: Int64(LiveReading.staleAfter * 1e6))
  }

  /// What is known of all straps at `time`.
  package func readings(at time: MonotonicTime) -> [LiveReading] {
    straps.compactMap { reading($0, at: time) }
  }

  private static func seconds(from start: MonotonicTime, to end: MonotonicTime) -> Double {
    max(0, end.seconds(since: start))
  }
}

extension LiveBoard.Derived {
  package init(_ values: LiveValues) {
    windows = values.windows
    switch values.stress {
    case .available(let result): stress = result
    case .unavailable(let absence): stressAbsence = Wording.text(absence)
    }
  }
}
