import Foundation
import GATT
import TachogramCore
import TachogramTestKit

/// A random plausible session, and the intervals that no heart has which are put into it, at random places and in a random
/// order.
struct ImpossibleIntervals {
  /// Which intervals are put in, in ticks.
  enum Kind: CaseIterable {
    case zero, short, long, gap, longest, mixed

    func ticks(_ random: inout SplitMix64) -> UInt16 {
      switch self {
      case .zero: 0
      case .short: .random(in: 1...279, using: &random)
      case .long: .random(in: 2049...3072, using: &random)
      case .gap: .random(in: 3073...20_000, using: &random)
      case .longest: 65_535
      case .mixed: [Kind.zero, .short, .long, .gap, .longest].randomElement(using: &random)?.ticks(&random) ?? 0
      }
    }
  }

  /// An impossible interval that stands before the notification, and the interval of it, with these numbers.
  private struct Addition {
    var notification: Int
    var position: Int
    var ticks: UInt16
  }

  private let notifications: [SimulatedStrap.Notification]
  private let additions: [Addition]

  init(_ kind: Kind, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var strap = SimulatedStrap()
    strap.duration = .random(in: 310...700, using: &random)
    let (rate, slope) = (Double.random(in: 48...150, using: &random), Double.random(in: -0.02...0.02, using: &random))
    strap.heartRate = { rate + slope * $0 }
    strap.breathing = .random(in: 3...50, using: &random)
    strap.slowWave = .random(in: 3...30, using: &random)
    strap.noise = .random(in: 3...25, using: &random)
    strap.seed = random.next()
    let sent = strap.notifications()
    // Every third one has lost some of its notifications.
    let isLossy = Int.random(in: 0..<3, using: &random) == 0
    let lost = Set((0..<(isLossy ? 12 : 0)).map { _ in Int.random(in: 10..<sent.count, using: &random) })
    notifications = sent.indices.filter { !lost.contains($0) }.map { sent[$0] }
    let notified = notifications.map(\.measurement.rrIntervals.count)
    additions = (0..<notified.reduce(0, +)).map { _ in
      let notification = Int.random(in: 0..<notified.count, using: &random)
      let position = Int.random(in: 0...notified[notification], using: &random)
      return Addition(notification: notification, position: position, ticks: kind.ticks(&random))
    }
  }

  /// Intervals of the session alone.
  var count: Int { additions.count }

  /// The session with the first `count` of the impossible intervals, as the strap sends them.
  func entries(adding count: Int) -> [LedgerEntry] {
    zip(notifications, ticks(adding: count)).enumerated().map { number, item in
      var measurement = item.0.measurement
      measurement.rrIntervals = RRIntervals(item.1.map(RRInterval.init(ticks:)))
      return CaptureBuilder.entry(
        HeartRateMeasurementCodec.encode(measurement), sequence: Int64(number), arrival: item.0.arrival)
    }
  }

  /// The same as a plain series, in ms.
  func series(adding count: Int) -> [Double] {
    ticks(adding: count).joined().map { RRInterval(ticks: $0).milliseconds }
  }

  private func ticks(adding count: Int) -> [[UInt16]] {
    let added = Dictionary(grouping: additions.prefix(count), by: \.notification)
    return notifications.enumerated().map { number, notification in
      var ticks: [UInt16] = []
      for (position, sent) in notification.measurement.rrIntervals.enumerated() {
        for addition in added[number] ?? [] where addition.position == position { ticks.append(addition.ticks) }
        ticks.append(sent.ticks)
      }
      let behind = notification.measurement.rrIntervals.count
      for addition in added[number] ?? [] where addition.position == behind { ticks.append(addition.ticks) }
      return ticks
    }
  }
}
