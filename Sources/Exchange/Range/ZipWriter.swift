import CZlib
import CommandProcess
import TachogramCore

/// Writes a ZIP file (APPNOTE.TXT of PKWARE, version 2.0) piece by piece: deflated files, each followed by its sizes, and the
/// list of files at the end. Only the list is kept in memory. Written by hand, because libarchive brings libxml2 and ICU into
/// every process (ADR 22).
final class ZipWriter {
  private struct Entry {
    let name: [UInt8]
    /// The time and date of MS-DOS, in UTC.
    let stamp: UInt32
    let offset: UInt32
    var checksum: UInt32 = 0
    var size: UInt32 = 0
    var compressedSize: UInt32 = 0
  }

  /// The sizes follow the file (bit 3), and the name is UTF-8 (bit 11).
  private static let flags: UInt16 = 0x0808
  private static let (version, deflated): (UInt16, UInt16) = (20, 8)
  /// The numbers of the format are of 16 and 32 bits.
  private static let mostFiles = 65_535

  private let sink: any ByteSink
  private var entries: [Entry] = []
  private var position: UInt64 = 0

  init(to sink: any ByteSink) {
    self.sink = sink
  }

  /// Adds a file with the bytes that `body` writes. `modified` is shown as its time.
  func add(_ name: String, modified: WallTime, _ body: (any ByteSink) throws -> Void) throws {
    guard entries.count < Self.mostFiles else { throw Self.tooLarge }
    var entry = Entry(name: Array(name.utf8), stamp: Self.stamp(modified), offset: try Self.small(position))
    var head: [UInt8] = []
    head.append(number: 0x0403_4B50 as UInt32)
    append(entry, to: &head)
    head.append(number: 0 as UInt16)
    try write(head + entry.name)
    let start = position
    let file = try DeflatedFile(to: self)
    try body(file)
    try file.finish()
    (entry.checksum, entry.size) = (file.checksum, try Self.small(file.size))
    entry.compressedSize = try Self.small(position - start)
    var sizes: [UInt8] = []
    for number in [0x0807_4B50, entry.checksum, entry.compressedSize, entry.size] { sizes.append(number: number) }
    try write(sizes)
    entries.append(entry)
  }

  /// Writes the list of files, which ends the ZIP file.
  func finish() throws {
    let start = try Self.small(position)
    for entry in entries {
      var row: [UInt8] = []
      row.append(number: 0x0201_4B50 as UInt32)
      // Made on Unix, whose modes are in the upper half of the attributes: a file that its owner reads and writes.
      row.append(number: 3 << 8 | Self.version)
      append(entry, to: &row)
      // No extra field, comment or disk number; internal attributes.
      for _ in 0..<4 { row.append(number: 0 as UInt16) }
      row.append(number: 0o100600 << 16 as UInt32)
      row.append(number: entry.offset)
      try write(row + entry.name)
    }
    let size = try Self.small(position) - start
    var end: [UInt8] = []
    end.append(number: 0x0605_4B50 as UInt32)
    for number in [0, 0, UInt16(entries.count), UInt16(entries.count)] as [UInt16] { end.append(number: number) }
    end.append(number: size)
    end.append(number: start)
    end.append(number: 0 as UInt16)
    try write(end)
  }

  /// Appends the fields that a file and its row in the list have in common.
  private func append(_ entry: Entry, to head: inout [UInt8]) {
    for number in [Self.version, Self.flags, Self.deflated] { head.append(number: number) }
    for number in [entry.stamp, entry.checksum, entry.compressedSize, entry.size] { head.append(number: number) }
    head.append(number: UInt16(entry.name.count))
  }

  fileprivate func write(_ bytes: [UInt8]) throws {
    try sink.write(bytes)
    position += UInt64(bytes.count)
  }

  private static func small(_ number: UInt64) throws -> UInt32 {
    guard let small = UInt32(exactly: number) else { throw tooLarge }
    return small
  }

  private static let tooLarge = CommandFailure(
    "a ZIP file holds 65535 files and 4 GiB; export a shorter time, or into a folder with `tachogram export`")

  /// Returns the time and date of MS-DOS, which begins in 1980 and counts two seconds.
  private static func stamp(_ time: WallTime) -> UInt32 {
    let text = Array(Timestamp.text(time).utf8)
    func number(_ range: Range<Int>) -> UInt32 {
      range.upperBound <= text.count ? text[range].reduce(0) { $0 * 10 + UInt32($1 &- 48) % 10 } : 0
    }
    let year = number(0..<4)
    guard (1980...2107).contains(year) else { return 1 << 21 | 1 << 16 }
    let date = (year - 1980) << 9 | number(5..<7) << 5 | number(8..<10)
    return date << 16 | number(11..<13) << 11 | number(14..<16) << 5 | number(17..<19) / 2
  }

  /// The file that is being added.
  private final class DeflatedFile: ByteSink {
    private let writer: ZipWriter
    /// zlib keeps a pointer to it, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private(set) var checksum: UInt32 = 0
    private(set) var size: UInt64 = 0
    private var output = [UInt8](repeating: 0, count: 1 << 15)

    init(to writer: ZipWriter) throws {
      self.writer = writer
      stream.initialize(to: z_stream())
      guard tachogram_deflate_begin(stream) == Z_OK else { throw CommandFailure("there is no memory for a ZIP file") }
    }

    deinit {
      deflateEnd(stream)
      stream.deallocate()
    }

    func write(_ bytes: [UInt8]) throws {
      try bytes.withUnsafeBufferPointer { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let piece = UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
          checksum = UInt32(truncatingIfNeeded: crc32(UInt(checksum), piece.baseAddress, UInt32(piece.count)))
          try deflate(piece, Z_NO_FLUSH)
          rest = rest.dropFirst(piece.count)
        }
      }
      size += UInt64(bytes.count)
    }

    func finish() throws {
      try deflate(UnsafeBufferPointer(start: nil, count: 0), Z_FINISH)
    }

    private func deflate(_ input: UnsafeBufferPointer<UInt8>, _ flush: Int32) throws {
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let count = output.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          _ = CZlib.deflate(stream, flush)
          return buffer.count - Int(stream.pointee.avail_out)
        }
        if count > 0 { try writer.write(Array(output.prefix(count))) }
      } while stream.pointee.avail_out == 0
    }
  }
}

extension [UInt8] {
  /// Appends an integer, the least significant byte first.
  fileprivate mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
