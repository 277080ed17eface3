import Capture
import Pipeline
import Recording
import TachogramCore

/// The sessions of a capture where nothing but their reports is wanted: no ledger, no database, no lines.
struct ReportSessions: Sendable {
  /// The straps as far as they are known.
  var straps: [PlannedStrap] = []
  private let person: String?
  private let kind: HRVKind
  private var pipelines: [SessionPipeline] = []
  /// Which of the pipelines is that of a strap, by its index; `nil` while nothing has arrived from it.
  private var places: [Int?] = []

  init(person: String?, kind: HRVKind) {
    self.person = person
    self.kind = kind
  }

  /// Takes what arrived from a strap next.
  mutating func take(_ arrival: ReplayedArrival, _ value: Span<UInt8>) throws {
    let known = arrival.strap < places.count ? places[arrival.strap] : nil
    let place = try known ?? begin(arrival, value)
    if let reason = arrival.disconnection {
      pipelines[place].linkDown(at: arrival.monotonic, reason: reason)
    } else {
      pipelines[place].notification(value, sequence: arrival.sequence, link: arrival.link, at: arrival.monotonic)
    }
  }

  private mutating func begin(_ arrival: ReplayedArrival, _ value: Span<UInt8>) throws -> Int {
    let session = SessionDescription.replayed(straps[arrival.strap], first: arrival.entry(value), person: person)
    pipelines.append(try SessionPipeline(of: session, kind: kind, database: nil))
    places += Array(repeating: nil, count: max(0, arrival.strap + 1 - places.count))
    places[arrival.strap] = pipelines.count - 1
    return pipelines.count - 1
  }

  /// Ends the sessions, and gives their reports in the order of the straps.
  mutating func finish() -> [SessionReport] {
    for place in pipelines.indices { pipelines[place].finish() }
    return zip(places, straps).compactMap { place, strap in
      guard var report = place.map({ pipelines[$0].report() }) else { return nil }
      // What the strap tells of itself may have come behind its first notification.
      report.session.strap = strap.identity
      report.notifications.leftOut.add(strap.leftOut)
      return report
    }
  }
}
