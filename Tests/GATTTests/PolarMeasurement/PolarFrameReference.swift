import GATT

/// A second reading of frames, written for clarity: the content is a string of bits, and a table says how each format cuts it.
struct PolarFrameReference {
  /// How the channels of a sample become numbers.
  private enum Meaning {
    case integers, gravity, floats, gauss, milligauss, pulse, taggedECG, unsigned, statusLast
  }

  private struct Layout {
    /// The sizes of the channels in bytes.
    let channels: [Int]
    var meaning = Meaning.integers
  }

  private static let layouts: [[UInt8]: Layout] = [
    [0, 0x00]: Layout(channels: [3]),
    [0, 0x02]: Layout(channels: [3], meaning: .taggedECG),
    [1, 0x00]: Layout(channels: [3, 3, 3, 3]),
    [1, 0x05]: Layout(channels: [4], meaning: .unsigned),
    [1, 0x80]: Layout(channels: [3, 3, 3, 3]),
    [1, 0x88]: Layout(channels: Array(repeating: 3, count: 25), meaning: .statusLast),
    [2, 0x00]: Layout(channels: [1, 1, 1]),
    [2, 0x01]: Layout(channels: [2, 2, 2]),
    [2, 0x02]: Layout(channels: [3, 3, 3]),
    [2, 0x80]: Layout(channels: [2, 2, 2], meaning: .gravity),
    [2, 0x81]: Layout(channels: [2, 2, 2]),
    [3, 0x00]: Layout(channels: [1, 2, 2, 1], meaning: .pulse),
    [5, 0x81]: Layout(channels: [4, 4, 4], meaning: .floats),
    [6, 0x80]: Layout(channels: [2, 2, 2], meaning: .gauss),
    [6, 0x81]: Layout(channels: [2, 2, 2, 2], meaning: .milligauss),
  ]

  /// What the frame says, or why it says nothing.
  static func read(_ value: [UInt8], factor: Float = 1) -> Result<[[Double]], GATTDecodingError> {
    if value.count > 512 { return .failure(.tooLong(count: value.count, limit: 512)) }
    if value.isEmpty { return .failure(.empty(field: .measurementType)) }
    for (field, offset, size) in [(GATTField.frameTime, 1, 8), (.frameType, 9, 1)] where value.count < offset + size {
      let available = value.count - offset
      return .failure(.truncated(field: field, offset: offset, needed: size, available: available))
    }
    let type = value[0] % 64
    guard [0, 1, 2, 3, 5, 6].contains(type) else {
      return .failure(.unsupported(field: .measurementType, value: value[0], offset: 0))
    }
    guard let layout = layouts[[type, value[9]]] else {
      return .failure(.unsupported(field: .frameType, value: value[9], offset: 9))
    }
    let isCompressed = value[9] >= 128
    let samples = isCompressed ? compressed(value, layout) : raw(value, layout)
    return samples.map { $0.map { numbers($0, layout.meaning, factor: isCompressed ? factor : 1) } }
  }

  // MARK: - Cutting

  /// The bits of the bytes, each byte from its lowest bit.
  private static func bits(_ bytes: some Sequence<UInt8>) -> [Bool] {
    bytes.flatMap { byte in (0..<8).map { byte & (1 << $0) != 0 } }
  }

  /// The number of the bits in two's complement.
  private static func signed(_ bits: some Collection<Bool>) -> Int {
    let unsigned = bits.reversed().reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
    let isNegative = Array(bits).last ?? false
    return isNegative ? unsigned - 1 << bits.count : unsigned
  }

  private static func raw(_ value: [UInt8], _ layout: Layout) -> Result<[[Int]], GATTDecodingError> {
    let size = layout.channels.reduce(0, +)
    let content = value.dropFirst(10)
    let whole = content.count / size * size
    if whole < content.count {
      return .failure(
        .truncated(field: .sample, offset: 10 + whole, needed: size, available: content.count - whole))
    }
    return .success(stride(from: 10, to: value.count, by: size).map { sample(value[$0..<($0 + size)], layout) })
  }

  private static func sample(_ bytes: ArraySlice<UInt8>, _ layout: Layout) -> [Int] {
    var rest = bits(bytes)[...]
    return layout.channels.map { size in
      defer { rest = rest.dropFirst(8 * size) }
      return signed(rest.prefix(8 * size))
    }
  }

  private static func compressed(_ value: [UInt8], _ layout: Layout) -> Result<[[Int]], GATTDecodingError> {
    let size = layout.channels.reduce(0, +)
    if value.count < 10 + size {
      return .failure(
        .truncated(field: .referenceSample, offset: 10, needed: size, available: value.count - 10))
    }
    var samples = [sample(value[10..<(10 + size)], layout)]
    var offset = 10 + size
    while offset < value.count {
      let width = Int(value[offset])
      if width == 0 || width > 32 {
        return .failure(.unsupported(field: .deltaSize, value: value[offset], offset: offset))
      }
      if offset + 1 == value.count {
        return .failure(.truncated(field: .deltaCount, offset: offset + 1, needed: 1, available: 0))
      }
      let differences = Int(value[offset + 1]) * layout.channels.count
      let needed = (differences * width + 7) / 8
      offset += 2
      if offset + needed > value.count {
        let available = value.count - offset
        return .failure(.truncated(field: .deltaSamples, offset: offset, needed: needed, available: available))
      }
      let rest = bits(value[offset..<(offset + needed)])
      let deltas = (0..<differences).map { signed(rest[($0 * width)..<($0 * width + width)]) }
      for start in stride(from: 0, to: differences, by: layout.channels.count) {
        let last = samples[samples.count - 1]
        samples.append(last.indices.map { Int(Int32(truncatingIfNeeded: last[$0] + deltas[start + $0])) })
      }
      offset += needed
    }
    return .success(samples)
  }

  // MARK: - Meaning

  private static func numbers(_ integers: [Int], _ meaning: Meaning, factor: Float) -> [Double] {
    func rounded(_ integer: Int, _ factor: Double) -> Double {
      min(max((Double(integer) * factor).rounded(), -2_147_483_648), 2_147_483_647)
    }
    let factors = Double(factor)
    switch meaning {
    case .integers: return integers.map { rounded($0, factors) }
    case .gravity: return integers.map { rounded($0, factors * 1000) }
    case .statusLast:
      return integers.dropLast().map { rounded($0, factors) } + [Double(integers[integers.count - 1] & 0xFF_FFFF)]
    case .floats: return integers.map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)) * factor) }
    case .gauss: return integers.map { Double(Float($0) * factor) } + [-1]
    case .milligauss:
      let calibration = (0...3).contains(integers[3]) ? integers[3] : -1
      return integers.dropLast().map { Double(Float($0) * factor / 1000) } + [Double(calibration)]
    case .pulse:
      let flags = integers[3]
      let contact = flags & 4 == 0 ? 0 : flags & 2 == 0 ? 1 : 2
      return [integers[0] & 0xFF, integers[1] & 0xFFFF, integers[2] & 0xFFFF, flags & 1, contact].map { Double($0) }
    case .taggedECG: return [integers[0] & 0x3FFFF, integers[0] >> 18 & 7, integers[0] >> 21 & 7].map { Double($0) }
    case .unsigned: return integers.map { Double($0 & 0xFFFF_FFFF) }
    }
  }
}
