import BlueZ
import GATT
import Presentation
import Recording
import TachogramCore

/// Receives a few readings of one strap, to verify that it works.
package struct StrapTrial {
  /// The result of the trial.
  package struct Heard: Sendable {
    package var identity: StrapIdentity?
    package var isBonded = false
    /// Whether another program holds the notifications, so that there were no readings.
    package var isHeld = false
  }

  /// An event of the trial.
  package enum Step: Sendable {
    case link(LinkState)
    case reading(HeartRateMeasurement)
    /// A notification that cannot be decoded, with the reason.
    case unreadable(String)
  }

  package enum Failure: Error, Hashable, CustomStringConvertible {
    /// The strap refused to be paired.
    case refused
    case tooFewReadings(count: Int, wanted: Int, reason: String)

    package var description: String {
      switch self {
      case .refused:
        "the strap refuses to be paired; check the passkey, and that both show the same number"
      case .tooFewReadings(let count, let wanted, let reason):
        "the strap gave \(count) of \(wanted) readings; at the end: \(reason)"
      }
    }
  }

  /// The number of refusals at which the trial ends. One is allowed: a strap that lost an old bond refuses until the bond is
  /// made again.
  private static let refusals = 2

  package let source: BlueZRadioSource

  package init(source: BlueZRadioSource) {
    self.source = source
  }

  /// Calls `report` with the states of the link and the readings, until there are enough. Throws `Failure` if they do not
  /// arrive within `timeout`, and `CancellationError`. `then` runs while the strap is still connected. If another program
  /// `mayHold` the strap, its doing so also ends the trial.
  package func run(
    readings: Int, timeout: Duration, mayHold: Bool = false, report: @Sendable (Step) async -> Void,
    then: () async throws -> Void = {},
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
        await report(.link(state))
      case .notification(let value) where count < readings:
        count += 1
        await report(Self.step(value))
        guard count == readings else { break }
        heard.isBonded = await source.isBonded(strap: 0)
        do { try await then() } catch { outcome = .failure(error) }
        await source.stop()
      default: break
      }
      if Task.isCancelled { await source.stop() }
    }
    try outcome.get()
    try Task.checkCancellation()
    guard refused < Self.refusals else { throw Failure.refused }
    heard.isHeld = kept >= Self.refusals
    guard count == readings || heard.isHeld else {
      throw Failure.tooFewReadings(
        count: count, wanted: readings, reason: last.map(LinkWording.ofPairing) ?? "no data was received")
    }
    return heard
  }

  private static func step(_ value: [UInt8]) -> Step {
    do {
      return .reading(try HeartRateMeasurementCodec.decode(value[...]))
    } catch {
      return .unreadable(error.description)
    }
  }
}
