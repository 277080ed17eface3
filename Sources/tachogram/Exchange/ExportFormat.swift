import ArgumentParser
import IntervalFiles
import TachogramCore

/// What a session can be exported as.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  /// Beats and gaps, a row each.
  case csv
  /// Everything, as one object.
  case json
  /// One interval in ms a line.
  case rr
  /// A capture that Wireshark opens and `replay` replays.
  case btsnoop
  /// Time and interval in s, as Kubios HRV reads them.
  case kubios
  /// An activity with heart rates and RR intervals, as sports watches record it.
  case fit
  /// A bundle of HL7 FHIR R4 with Observations of every 5 minutes, and the session itself attached.
  case fhir

  /// How the name of a file of this format ends.
  var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .json: "json"
    case .rr: "rr.txt"
    case .btsnoop: "btsnoop"
    case .kubios: "kubios.txt"
    case .fit: "fit"
    case .fhir: "fhir.json"
    }
  }

  /// The dates that it can hold, and the same in words; `nil` where it holds none, or all.
  var dates: (range: ClosedRange<WallTime>, words: String)? {
    switch self {
    case .json, .kubios: nil
    case .fit: (FITWriter.dates, "1989-12-31 to 2126-02-06")
    case .csv, .rr, .btsnoop, .fhir: (RecordingDates.range, RecordingDates.words)
    }
  }

  /// Whether it is for programs alone.
  var isBinary: Bool { self == .btsnoop || self == .fit }
}
