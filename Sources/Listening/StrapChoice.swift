import BlueZ
import CommandProcess
import Presentation
import TachogramCore

/// Finds the straps that the arguments of a command name.
package struct StrapChoice {
  package let known: [KnownStrap]

  package init(known: [KnownStrap]) {
    self.known = known
  }

  /// Reads the known straps of the database at `path`; a database that does not exist has none.
  package init(databasePath path: String) throws {
    known = try KnownStraps.all(path)
  }

  /// Returns the named straps. Without names: the known ones, or, if none is known, the first one received.
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

  /// Returns the initial name of each of `straps(words)`.
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
      + "any device can use its name. Pair it again with --bond, or switch the privacy of its Bluetooth off."
  }

  /// A strap is never identified by the name that it reports, which any device in range can use.
  private static func strap(_ strap: KnownStrap) -> BlueZSourceOptions.Strap {
    BlueZSourceOptions.Strap(.address(strap.address), wantsBond: strap.isBonded)
  }
}
