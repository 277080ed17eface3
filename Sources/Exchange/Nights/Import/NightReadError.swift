import Sleep

/// The reason why a file with nights of other devices cannot be read.
struct NightReadError: Error, Hashable {
  /// Where in the file.
  enum Place: Hashable {
    case file
    /// A line, counted from 1.
    case line(Int)
    /// The path of a field in JSON, such as `[0].body.effective_time_frame`.
    case field(String)
    /// An offset in bytes, and its line.
    case byte(UInt64, line: Int)
  }

  enum Problem: Error, Hashable {
    case tooLarge(mebibytes: Int)
    case tooMany(limit: Int)
    case notText
    case unknownForm
    case compressed
    case noNight
    case missingColumns
    case missingCells(Int, expected: Int)
    case time(String)
    case timeOutOfRange(String, maximum: Int)
    case timeWithoutOffset(String)
    case timeNeedsStart
    case stage(String)
    case stageNumber(String)
    case unordered
    case overlap
    case reversed
    case tooLong
    case date
    case json(String)
    case version(String)
    case noInterval
    case quantity
    case markup
    case entities
    case entity
    case longTag
    case unexpectedEnd
    case otherDocument
  }

  let place: Place
  let problem: Problem

  init(_ problem: Problem, at place: Place = .file) {
    (self.problem, self.place) = (problem, place)
  }
}

extension NightReadError: CustomStringConvertible {
  var description: String {
    switch place {
    case .file: text
    case .line(let line): "line \(line): \(text)"
    case .field(let field): "at \(field): \(text)"
    case .byte(let offset, let line): "line \(line), byte \(offset): \(text)"
    }
  }

  private var text: String {
    switch problem {
    case .tooLarge(let mebibytes): "file too large (the limit is \(mebibytes) MiB)"
    case .tooMany(let limit): "there are more than \(limit) entries"
    case .notText: "this is not text in UTF-8"
    case .unknownForm: "this is no table, no JSON and no XML"
    case .compressed: "this is a compressed file; unpack it first, and import the export.xml in it"
    case .noNight: "there is no night in it"
    case .missingColumns: "the heading needs a column start or time, and a column stage"
    case .missingCells(let count, let expected): "the row has \(count) cells; expected \(expected)"
    case .time(let text):
      "\"\(Self.short(text))\" is not a time; use a format such as 2026-03-29T22:10:00+02:00, or seconds"
    case .timeOutOfRange(let text, let maximum):
      "\"\(Self.short(text))\" is out of range; seconds from the start of the night are 0 to \(maximum) (a week)"
    case .timeWithoutOffset(let text):
      "\"\(Self.short(text))\" has no offset from UTC; use a format such as 2026-03-29T22:10:00+02:00"
    case .timeNeedsStart: "the times are in seconds; give the start of the night with --start"
    case .stage(let text):
      "\"\(Self.short(text))\" is not a stage; use \(SleepStageName.list)"
    case .stageNumber(let text):
      "the stage \(Self.short(text)) is a number, whose meaning differs between programs; use W, N1, N2, N3 or R"
    case .unordered: "the time is not after that of the row before"
    case .overlap: "it overlaps with another one"
    case .reversed: "the end is not after the start"
    case .tooLong: "the night is longer than a week (\(SleepAxis.maximumEpochCount) epochs)"
    case .date: "the time is no date of a recording (1970-01-01 to 2199-12-31)"
    case .json(let text): text
    case .version(let version): "version \(Self.short(version)) of the schema is not supported"
    case .noInterval: "the time frame needs two of start_date_time, end_date_time and duration"
    case .quantity: "the value is not between 0 and a week in sec, min, h or d"
    case .markup: "this is not well-formed XML"
    case .entities: "the document type declares entities, which exports of Apple Health do not"
    case .entity: "an attribute has an unknown entity"
    case .longTag: "a tag is longer than 1 MiB"
    case .unexpectedEnd: "the file ends before its last element does"
    case .otherDocument: "the document is no export of Apple Health: it does not begin with HealthData"
    }
  }

  /// Returns the beginning of a text of the file.
  private static func short(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }
}
