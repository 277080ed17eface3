import CZlib
import CommandProcess
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

@Suite("ZIP files")
struct ZipWriterTests {
  private final class Bytes: ByteSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: [UInt8]) throws { self.bytes += bytes }
  }

  private struct Refusal: Error {}

  private final class FullSink: ByteSink {
    private var left: Int

    init(_ count: Int) {
      left = count
    }

    func write(_ bytes: [UInt8]) throws {
      left -= bytes.count
      if left < 0 { throw Refusal() }
    }
  }

  private static func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }

  /// Reads a ZIP file by its list of files, as programs do: the contents by name.
  private static func read(_ zip: [UInt8]) throws -> [String: [UInt8]] {
    let end = zip.count - 22
    try #require(end >= 0 && number(zip, end, 4) == 0x0605_4B50)
    var (files, at) = ([String: [UInt8]](), number(zip, end + 16, 4))
    #expect(at + number(zip, end + 12, 4) == end)
    for _ in 0..<number(zip, end + 10, 2) {
      try #require(number(zip, at, 4) == 0x0201_4B50)
      let (crc, packed, size) = (number(zip, at + 16, 4), number(zip, at + 20, 4), number(zip, at + 24, 4))
      let (length, local) = (number(zip, at + 28, 2), number(zip, at + 42, 4))
      let name = String(decoding: zip[(at + 46)..<(at + 46 + length)], as: UTF8.self)
      try #require(number(zip, local, 4) == 0x0403_4B50)
      let start = local + 30 + number(zip, local + 26, 2) + number(zip, local + 28, 2)
      let contents = try inflated(Array(zip[start..<(start + packed)]), size)
      #expect(Int(crc32(0, contents, UInt32(contents.count))) == crc)
      // The sizes follow the file.
      #expect(number(zip, start + packed, 4) == 0x0807_4B50 && number(zip, start + packed + 12, 4) == size)
      files[name] = contents
      at += 46 + length
    }
    #expect(at == end)
    return files
  }

  private static func inflated(_ bytes: [UInt8], _ size: Int) throws -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    try #require(inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: size + 1))
    let result = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        (stream.pointee.next_in, stream.pointee.avail_in) = (source.baseAddress, UInt32(source.count))
        (stream.pointee.next_out, stream.pointee.avail_out) = (target.baseAddress, UInt32(target.count))
        return inflate(stream, Z_FINISH)
      }
    }
    #expect(result == Z_STREAM_END)
    return Array(output.prefix(Int(stream.pointee.total_out)))
  }

  @Test func testFiles_AreReadAsTheyWereWritten() throws {
    var random = SplitMix64(seed: 7)
    let contents: [String: [UInt8]] = [
      "empty.csv": [], "one.csv": [65], "Änne.json": Array(String(repeating: "{\"rr\":1024},", count: 50_000).utf8),
      "random.bin": (0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) },
    ]
    let sink = Bytes()
    let zip = ZipWriter(to: sink)
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      try zip.add(name, modified: WallTime(microseconds: 1_774_760_400_000_000)) { file in
        for start in stride(from: 0, to: bytes.count, by: 7_001) {
          try file.write(Array(bytes[start..<min(bytes.count, start + 7_001)]))
        }
      }
    }
    try zip.finish()
    #expect(try Self.read(sink.bytes) == contents)
    // 2026-03-29 05:00:00.
    #expect(Self.number(sink.bytes, 10, 4) == (46 << 9 | 3 << 5 | 29) << 16 | 5 << 11)
  }

  @Test func testNoFile_IsAValidArchive() throws {
    let sink = Bytes()
    try ZipWriter(to: sink).finish()
    #expect(try Self.read(sink.bytes) == [:])
  }

  @Test(arguments: [WallTime(microseconds: .min), WallTime(microseconds: 0), WallTime(microseconds: .max)])
  func testTimesThatTheFormatLacks_AreReplaced(time: WallTime) throws {
    let sink = Bytes()
    let zip = ZipWriter(to: sink)
    try zip.add("a", modified: time) { try $0.write([1, 2]) }
    try zip.finish()
    #expect(try Self.read(sink.bytes) == ["a": [1, 2]])
    #expect(Self.number(sink.bytes, 10, 4) == 1 << 21 | 1 << 16)
  }

  @Test(arguments: [0, 29, 40, 1000])
  func testSinkThatFails_EndsTheExportWithItsError(room: Int) throws {
    let zip = ZipWriter(to: FullSink(room))
    var random = SplitMix64(seed: 1)
    let bytes = (0..<100_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(throws: Refusal.self) {
      try zip.add("a", modified: WallTime(microseconds: 0)) { try $0.write(bytes) }
      try zip.finish()
    }
  }
}
