/// Pronounceable words of 16 bits: consonant, vowel, consonant, vowel, consonant (Wilkerson, "A Proposal for Proquints:
/// Identifiers that are Readable, Spellable, and Pronounceable", 2009).
package enum Proquint {
  private static let consonants = Array("bdfghjklmnprstvz".utf8)
  private static let vowels = Array("aiou".utf8)

  /// Returns the word of 16 bits.
  package static func word(_ value: UInt16) -> String {
    let letters = [
      consonants[Int(value >> 12)], vowels[Int(value >> 10 & 3)], consonants[Int(value >> 6 & 15)],
      vowels[Int(value >> 4 & 3)], consonants[Int(value & 15)],
    ]
    return String(decoding: letters, as: UTF8.self)
  }

  /// Returns the 16 bits of a word in upper or lower case, or `nil` for any other text.
  package static func value(_ word: some StringProtocol) -> UInt16? {
    let letters = Array(word.utf8).map { (65...90).contains($0) ? $0 + 32 : $0 }
    guard letters.count == 5 else { return nil }
    var value: UInt16 = 0
    for (place, letter) in letters.enumerated() {
      let isVowel = place == 1 || place == 3
      guard let index = (isVowel ? vowels : consonants).firstIndex(of: letter) else { return nil }
      value = value << (isVowel ? 2 : 4) | UInt16(index)
    }
    return value
  }
}
