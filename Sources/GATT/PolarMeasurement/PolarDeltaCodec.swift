/// The samples of a compressed frame (PMD Specification, "Delta frame sample example from Polar Verity Sense").
///
///     reference sample   each channel as a signed integer of the resolution, in whole bytes
///     groups             to the end of the frame:
///       size        1    bits of each difference, 1 … 32
///       count       1    samples of the group, 0 … 255
///       differences      of each sample to the one before it, each channel in turn, signed, the lowest bit first; the last
///                        byte is filled up
enum PolarDeltaCodec {
  private static let sizes: ClosedRange<UInt8> = 1...32
  /// The samples of a written group. Groups have their own sizes: shorter ones adapt faster, and have more headers.
  private static let groupLength = 16

  /// Reads the integers of all samples, channel by channel: `channels` for each sample, at least one sample. A channel has 1 …
  /// 4 `bytes` in the reference sample. Sums wrap at 32 bits, as those of Polar's SDK do; channels with 32 bits need that. A
  /// size of 0 is refused: Polar's SDK ignores the samples of such a group, and no strap is known to send one.
  static func decode(
    _ reader: inout PolarByteReader, channels: Int, bytes: Int
  ) throws(GATTDecodingError) -> [Int32] {
    guard reader.remaining >= channels * bytes else {
      throw .truncated(
        field: .referenceSample, offset: reader.offset, needed: channels * bytes, available: reader.remaining)
    }
    var integers: [Int32] = []
    for _ in 0..<channels { integers.append(try reader.signed(bytes, .referenceSample)) }
    while !reader.isAtEnd {
      let offset = reader.offset
      let size = try reader.byte(.deltaSize)
      guard sizes.contains(size) else { throw .unsupported(field: .deltaSize, value: size, offset: offset) }
      let count = Int(try reader.byte(.deltaCount)) * channels
      var bits = (try reader.slice((count * Int(size) + 7) / 8, .deltaSamples)).makeIterator()
      var (buffer, filled): (UInt64, UInt8) = (0, 0)
      for _ in 0..<count {
        while filled < size, let byte = bits.next() {
          buffer |= UInt64(byte) << UInt64(filled)
          filled += 8
        }
        let unused = Int32(32 - size)
        let delta = (Int32(truncatingIfNeeded: buffer) << unused) >> unused
        buffer >>= UInt64(size)
        filled -= size
        integers.append(integers[integers.count - channels] &+ delta)
      }
    }
    return integers
  }

  /// Writes the integers of samples, `channels` for each and at least one sample, of 1 … 4 bytes in the reference sample.
  /// Integers that do not fit into these bytes saturate.
  static func encode(_ integers: [Int32], channels: Int, bytes: Int) -> [UInt8] {
    let limit = Int32.max >> Int32(32 - 8 * bytes)
    let integers = integers.map { min(max($0, -limit - 1), limit) }
    var encoded: [UInt8] = []
    for integer in integers.prefix(channels) { encoded.append(integer, bytes: bytes) }
    let deltas = zip(integers.dropFirst(channels), integers).map { $0 &- $1 }
    for start in stride(from: 0, to: deltas.count, by: groupLength * channels) {
      let group = deltas[start..<min(start + groupLength * channels, deltas.count)]
      append(group, count: group.count / channels, to: &encoded)
    }
    return encoded
  }

  private static func append(_ deltas: ArraySlice<Int32>, count: Int, to encoded: inout [UInt8]) {
    let size = deltas.map { 33 - ($0 < 0 ? ~$0 : $0).leadingZeroBitCount }.max() ?? 1
    encoded += [UInt8(size), UInt8(count)]
    var (buffer, filled): (UInt64, Int) = (0, 0)
    for delta in deltas {
      buffer |= (UInt64(UInt32(bitPattern: delta)) & (1 << UInt64(size) - 1)) << UInt64(filled)
      filled += size
      while filled >= 8 {
        encoded.append(UInt8(truncatingIfNeeded: buffer))
        buffer >>= 8
        filled -= 8
      }
    }
    if filled > 0 { encoded.append(UInt8(truncatingIfNeeded: buffer)) }
  }
}
