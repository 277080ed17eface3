/// The reason why words are not a recovery key. Positions are counted from 1.
package enum RecoveryWordsFailure: Error, Hashable {
  /// The number of words is not `RecoveryWords.count`.
  case count(Int)
  /// These words cannot be words of a key.
  case notWords(positions: [Int])
  /// This word is not the one that was shown, if all others are.
  case wrongWord(position: Int)
  /// Several words are not those that were shown.
  case checksum
}

extension RecoveryWordsFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .count(let count): "a recovery key has \(RecoveryWords.count) words; \(count) were entered"
    case .notWords(let positions) where positions.count == 1: "word \(positions[0]) has a spelling error"
    case .notWords(let positions):
      "words \(positions.map(String.init).joined(separator: ", ")) have spelling errors"
    case .wrongWord(let position):
      "word \(position) is not the word that was shown; compare it with what you wrote down"
    case .checksum: "several words are wrong or not in order; compare them with what you wrote down"
    }
  }
}
