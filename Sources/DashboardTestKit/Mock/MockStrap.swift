import Dashboard
import StressKit
import TachogramCore
import TachogramTestKit

/// A strap that is being worn.
struct MockStrap: Sendable {
  private struct LiveBeat {
    /// In microseconds since 1970.
    let time: Int64
    let rr: RRInterval
    let isMarked: Bool
    let followsGap: Bool
  }

  let known: KnownStrap
  private let number: Int
  private let batteryPercent: UInt8
  private let signal: Int8
  /// The number of beats from one marked beat to the next. Gaps occur a quarter as often. 0 for neither.
  private let oddEvery: Int
  private let begun: WallTime
  private var heart: MockHeart
  private var beats: [LiveBeat] = []
  private var gaps = 0

  private init(
    _ number: Int, _ known: KnownStrap, _ heart: MockHeart, batteryPercent: UInt8, signal: Int8, oddEvery: Int,
    begun: WallTime,
  ) {
    self.number = number
    self.known = known
    self.heart = heart
    self.batteryPercent = batteryPercent
    self.signal = signal
    self.oddEvery = oddEvery
    self.begun = begun
  }

  /// Returns the straps of two people, one with a good signal and one with a poor one.
  static func pair(at now: WallTime) -> [MockStrap] {
    let (added, begun) = (
      now.advanced(byMicroseconds: -90 * 86_400_000_000), now.advanced(byMicroseconds: -754_000_000)
    )
    let anna = KnownStrap(
      address: BluetoothAddress(value: 0xC0FF_EE00_0001, kind: .random), name: "Polar H10",
      advertisedName: "Polar H10 A1B2C3D4", isBonded: true, added: added, person: "Anna", label: "training")
    let bert = KnownStrap(
      address: BluetoothAddress(value: 0xC0FF_EE00_0002, kind: .random), name: "Garmin HRM-Dual in the cellar",
      added: added)
    return [
      MockStrap(
        0, anna, MockHeart(mean: 940, depth: 46, breathsPerMinute: 6, noise: 12, seed: 1), batteryPercent: 87,
        signal: -58, oddEvery: 0, begun: begun),
      MockStrap(
        1, bert, MockHeart(mean: 735, depth: 14, breathsPerMinute: 14, noise: 7, seed: 2), batteryPercent: 18,
        signal: -84, oddEvery: 37, begun: begun),
    ]
  }

  var beatCount: Int { beats.count }

  /// Appends beats until a time. The first call begins 400 s before it.
  mutating func advance(to now: WallTime) {
    while true {
      let last = beats.last?.time ?? now.microseconds - 400_000_000
      let rr = heart.interval(at: Double(last) / 1e6)
      let time = last + Int64(rr.milliseconds * 1000)
      guard time <= now.microseconds else { return }
      append(rr, at: time)
    }
  }

  private mutating func append(_ rr: RRInterval, at time: Int64) {
    let count = beats.count
    let isMarked = oddEvery > 0 && count % oddEvery == oddEvery - 1
    let followsGap = oddEvery > 0 && count % (4 * oddEvery) == 2 * oddEvery
    if followsGap { gaps += 1 }
    beats.append(
      LiveBeat(
        time: time + (followsGap ? 4_000_000 : 0), rr: isMarked ? MockHeart.interval(rr.milliseconds * 0.6) : rr,
        isMarked: isMarked, followsGap: followsGap))
  }

  /// Returns the window that ends with the last beat.
  private func window(_ length: WindowLength) -> (window: HRVWindow, end: WallTime) {
    let end = beats.last?.time ?? 0
    let inside = beats.drop { $0.time <= end - length.microseconds }
    let sound = inside.filter { !$0.isMarked }.map(\.rr.milliseconds)
    let window = HRVWindow(
      length: length, end: MonotonicTime(microseconds: end),
      coverage: min(1, sound.reduce(0, +) / 1000 / Double(length.seconds)),
      artifactShare: inside.isEmpty ? 0 : 1 - Double(sound.count) / Double(inside.count),
      metrics: HRVBatch.metrics(of: sound))
    return (window, WallTime(microseconds: end))
  }

  /// Returns the reading of the API, with the beats from number `first` on. `isCurrent` is whether the strap is being received.
  func reading(beatsFrom first: Int, isCurrent: Bool, heard: WallTime) -> API.Reading {
    let state = LinkState(
      phase: isCurrent ? .live : .silent, reason: isCurrent ? nil : .silence, since: MonotonicTime(microseconds: 0))
    var reading = API.Reading(
      strap: number, name: known.name,
      link: API.Link(state, text: isCurrent ? "live" : "connected, but silent (no notifications)"),
      isCurrent: isCurrent, contact: .detected, notifications: beats.count, gaps: gaps,
      beats: beats.dropFirst(first).map {
        API.LiveBeat(
          rr: $0.rr, time: WallTime(microseconds: $0.time), isMarked: $0.isMarked, followsGap: $0.followsGap)
      })
    let (minute, five) = (window(.minute), window(.fiveMinutes))
    reading.address = known.address.description
    reading.person = known.person
    reading.lastHeard = Timestamp.text(heard)
    reading.heartRate = beats.last.map { UInt16(60_000 / $0.rr.milliseconds) }
    reading.batteryPercent = batteryPercent
    reading.signalDBm = signal
    reading.minute = API.Window(minute.window, end: minute.end)
    reading.fiveMinutes = API.Window(five.window, end: five.end)
    reading.detail = Self.detail
    reading.session = MockSession.id(0xABC_0000 + number)
    reading.start = Timestamp.text(begun)
    if number == 0 { reading.sleepStage = SleepStage.light.rawValue }
    let values = five.window.metrics.values
    if let sdnn = values.sdnn, let rate = values.meanHeartRate {
      let level = MockHeart.stressLevel(sdnn: sdnn, heartRate: rate)
      reading.stress = API.Stress(
        StressResult(
          level: level, category: StressCategory(level: level), confidence: 0.97, hrv: sdnn, heartRate: rate,
          timestamp: heard.date))
    }
    return reading
  }

  private static var detail: API.Detail {
    var detail = API.Detail(HRVMetrics(timeDomain: HRVBatch.metrics(of: []))) { _ in "there is no clear peak" }
    (detail.lf, detail.hf, detail.lfhf) = (900, 640, 1.406)
    (detail.dfaAlpha1, detail.sampleEntropy) = (1.02, 1.6)
    detail.unavailable = ["respirationRate": "there is no clear peak"]
    return detail
  }
}
