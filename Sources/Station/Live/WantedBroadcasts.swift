import BlueZ
import Listening
import TachogramCore

/// The straps whose heart rate is received from advertisements, and the radio that receives it.
package struct WantedBroadcasts: Sendable {
  package let board: BroadcastBoard
  package let source: BlueZBroadcasts

  /// Creates it for straps by name or address, or `all`; returns `nil` for none. Throws an error for a word that names no strap.
  package init?(_ words: [String], _ radio: RadioChoice, _ known: [KnownStrap]) throws {
    if words.isEmpty { return nil }
    let choice = StrapChoice(known: known)
    let filter = BroadcastFilter(words.contains("all") ? [] : try choice.straps(words).map(\.selector))
    board = BroadcastBoard(filter: filter, known: known)
    source = radio.broadcasts()
  }
}
