import CommandProcess
import TachogramCore

/// A writer of a night as an EDF+ file with annotations alone: the texts of stages and of lights off and on that edfplus.info
/// lists ("Standard texts and polarity rules", 3.2).
///
/// Light sleep is N1 or N2, which no text names: it is `Sleep stage N`, sleep that is not REM, with the second text `light sleep`
/// of the same time. Where less is known, it is `Sleep stage N` alone, or `Sleep stage ?`, with `asleep` if that is known.
struct EDFNight {
  /// The largest data record that is recommended, in bytes.
  private static let largestRecord = 61_440

  let night: NightExport

  func write(to sink: some ByteSink) throws {
    let start = night.lightsOff
    guard EDFHeader.dates.contains(start) else {
      throw CommandFailure(
        "the night begins at \(Timestamp.text(start)), and EDF holds dates from \(EDFHeader.datesInWords); use csv")
    }
    var header = header(recordCount: 1, bytes: 0)
    let first = start.microseconds(since: header.second)
    let time = EDFAnnotation.record(at: first).bytes
    var records = [time]
    for annotation in annotations(from: header.second) {
      if records[records.count - 1].count + annotation.bytes.count > Self.largestRecord { records.append(time) }
      records[records.count - 1] += annotation.bytes
    }
    header = self.header(recordCount: records.count, bytes: records.map(\.count).max() ?? 0)
    try sink.write(header.bytes)
    for record in records {
      let size = 2 * (header.signals.first?.samplesPerRecord ?? 0)
      try sink.write(record + [UInt8](repeating: 0, count: size - record.count))
    }
  }

  private func header(recordCount: Int, bytes: Int) -> EDFHeader {
    EDFHeader(
      start: night.lightsOff, clock: night.clock, person: night.session.person, isContinuous: true,
      recordCount: recordCount, recordLength: 0, signals: [.annotations(bytes: bytes)])
  }

  private func annotations(from second: WallTime) -> [EDFAnnotation] {
    let stages = night.periods.map { period in
      EDFAnnotation(
        onset: period.start.microseconds(since: second), duration: period.end.microseconds(since: period.start),
        texts: Self.texts(period.stage))
    }
    return [EDFAnnotation(onset: night.lightsOff.microseconds(since: second), texts: ["Lights off"])] + stages
      + [EDFAnnotation(onset: night.lightsOn.microseconds(since: second), texts: ["Lights on"])]
  }

  private static func texts(_ stage: SleepStage) -> [String] {
    switch stage {
    case .wake: ["Sleep stage W"]
    case .light: ["Sleep stage N", "light sleep"]
    case .deep: ["Sleep stage N3"]
    case .rem: ["Sleep stage R"]
    case .nrem: ["Sleep stage N"]
    case .asleep: ["Sleep stage ?", "asleep"]
    case .unknown: ["Sleep stage ?"]
    }
  }
}
