import NIOCore

/// A body that arrives in chunks (RFC 9112, 7.1). Extensions and trailers are ignored.
struct ChunkedBody {
  private enum Phase {
    case size
    case data(Int)
    case trailers
  }

  /// The maximum length of a line with a chunk's size and extensions, in octets.
  private static let longestSize = 1024
  /// The maximum length of all size lines together, in octets. With many small chunks they exceed the body.
  private static let mostSizes = 256 * 1024

  private let limit: Int
  private var phase = Phase.size
  private var sizes = 0
  private var trailers = RequestFields()
  private(set) var bytes = ByteBuffer()

  /// `limit` is the largest body, in octets.
  init(limit: Int) {
    self.limit = limit
  }

  /// Reads the available bytes. Returns whether the body is complete.
  mutating func read(_ reader: inout LineReader) throws(RequestFailure) -> Bool {
    while true {
      switch phase {
      case .size:
        guard let line = try reader.readLine(limit: Self.longestSize, orThrow: .chunk) else { return false }
        sizes += line.count
        guard sizes <= Self.mostSizes else { throw .chunk }
        let size = try size(of: line)
        phase = size == 0 ? .trailers : .data(size)
      case .data(let size):
        guard var data = reader.readBytes(size + 2) else { return false }
        bytes.writeImmutableBuffer(data.readSlice(length: size) ?? ByteBuffer())
        guard data.readableBytesView.elementsEqual([HTTPOctets.carriageReturn, HTTPOctets.lineFeed]) else {
          throw .chunk
        }
        phase = .size
      case .trailers:
        guard let line = try reader.readLine(limit: trailers.room, orThrow: .fieldsTooLarge) else { return false }
        if line.isEmpty { return true }
        try trailers.append(line)
      }
    }
  }

  private func size(of line: [UInt8]) throws(RequestFailure) -> Int {
    let digits = line.prefix { HTTPOctets.hexadecimal($0) != nil }
    guard !digits.isEmpty else { throw .chunk }
    let rest = line[digits.endIndex...]
    if !rest.isEmpty {
      let isExtension = HTTPOctets.trimmed(rest).first == UInt8(ascii: ";")
      guard isExtension, rest.allSatisfy(HTTPOctets.isFieldContent) else { throw .chunk }
    }
    var size = 0
    for digit in digits {
      size = size * 16 + (HTTPOctets.hexadecimal(digit) ?? 0)
      // Checked with each digit, before the size can overflow.
      guard size <= limit - bytes.readableBytes else { throw .bodyTooLarge(limit: limit) }
    }
    return size
  }
}
