import CommandProcess
import GATT
import IntervalFiles
import TachogramCore

/// An activity with heart rates and RR intervals, as sports watches record it.
struct FITFormat: SessionFormat {
  let format = ExportFormat.fit

  var dates: (range: ClosedRange<WallTime>, words: String)? { (FITWriter.dates, "1989-12-31 to 2126-02-06") }

  func omissions(of session: StoredSession) throws -> [String] {
    let gaps = session.record.gapCount > 0 ? ", gaps below a second and their reasons" : ""
    return try omissionsOfBeats(of: session)
      + ["intervals below a millisecond" + gaps, "the start below a second"]
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    let rates = try heartRates(of: session)
    var next = 0
    var writer: FITWriter?
    func addRates(to end: WallTime) {
      while next < rates.count, rates[next].time <= end {
        writer?.add(heartRate: rates[next].rate, at: rates[next].time)
        next += 1
      }
    }
    try session.forEachEvent { event in
      switch event {
      case .beat(let beat):
        if writer == nil {
          writer = FITWriter(start: session.description.wall(beat.start))
        }
        addRates(to: session.description.wall(beat.time))
        writer?.add(beat.rr)
      case .gap(let gap):
        writer?.add(gapAt: session.description.wall(gap.start), lasting: .microseconds(gap.microseconds))
      }
    }
    if writer == nil { writer = FITWriter(start: session.description.start) }
    addRates(to: WallTime(microseconds: .max))
    if let writer { try sink.write(writer.file(end: session.record.end)) }
  }

  private func heartRates(of session: StoredSession) throws -> [(rate: UInt16, time: WallTime)] {
    var rates: [(rate: UInt16, time: WallTime)] = []
    try session.forEachEntry { entry in
      if case .notification(let value) = entry.content,
        let measurement = try? HeartRateMeasurementCodec.decode(value[...])
      {
        rates.append((measurement.heartRate, session.description.wall(entry.monotonic)))
      }
    }
    return rates
  }
}

extension ExportFormat {
  package static let fit = ExportFormat(
    name: "fit", title: "FIT", words: "as sports watches record", mediaType: "application/octet-stream", isBinary: true)
}
