import Capture
import Repository
import TachogramCore

/// Writes one stored session in one format, without holding all of it in memory.
struct SessionExporter {
  private static let batchSize = 4096

  let record: SessionRecord
  let repository: SessionRepository

  private var session: SessionDescription { record.description }

  func write(_ format: ExportFormat, to sink: some ByteSink) throws {
    switch format {
    case .csv: try writeCSV(to: sink)
    case .json: try writeJSON(to: sink)
    case .rr: try writeRR(to: sink)
    case .btsnoop: try writeBtsnoop(to: sink)
    }
  }

  // MARK: - Formats

  private func writeBtsnoop(to sink: some ByteSink) throws {
    var writer = SessionCaptureWriter(session: session, links: try repository.links(of: session.id))
    try sink.write(SessionCaptureWriter.fileHeader)
    try repository.forEachEntry(of: session.id, batchSize: Self.batchSize) { entries in
      for entry in entries { try sink.write(writer.records(entry)) }
    }
  }

  /// Gaps are comments, which `analyze` understands and other programs pass over.
  private func writeRR(to sink: some ByteSink) throws {
    try forEachEvent { event in
      switch event {
      case .beat(let beat): try sink.write("\(Self.number(beat.rr.milliseconds))\n")
      case .gap(let gap): try sink.write("# gap \(Double(gap.microseconds) / 1e6) s \(gap.reason.rawValue)\n")
      }
    }
  }

  private func writeCSV(to sink: some ByteSink) throws {
    try sink.write("event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason\n")
    try forEachEvent { event in
      switch event {
      case .beat(let beat):
        try sink.write(
          "beat,\(beat.sequence),\(Timestamp.text(session.wall(beat.time))),\(offset(beat.time)),"
            + "\(Self.number(beat.rr.milliseconds)),\(beat.rr.ticks),\(beat.marks.names.joined(separator: " ")),,\n")
      case .gap(let gap):
        try sink.write(
          "gap,\(gap.sequence),\(Timestamp.text(session.wall(gap.start))),\(offset(gap.start)),,,,"
            + "\(Double(gap.microseconds) / 1e6),\(gap.reason.rawValue)\n")
      }
    }
  }

  private func writeJSON(to sink: some ByteSink) throws {
    let output = JSONOutput(isPretty: false)
    let strap = session.strap.label
    let links = try repository.links(of: session.id)
    try sink.write("{\"session\":\(try output.text(SessionHeader(record, links)))")
    try sink.write(",\"ledger\":[")
    var separator = ""
    func element(_ line: EventLine) throws {
      try sink.write(separator + "\n" + (try output.text(line)))
      separator = ","
    }
    try repository.forEachEntry(of: session.id, batchSize: Self.batchSize) { entries in
      for entry in entries { try element(EventLine(entry, strap: strap)) }
    }
    try sink.write("],\"beats\":[")
    separator = ""
    try repository.forEachBeat(of: session.id, batchSize: Self.batchSize) { beats in
      for beat in beats { try element(EventLine(beat, strap: strap, time: session.wall(beat.time))) }
    }
    try sink.write("],\"gaps\":[")
    separator = ""
    for gap in try repository.gaps(of: session.id) {
      try element(EventLine(gap, strap: strap, start: session.wall(gap.start), end: session.wall(gap.end)))
    }
    try sink.write("],\"artifacts\":[")
    separator = ""
    for artifact in try repository.artifacts(of: session.id) { try element(EventLine(artifact, strap: strap)) }
    try sink.write("],\"windows\":[")
    separator = ""
    for window in try repository.windows(of: session.id) {
      try element(EventLine(window, strap: strap, time: session.wall(window.end)))
    }
    try sink.write("],\"stress\":[")
    separator = ""
    for stress in try repository.stress(of: session.id) { try element(EventLine(stress, strap: strap)) }
    try sink.write("]}\n")
  }

  // MARK: - Events in order

  /// Beats and gaps in the order of time: a gap comes before the first beat of the entry that ended it.
  private func forEachEvent(_ body: (BeatEvent) throws -> Void) throws {
    var gaps = try repository.gaps(of: session.id)[...]
    try repository.forEachBeat(of: session.id, batchSize: Self.batchSize) { beats in
      for beat in beats {
        while let gap = gaps.first, gap.ledgerSequence <= beat.ledgerSequence {
          try body(.gap(gap))
          gaps = gaps.dropFirst()
        }
        try body(.beat(beat))
      }
    }
    for gap in gaps { try body(.gap(gap)) }
  }

  /// Microseconds since the session began.
  private func offset(_ time: MonotonicTime) -> Int64 {
    time.microseconds(since: session.monotonicStart)
  }

  /// A whole number without `.0`.
  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
