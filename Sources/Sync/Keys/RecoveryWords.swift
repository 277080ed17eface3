/// The written form of a recovery key: 16 words of 16 bits and two check words.
///
/// The words are symbols of a Reed-Solomon code over GF(2^16) with two check symbols. Two or fewer wrong words are always
/// noticed; a single one is located, although it may be a word that exists.
package enum RecoveryWords {
  /// The number of words.
  package static let count = 18
  private static let checkCount = 2

  /// Returns the words of a key.
  package static func words(_ key: RecoveryKey) -> [String] {
    let data = (0..<(count - checkCount)).map { UInt16(key.bytes[2 * $0]) << 8 | UInt16(key.bytes[2 * $0 + 1]) }
    // The last two symbols a and b solve: a + b = s, a x^16 + b x^17 = t.
    let (sum, weighted) = sums(data)
    let (first, second) = (power(count - 2), power(count - 1))
    let last = multiply(weighted ^ multiply(sum, first), inverse(first ^ second))
    return (data + [sum ^ last, last]).map(Proquint.word)
  }

  /// Returns the key of words that are separated by anything but letters.
  package static func key(_ text: String) throws(RecoveryWordsFailure) -> RecoveryKey {
    let words = text.split { !$0.isLetter }.map(String.init)
    guard words.count == count else { throw .count(words.count) }
    var symbols: [UInt16] = []
    var wrong: [Int] = []
    for (place, word) in words.enumerated() {
      let value = Proquint.value(word)
      symbols.append(value ?? 0)
      if value == nil { wrong.append(place + 1) }
    }
    guard wrong.isEmpty else { throw .notWords(positions: wrong) }
    let (sum, weighted) = sums(symbols)
    guard sum == 0, weighted == 0 else { throw failure(sum, weighted) }
    guard let key = RecoveryKey(bytes: symbols.dropLast(checkCount).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    else { throw .checksum }
    return key
  }

  /// Locates a single wrong symbol: the quotient of both sums is the weight of its place.
  private static func failure(_ sum: UInt16, _ weighted: UInt16) -> RecoveryWordsFailure {
    guard sum != 0, weighted != 0 else { return .checksum }
    let weight = multiply(weighted, inverse(sum))
    guard let place = (0..<count).first(where: { power($0) == weight }) else { return .checksum }
    return .wrongWord(position: place + 1)
  }

  /// The sum of the symbols, and their sum weighted by the powers of x.
  private static func sums(_ symbols: [UInt16]) -> (UInt16, UInt16) {
    var (sum, weighted): (UInt16, UInt16) = (0, 0)
    for (place, symbol) in symbols.enumerated() {
      sum ^= symbol
      weighted ^= multiply(symbol, power(place))
    }
    return (sum, weighted)
  }

  // MARK: - Computing in GF(2^16)

  /// The product modulo x^16 + x^12 + x^3 + x + 1, a primitive polynomial.
  private static func multiply(_ left: UInt16, _ right: UInt16) -> UInt16 {
    var (product, factor): (UInt16, UInt16) = (0, left)
    for bit in 0..<16 {
      if right >> bit & 1 == 1 { product ^= factor }
      factor = factor << 1 ^ (factor >> 15 == 1 ? 0x100B : 0)
    }
    return product
  }

  private static func power(_ exponent: Int) -> UInt16 {
    (0..<exponent).reduce(1) { value, _ in multiply(value, 2) }
  }

  /// The inverse: the power 2^16 - 2.
  private static func inverse(_ value: UInt16) -> UInt16 {
    var (result, square): (UInt16, UInt16) = (1, value)
    for _ in 1..<16 {
      square = multiply(square, square)
      result = multiply(result, square)
    }
    return result
  }
}
