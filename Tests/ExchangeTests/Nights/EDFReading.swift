import Testing

/// A reader of EDF+ for tests: by the specification alone, apart from the writer.
struct EDFReading {
  struct Annotation: Equatable {
    let onset: Double
    let duration: Double?
    let texts: [String]
  }

  let kind: String
  let patient: String
  let recording: String
  let start: String
  let recordSeconds: Double
  /// The samples per record of each signal.
  let sizes: [Int]
  let dimension: String
  /// The physical value of digital 1.
  let scale: Double
  /// The digital samples of the first signal, unless it has annotations, record by record.
  private(set) var records: [[Int]] = []
  private(set) var annotations: [Annotation] = []
  /// The onset of each record.
  private(set) var onsets: [Double] = []

  init(_ bytes: [UInt8]) throws {
    func text(_ start: Int, _ count: Int) -> String {
      let field = String(decoding: bytes[start..<start + count], as: UTF8.self)
      return String(field.reversed().drop { $0 == " " }.reversed())
    }
    let count = try #require(Int(text(252, 4)))
    func field(_ start: Int, _ width: Int, _ signal: Int) -> String {
      text(256 + start * count + width * signal, width)
    }
    kind = text(192, 44)
    patient = text(8, 80)
    recording = text(88, 80)
    start = text(168, 16)
    recordSeconds = try #require(Double(text(244, 8)))
    sizes = (0..<count).compactMap { Int(field(216, 8, $0)) }
    dimension = field(96, 8, 0)
    scale =
      try (#require(Double(field(112, 8, 0))) - #require(Double(field(104, 8, 0))))
      / (#require(Double(field(128, 8, 0))) - #require(Double(field(120, 8, 0))))
    let recordCount = try #require(Int(text(236, 8)))
    var position = try #require(Int(text(184, 8)))
    #expect(position == 256 * (count + 1) && sizes.count == count)
    #expect(bytes.count == position + recordCount * 2 * sizes.reduce(0, +))
    #expect(bytes[..<position].allSatisfy { (0x20...0x7E).contains($0) })
    for _ in 0..<recordCount {
      for (signal, size) in sizes.enumerated() {
        let part = bytes[position..<position + 2 * size]
        position += 2 * size
        if field(0, 16, signal) == "EDF Annotations" {
          try read(part)
        } else {
          records.append(
            stride(from: part.startIndex, to: part.endIndex, by: 2).map {
              Int(Int16(truncatingIfNeeded: Int(part[$0]) | Int(part[$0 + 1]) << 8))
            })
        }
      }
    }
  }

  private mutating func read(_ part: ArraySlice<UInt8>) throws {
    for (index, list) in part.split(separator: 0).enumerated() {
      let fields = list.split(separator: 20, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      let times = try #require(fields.first).split(separator: "\u{15}").map(String.init)
      let onset = try #require(times.first.flatMap(Double.init))
      #expect(list.first == UInt8(ascii: "+") && fields.last == "")
      let texts = Array(fields.dropFirst().dropLast())
      if index == 0 {
        #expect(texts == [""])
        onsets.append(onset)
      } else {
        annotations.append(
          Annotation(onset: onset, duration: times.dropFirst().first.flatMap(Double.init), texts: texts))
      }
    }
  }
}
