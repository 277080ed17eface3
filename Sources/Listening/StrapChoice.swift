import BlueZ
import CommandProcess
import Presentation
import TachogramCore

/// Finds out which straps the words on the command line mean.
package struct StrapChoice {
  package let known: [KnownStrap]

  package init(known: [KnownStrap]) {
    self.known = known
  }

  /// The straps that are known to the database at `path`; none when there is no database yet.
  package init(databasePath path: String) throws {
    known = try KnownStraps.all(path)
  }

  /// The straps that are meant. Without words: the known ones, or, while none is known, the first that is heard.
  package func straps(_ words: [String]) throws -> [BlueZSourceOptions.Strap] {
    if words.isEmpty {
      return known.isEmpty ? [BlueZSourceOptions.Strap(.any)] : known.map(Self.strap)
    }
    return try words.map { word in
      if let strap = strap(named: word) { return Self.strap(strap) }
      let callingThemselves = known.filter { $0.advertisedName == word }
      if let strap = callingThemselves.first {
        guard callingThemselves.count == 1 else {
          throw CommandFailure(
            "\(callingThemselves.count) known straps call themselves \(word); name one as `tachogram straps` does",
            code: .badUsage)
        }
        return Self.strap(strap)
      }
      if let address = BluetoothAddress(text: word) { return BlueZSourceOptions.Strap(.address(address)) }
      guard !word.isEmpty else { throw CommandFailure("an empty word names no strap", code: .badUsage) }
      return BlueZSourceOptions.Strap(.name(word))
    }
  }

  /// What to call each of `straps(words)` until more is known of it.
  package func names(_ words: [String]) -> [String] {
    if words.isEmpty { return known.isEmpty ? ["any strap"] : known.map(\.name) }
    return words.map { word in
      strap(named: word)?.name ?? known.first { $0.advertisedName == word }?.name ?? word
    }
  }

  /// The known strap that a word means: its name, in either case, or its address.
  package func strap(named word: String) -> KnownStrap? {
    known.first { $0.name.lowercased() == word.lowercased() }
      ?? BluetoothAddress(text: word).flatMap { address in known.first { $0.address.matches(address) } }
  }

  /// What to tell of a strap that will not be recognised when it comes back; `nil` where there is nothing to report.
  package static func warning(_ strap: KnownStrap) -> String? {
    if strap.isRecognisable { return nil }
    return
      "\(TerminalText.safe(strap.name)) changes its address and is not bonded: it is a stranger when it comes back, since "
      + "anybody can use its name. Pair it again with --bond, or switch the privacy of its Bluetooth off."
  }

  /// Never by what it calls itself: anybody in range can call himself so.
  private static func strap(_ strap: KnownStrap) -> BlueZSourceOptions.Strap {
    BlueZSourceOptions.Strap(.address(strap.address), wantsBond: strap.isBonded)
  }
}
