import Testing

@testable import Sync

@Suite("Recovery key")
struct RecoveryKeyTests {
  private static func key(_ seed: UInt64) throws -> RecoveryKey {
    var random = TestRandom(seed: seed)
    return try #require(RecoveryKey(bytes: random.bytes(32)))
  }

  private static func failure(_ words: [String]) -> RecoveryWordsFailure? {
    do throws(RecoveryWordsFailure) {
      _ = try RecoveryWords.key(words.joined(separator: " "))
      return nil
    } catch {
      return error
    }
  }

  @Test func testWords_RoundTrip() throws {
    for seed in 0..<200 as Range<UInt64> {
      let key = try Self.key(seed)
      let words = RecoveryWords.words(key)
      #expect(words.count == 18)
      #expect(try RecoveryWords.key(words.joined(separator: "-\n").uppercased()) == key)
    }
  }

  @Test func testWords_WithOneOtherWord_NamePosition() throws {
    var random = TestRandom(seed: 7)
    let words = RecoveryWords.words(try Self.key(1))
    for place in words.indices {
      for _ in 0..<50 {
        var wrong = words
        wrong[place] = Proquint.word(UInt16.random(in: 0...UInt16.max, using: &random))
        let expected: RecoveryWordsFailure? = wrong == words ? nil : .wrongWord(position: place + 1)
        #expect(Self.failure(wrong) == expected)
      }
    }
  }

  @Test func testWords_WithTwoWrongWords_AreAlwaysRefused() throws {
    var random = TestRandom(seed: 8)
    let words = RecoveryWords.words(try Self.key(2))
    for _ in 0..<2000 {
      var wrong = words
      let places = words.indices.shuffled(using: &random).prefix(2)
      for place in places { wrong[place] = Proquint.word(UInt16.random(in: 0...UInt16.max, using: &random)) }
      if wrong != words { #expect(Self.failure(wrong) != nil) }
    }
    for place in 1..<words.count where words[place] != words[place - 1] {
      var swapped = words
      swapped.swapAt(place, place - 1)
      #expect(Self.failure(swapped) != nil)
    }
  }

  @Test func testWords_ThatCannotExist_AreNamed() throws {
    var words = RecoveryWords.words(try Self.key(3))
    #expect(Self.failure(Array(words.dropLast())) == .count(17))
    words[4] = "house"
    words[11] = "xylem"
    #expect(Self.failure(words) == .notWords(positions: [5, 12]))
    #expect("\(RecoveryWordsFailure.notWords(positions: [5]))" == "word 5 has a spelling error")
  }

  @Test func testKeys_DeriveTheSameMember() throws {
    let key = try Self.key(4)
    #expect(try key.keys().identity.id == key.keys().identity.id)
    #expect(try key.keys().id != Self.key(5).keys().id)
    #expect(try key.keys().identity.signingKey != key.keys().identity.agreementKey)
  }
}
