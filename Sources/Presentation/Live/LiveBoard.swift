import Pipeline
import Recording
import StressKit
import TachogramCore

/// The readings of all straps of a source, updated with each event.
package struct LiveBoard {
  /// The derived values of a session at one instant, as far as they are shown.
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

  /// Replaces the names. Returns the straps that have another one now, in their order.
  @discardableResult
  package mutating func rename(_ names: StrapNames) -> [Int] {
    self.names = names
    return straps.filter { strap in
      guard let row = rows[strap], let identity = row.identity else { return false }
      let name = names.name(strap, identity)
      guard name != row.reading.strap else { return false }
      rows[strap]?.reading.strap = name
      return true
    }
  }

  // MARK: - Taking news

  /// Updates the row of a strap with an event and its derived values; removes the row when the strap is dismissed.
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

  /// Sets the metrics of a strap that were computed in the background; `nil` if there are no current ones.
  package mutating func handle(_ detail: HRVMetrics?, of strap: Int) {
    rows[strap]?.reading.detail = detail
  }

  /// Removes the windows, metrics and stress of a strap whose session has ended.
  package mutating func ended(_ strap: Int) {
    rows[strap]?.reading.detail = nil
    rows[strap]?.reading.minute = nil
    rows[strap]?.reading.fiveMinutes = nil
    rows[strap]?.reading.stress = nil
    rows[strap]?.reading.stressAbsence = nil
  }

  // MARK: - Reading

  /// The ordinals of the straps, sorted.
  package var straps: [Int] { rows.keys.sorted() }

  /// Returns the reading of a strap at `time`; `nil` if the strap is unknown.
  package func reading(_ strap: Int, at time: MonotonicTime) -> LiveReading? {
    guard let row = rows[strap] else { return nil }
    var reading = row.reading
    reading.age = row.last.map { Self.seconds(from: $0, to: time) }
    reading.elapsed = row.first.map { Self.seconds(from: $0, to: time) } ?? 0
    return reading
  }

  /// Returns the time at which the reading of a strap becomes stale without another notification; `nil` before the first
  /// notification.
  package func staleTime(_ strap: Int) -> MonotonicTime? {
    rows[strap]?.last?.advanced(byMicroseconds: Int64(LiveReading.staleAfter * 1e6))
  }

  /// Returns the readings of all straps at `time`.
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
