import Capture
import FoundationEssentials
import GATT
import Pipeline
import StressKit
import TachogramCore

/// A capture of Bluetooth packets that contains heart rates, in btsnoop, pcap, pcapng or PacketLogger format. The file is read
/// twice; memory use does not depend on its size.
public struct HeartRateCapture: Sendable {
  /// A strap that sent notifications.
  public struct Strap: Sendable {
    /// The address, such as C0:FF:EE:00:00:01; `unknown` if it is not in the capture.
    public let address: String
    /// The name that the strap reported; `nil` if it is not in the capture.
    public let name: String?
    /// The number of its heart-rate notifications in the capture.
    public let notificationCount: Int
    /// The number of notifications that could not be decoded.
    public let malformedCount: Int
    /// The number of notifications that are not used because their handle or their time is uncertain.
    public let leftOutCount: Int
    /// The result for the intervals of the strap.
    public let hrv: HRVResult
  }

  private let replay: CaptureReplay
  private let plan: CapturePlan

  /// Surveys a file. Throws `HeartRateError.unreadable` if it cannot be read or contains no usable heart rates.
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

  /// Calls `body` with each reading in the order of the capture, with the address of its strap and its time of arrival. Throws
  /// `HeartRateError.unreadable`, or the error that `body` throws. Malformed notifications are skipped.
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
