import TachogramCore

/// The full local hours in the last hours of a summary.
struct GlanceTimeAxis {
  /// A time on the axis.
  struct Tick: Hashable {
    /// The number of places of the grid since the first one that is shown.
    var place: Double
    /// Such as 06:00.
    var text: String
  }

  /// The times whose local hour is a multiple of `step`. Clock changes need no exception: every tick is labelled.
  let ticks: [Tick]

  /// Creates the axis of the last `hours` hours.
  init(_ summary: GlanceSummary, clock: GlanceClock, hours: Int, step: Int) {
    let first = GlanceSummary.slots - hours * 12
    ticks = (first..<GlanceSummary.slots).compactMap { place in
      let time = summary.time(of: place)
      guard clock.minuteOfDay(time) % Int64(60 * step) == 0 else { return nil }
      return Tick(place: Double(place - first), text: clock.text(time))
    }
  }
}
