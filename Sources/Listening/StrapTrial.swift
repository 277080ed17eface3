import BlueZ
import CommandProcess
import GATT
import Presentation
import Recording
import TachogramCore

/// Receives a few readings of one strap, to verify that it works.
package struct StrapTrial {
  /// The result of the trial.
  package struct Heard {
    package var identity: StrapIdentity?
    package var isBonded = false
    /// Whether another program holds the notifications, so that there were no readings.
    package var isHeld = false
  }

  /// The number of refusals at which the trial ends. One is allowed: a strap that lost an old bond refuses until the bond is
  /// made again.
  private static let refusals = 2

  package let source: BlueZRadioSource

  package init(source: BlueZRadioSource) {
    self.source = source
  }

  /// Prints the states of the link and the readings, until there are enough. Throws if they do not arrive within `timeout`.
  /// `then` runs while the strap is still connected. If another program `mayHold` the strap, its doing so also ends the
  /// trial.
  package func run(
    readings: Int, timeout: Duration, mayHold: Bool = false, then: () async throws -> Void = {},
  ) async throws -> Heard {
    let time = SystemTimeSource()
    let due = time.now().monotonic.advanced(by: timeout)
    let timer = Task { [source] in
      try? await time.sleep(until: due)
      await source.stop()
    }
    defer { timer.cancel() }
    var heard = Heard()
    var count = 0
    var last: LinkState?
    var (refused, kept) = (0, 0)
    var outcome: Result<Void, any Error> = .success(())
    for await event in source.events() {
      switch event.content {
      case .identified(let identity): heard.identity = identity
      case .state(let state):
        last = state
        if state.phase == .backingOff, state.reason == .notAuthorised { refused += 1 }
        if mayHold, count == 0, state.phase == .backingOff, state.reason == .refused { kept += 1 }
        if kept == Self.refusals { heard.isBonded = await source.isBonded(strap: 0) }
        if max(refused, kept) >= Self.refusals { await source.stop() }
        StandardStreams.error(LinkWording.text(state))
      case .notification(let value) where count < readings:
        count += 1
        StandardStreams.out(Self.line(value))
        guard count == readings else { break }
        heard.isBonded = await source.isBonded(strap: 0)
        do { try await then() } catch { outcome = .failure(error) }
        await source.stop()
      default: break
      }
      if Task.isCancelled { await source.stop() }
    }
    try outcome.get()
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    guard refused < Self.refusals else {
      throw CommandFailure(
        "the strap does not let itself be paired: is the passkey its own, and did it show the same number?")
    }
    heard.isHeld = kept >= Self.refusals
    guard count == readings || heard.isHeld else {
      let why = last.map(LinkWording.text) ?? "no data was received"
      throw CommandFailure("the strap gave \(count) of \(readings) readings; at the end: \(why)")
    }
    return heard
  }

  private static func line(_ value: [UInt8]) -> String {
    do {
      let measurement = try HeartRateMeasurementCodec.decode(value[...])
      let intervals = measurement.rrIntervals.map { "\(Wording.rounded($0.milliseconds)) ms" }
      return "  \(measurement.heartRate) bpm" + (intervals.isEmpty ? "" : ", RR \(intervals.joined(separator: ", "))")
        + "\n"
    } catch {
      return "  a reading that cannot be read: \(error.description)\n"
    }
  }
}
