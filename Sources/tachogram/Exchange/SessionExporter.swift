import Capture
import GATT
import IntervalFiles
import Presentation
import Repository
import TachogramCore

/// Writes one stored session in one format.
struct SessionExporter {
  let session: StoredSession

  /// Throws a failure where `refusal` gives a reason.
  func write(_ format: ExportFormat, to sink: some ByteSink) throws {
    if let refusal = refusal(of: format) { throw CommandFailure(refusal) }
    switch format {
    case .csv: try writeCSV(to: sink)
    case .json: try JSONExport(session: session).write(to: sink)
    case .rr: try writeRR(to: sink)
    case .btsnoop: try writeBtsnoop(to: sink)
    case .kubios: try writeKubios(to: sink)
    case .fit: try writeFIT(to: sink)
    case .fhir: try FHIRExport(session: session).write(to: sink)
    }
  }

  /// Why the session cannot be written in a format, which cannot hold its date; `nil` when it can.
  func refusal(of format: ExportFormat) -> String? {
    let start = session.description.start
    guard let dates = format.dates, !dates.range.contains(start) else { return nil }
    return "session \(session.id) begins at \(Timestamp.text(start)), and \(format.rawValue) holds dates "
      + "from \(dates.words); json holds every date"
  }

  // MARK: - Formats

  private func writeBtsnoop(to sink: some ByteSink) throws {
    var writer = SessionCaptureWriter(
      session: session.description, links: try session.repository.links(of: session.id))
    try sink.write(SessionCaptureWriter.fileHeader)
    try session.forEachEntry { try sink.write(writer.records($0)) }
  }

  /// The beginning and gaps are comments, which `analyze` and `import` understand and other programs pass over.
  private func writeRR(to sink: some ByteSink) throws {
    var isFirst = true
    try session.forEachEvent { event in
      switch event {
      case .beat(let beat):
        if isFirst {
          let start = session.description.wall(StoredSession.beginning(of: beat))
          try sink.write("# start \(Timestamp.exactText(start))\n")
          isFirst = false
        }
        try sink.write("\(Self.number(beat.rr.milliseconds))\n")
      case .gap(let gap):
        try sink.write("# gap \(Double(gap.microseconds) / 1e6) s \(gap.reason.rawValue)\n")
      }
    }
  }

  /// Kubios HRV takes no comments and no headings: the times tell the gaps.
  private func writeKubios(to sink: some ByteSink) throws {
    var origin: MonotonicTime?
    try session.forEachBeat { beat in
      let start = origin ?? StoredSession.beginning(of: beat)
      origin = start
      let seconds = Double(beat.time.microseconds(since: start)) / 1e6
      try sink.write("\(seconds)\t\(Double(beat.rr.ticks) / 1024)\n")
    }
  }

  private func writeFIT(to sink: some ByteSink) throws {
    var rates: [(rate: UInt16, time: WallTime)] = []
    try session.forEachEntry { entry in
      if case .notification(let value) = entry.content,
        let measurement = try? HeartRateMeasurementCodec.decode(value[...])
      {
        rates.append((measurement.heartRate, session.description.wall(entry.monotonic)))
      }
    }
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
          writer = FITWriter(start: session.description.wall(StoredSession.beginning(of: beat)))
        }
        addRates(to: session.description.wall(beat.time))
        writer?.add(beat.rr)
      case .gap(let gap):
        writer?.add(gapAt: session.description.wall(gap.start), microseconds: gap.microseconds)
      }
    }
    if writer == nil { writer = FITWriter(start: session.description.start) }
    addRates(to: WallTime(microseconds: .max))
    if let writer { try sink.write(writer.file(end: session.record.end)) }
  }

  private func writeCSV(to sink: some ByteSink) throws {
    try sink.write(SessionCSV.heading + "\n")
    let description = session.description
    try session.forEachEvent { event in
      switch event {
      case .beat(let beat):
        try sink.write(
          "beat,\(beat.sequence),\(Timestamp.text(description.wall(beat.time))),\(session.offset(beat.time)),"
            + "\(Self.number(beat.rr.milliseconds)),\(beat.rr.ticks),\(beat.marks.names.joined(separator: " ")),,\n")
      case .gap(let gap):
        try sink.write(
          "gap,\(gap.sequence),\(Timestamp.text(description.wall(gap.start))),\(session.offset(gap.start)),,,,"
            + "\(Double(gap.microseconds) / 1e6),\(gap.reason.rawValue)\n")
      }
    }
  }

  /// A whole number without `.0`.
  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
