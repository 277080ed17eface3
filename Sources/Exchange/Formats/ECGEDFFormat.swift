import CommandProcess
import FoundationEssentials
import TachogramCore

/// The electrocardiogram of a session as EDF+: continuous (EDF+C) if no sample is missing, else with the time of each data
/// record (EDF+D).
struct ECGEDFFormat: SessionFormat {
  /// The bytes of a time in a data record.
  private static let timeBytes = 32

  let format = ExportFormat.ecgEDF
  let dates: (range: ClosedRange<WallTime>, words: String)? = (EDFHeader.dates, EDFHeader.datesInWords)

  let alternative: String? = nil

  func refusal(of session: StoredSession) throws -> String? {
    if let refusal = try ECGFormats.refusal(of: session) { return refusal }
    let rates = Set(try ECGSurvey(of: session).stretches.map(\.rate)).sorted()
    guard rates.count > 1 else { return nil }
    let list = rates.map { "\($0) Hz" }.joined(separator: " and ")
    return "the electrocardiogram of session \(session.id) has \(list), and an EDF file has one rate; use ecg-csv"
  }

  func omissions(of session: StoredSession) throws -> [String] {
    let survey = try ECGSurvey(of: session)
    var missing = ECGFormats.omissions(survey)
    let leftOver = ECGRecords(survey.stretches).leftOver
    if leftOver > 0 { missing.append("\(leftOver) samples before gaps that fill no data record") }
    let scale = Self.scale(survey)
    if scale > 1 { missing.append("differences below \(scale) µV") }
    return missing
  }

  func write(_ session: StoredSession, to sink: any ByteSink) throws {
    let survey = try ECGSurvey(of: session)
    let records = ECGRecords(survey.stretches)
    let scale = Self.scale(survey)
    guard let first = survey.stretches.first else { return }
    let header = EDFHeader(
      start: session.description.wall(first.start), clock: LocalClock(timeZone: .current),
      person: session.description.person, isContinuous: survey.stretches.count == 1, recordCount: records.recordCount,
      recordLength: records.length,
      signals: [
        EDFSignal(
          label: "ECG", transducer: "Chest strap", dimension: "uV", physical: -32768 * scale...32767 * scale,
          samplesPerRecord: records.size),
        .annotations(bytes: Self.timeBytes),
      ])
    try sink.write(header.bytes)
    let base = session.description.monotonic(header.second)
    // Each record begins at the end of the one before or later: the starts of stretches are known to some milliseconds alone.
    var (pending, earliest): ([Int32], Int64) = ([], first.start.microseconds(since: base))
    try survey.forEachFrame(of: session) { frame, stretch, offset in
      if offset == 0 { pending = [] }
      pending += frame.microvolts
      var begin = offset + frame.microvolts.count - pending.count
      while pending.count >= records.size {
        let time = header.isContinuous ? earliest : stretch.time(at: begin).microseconds(since: base)
        let onset = max(earliest, time)
        try sink.write(Self.record(pending.prefix(records.size), scale, at: onset))
        earliest = onset + records.length
        pending.removeFirst(records.size)
        begin += records.size
      }
    }
  }

  /// Returns the number of µV in a digital unit: 1, unless a sample is beyond 16 bits.
  private static func scale(_ survey: ECGSurvey) -> Int { max(1, Int((survey.largest + 32_766) / 32_767)) }

  private static func record(_ samples: ArraySlice<Int32>, _ scale: Int, at onset: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    for sample in samples {
      let value = Int16(clamping: Int((Double(sample) / Double(scale)).rounded()))
      bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    let time = EDFAnnotation.record(at: onset).bytes
    return bytes + time + [UInt8](repeating: 0, count: max(0, timeBytes - time.count))
  }
}

extension ExportFormat {
  static let ecgEDF = ExportFormat(
    name: "ecg-edf", title: "ECG as EDF+", words: "the electrocardiogram for EDF viewers", fileExtension: "ecg.edf",
    mediaType: "application/octet-stream", isBinary: true)
}
