import Capture
import Pipeline
import Recording
import StressKit
import TachogramCore

/// The sessions of a capture where nothing but their reports is wanted: no ledger, no database, no lines.
struct ReportSessions: Sendable {
  /// The straps as far as they are known.
  var straps: [PlannedStrap] = []
  private let filter: StrapFilter
  private let person: String?
  private let kind: HRVKind
  private var derivers: [SessionDeriver] = []
  /// Where what arrives from a strap goes.
  private enum Place {
    case deriver(Int)
    case nowhere
  }
  /// By the index of the strap; `nil` while nothing has arrived from it.
  private var places: [Place?] = []

  /// The sessions of the straps that `filter` contains.
  init(_ filter: StrapFilter, person: String?, kind: HRVKind) {
    self.filter = filter
    self.person = person
    self.kind = kind
  }

  /// Takes what arrived from a strap next.
  mutating func ingest(_ arrival: ReplayedArrival, _ value: Span<UInt8>) throws {
    let known = arrival.strap < places.count ? places[arrival.strap] : nil
    guard case .deriver(let place) = try known ?? begin(arrival, value) else { return }
    if let reason = arrival.disconnection {
      derivers[place].linkDown(at: arrival.monotonic, reason: reason)
    } else {
      derivers[place].notification(value, sequence: arrival.sequence, link: arrival.link, at: arrival.monotonic)
    }
  }

  private mutating func begin(_ arrival: ReplayedArrival, _ value: Span<UInt8>) throws -> Place {
    var place = Place.nowhere
    let strap = straps[arrival.strap]
    if filter.contains(strap) {
      let session = SessionDescription.replayed(strap, first: arrival.entry(value), person: person)
      place = .deriver(derivers.count)
      derivers.append(try SessionDeriver(session, kind: kind, in: nil, output: .report))
    }
    places += Array(repeating: nil, count: max(0, arrival.strap + 1 - places.count))
    places[arrival.strap] = place
    return place
  }

  /// Ends the sessions, and gives their reports in the order of the straps.
  mutating func finish() -> [SessionReport] {
    for place in derivers.indices { derivers[place].finish() }
    return zip(places, straps).compactMap { place, strap in
      guard case .deriver(let place) = place else { return nil }
      var report = derivers[place].report()
      // The description of the strap may have come behind its first notification.
      report.session.strap = strap.identity
      report.leaveOut(strap.leftOut)
      return report
    }
  }
}
