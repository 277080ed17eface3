import BlueZ
import CommandProcess
import Presentation
import TachogramCore

/// Finds the straps that the arguments of a command name.
package struct StrapChoice {
  package let known: [KnownStrap]
  /// What is asked of straps beside the heart rate.
  package var sensors = SensorWishes()
  /// Whether no strap is listened to while none is known, instead of the first one received.
  package var onlyKnown = false

  package init(known: [KnownStrap]) {
    self.known = known
  }

  /// Reads the known straps of the database at `path`; a database that does not exist has none.
  package init(databasePath path: String) throws {
    known = try KnownStraps.all(path)
  }

  /// Returns the named straps. Without names: the known ones, or, if none is known, the first one received, unless `onlyKnown`.
  package func straps(_ words: [String]) throws -> [BlueZSourceOptions.Strap] {
    if words.isEmpty {
      return known.isEmpty && !onlyKnown ? [strap(.any, [])] : known.map(strap)
    }
    return try words.map { word in
      if let strap = strap(named: word) { return self.strap(strap) }
      let callingThemselves = known.filter { $0.advertisedName == word }
      if let strap = callingThemselves.first {
        guard callingThemselves.count == 1 else {
          throw CommandFailure(
            "\(callingThemselves.count) known straps call themselves \(word); name one as `tachogram straps` does",
            code: .badUsage)
        }
        return self.strap(strap)
      }
      if let address = BluetoothAddress(text: word) { return strap(.address(address), [word]) }
      guard !word.isEmpty else { throw CommandFailure("an empty word names no strap", code: .badUsage) }
      return strap(.name(word), [word])
    }
  }

  /// Returns the initial name of each of `straps(words)`.
  package func names(_ words: [String]) -> [String] {
    if words.isEmpty { return known.isEmpty && !onlyKnown ? ["any strap"] : known.map(\.name) }
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
  private func strap(_ strap: KnownStrap) -> BlueZSourceOptions.Strap {
    let names = [strap.name, strap.address.description] + (strap.advertisedName.map { [$0] } ?? [])
    return self.strap(.address(strap.address), names, wantsBond: strap.isBonded)
  }

  private func strap(
    _ selector: StrapSelector, _ names: [String], wantsBond: Bool = false
  ) -> BlueZSourceOptions.Strap {
    BlueZSourceOptions.Strap(selector, wantsBond: wantsBond, streams: sensors.streams(of: names))
  }
}
