import Capture
import Pipeline
import Recording
import StressKit
import TachogramCore

/// The sessions of a capture for reports only, without a ledger, a database or event lines.
struct ReportSessions: Sendable {
  /// The straps known so far.
  var straps: [PlannedStrap] = []
  private let filter: StrapFilter
  private let person: String?
  private let kind: HRVKind
  private var derivers: [SessionDeriver] = []
  /// The destination of the notifications of a strap.
  private enum Place {
    case deriver(Int)
    case nowhere
  }
  /// The places by the index of the strap, or `nil` until a notification of the strap arrives.
  private var places: [Place?] = []

  /// Creates the sessions of the straps that `filter` contains.
  init(_ filter: StrapFilter, person: String?, kind: HRVKind) {
    self.filter = filter
    self.person = person
    self.kind = kind
  }

  /// Handles the next notification of a strap.
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

  /// Ends the sessions, and returns their reports in the order of the straps.
  mutating func finish() -> [SessionReport] {
    for place in derivers.indices { derivers[place].finish() }
    return zip(places, straps).compactMap { place, strap in
      guard case .deriver(let place) = place else { return nil }
      var report = derivers[place].report()
      // The identity of the strap may be known only after its first notification.
      report.session.strap = strap.identity
      report.leaveOut(strap.leftOut)
      return report
    }
  }
}
