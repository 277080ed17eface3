import Capture
import FoundationEssentials
import GATT
import Pipeline
import StressKit
import TachogramCore

/// A capture of Bluetooth packets with heart rates in it: btsnoop, pcap, pcapng or PacketLogger. The file is read twice, and memory
/// does not grow with it.
public struct HeartRateCapture: Sendable {
  /// A strap that notified.
  public struct Strap: Sendable {
    /// Its address, as C0:FF:EE:00:00:01; `unknown` where the capture does not have it.
    public let address: String
    /// Its name as it said it, where the capture has that.
    public let name: String?
    /// Heart-rate notifications that the capture holds of it.
    public let notificationCount: Int
    /// Those that could not be decoded.
    public let malformedCount: Int
    /// Those that are not used, as their handle or their time is in doubt.
    public let leftOutCount: Int
    /// What its intervals amount to.
    public let hrv: HRVResult
  }

  private let replay: CaptureReplay
  private let plan: CapturePlan

  /// Surveys a file. Throws `HeartRateError.unreadable`, also where it holds no heart rates that can be used.
  public init(contentsOf path: String) throws(HeartRateError) {
    let replay = CaptureReplay(path: path)
    do {
      let plan = try replay.plan()
      if plan.straps.isEmpty { throw plan.refusal(path: path) }
      (self.replay, self.plan) = (replay, plan)
    } catch {
      throw .unreadable(problem: "\(error)")
    }
  }

  /// Hands all readings to `body`, in the order of the capture, each with the address of its strap and the time at which it arrived.
  /// Throws `HeartRateError.unreadable`, or what `body` throws. Malformed notifications are passed over.
  public func forEachReading(
    _ body: (_ strap: String, _ arrival: Date, _ reading: HeartRateReading) throws -> Void
  ) throws {
    try replay.forEachEntry(plan) { strap, entry in
      guard case .notification(let bytes) = entry.content,
        let measurement = try? HeartRateMeasurementCodec.decode(bytes.span)
      else { return }
      try body(plan.straps[strap].identity.label, entry.wall.date, HeartRateReading(measurement))
    }
  }

  /// Replays the capture, and returns a result for each strap.
  public func straps() throws(HeartRateError) -> [Strap] {
    var derivers: [SessionDeriver?] = plan.straps.map { _ in nil }
    do {
      try replay.forEachEntry(plan) { strap, entry in
        if derivers[strap] == nil {
          let session = SessionDescription.replayed(plan.straps[strap], first: entry)
          derivers[strap] = SessionDeriver(
            session, baseline: .default(lastUpdated: entry.wall.date), output: .report)
        }
        derivers[strap]?.ingest(entry)
      }
    } catch {
      throw .unreadable(problem: "\(error)")
    }
    return zip(plan.straps, derivers).compactMap { strap, deriver in
      guard var deriver else { return nil }
      deriver.finish()
      var report = deriver.report()
      report.leaveOut(strap.leftOut)
      return Strap(
        address: strap.identity.label, name: strap.identity.ownName,
        notificationCount: report.notifications.found, malformedCount: report.notifications.malformed,
        leftOutCount: report.notifications.leftOut.total, hrv: HRVResult(report.series))
    }
  }
}
