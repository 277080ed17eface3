/// Decides which link connects on which adapter. An adapter connects one strap at a time. A strap that was received only by a
/// busy adapter therefore waits while a free adapter may still receive it. Otherwise, straps that are found at the same time
/// would all queue at the adapter that happened to receive them first.
struct ConnectionScheduler: Sendable {
  private var adapters: [Int: String] = [:]
  /// The links that wait for the end of a turn.
  private var waiting: Set<Int> = []

  /// Returns whether a link may connect on `adapter` now. If so, its turn lasts until `end`. `deaf` contains the other
  /// listening adapters, which have not received the strap.
  mutating func acquire(link: Int, on adapter: String, deaf: [String]) -> Bool {
    let taken = others(than: link)
    if taken.contains(adapter), deaf.contains(where: { !taken.contains($0) }) {
      waiting.insert(link)
      return false
    }
    adapters[link] = adapter
    waiting.remove(link)
    return true
  }

  /// Ends a link's turn, if it has one, and returns the links that waited for that.
  mutating func end(link: Int) -> Set<Int> {
    guard adapters.removeValue(forKey: link) != nil else { return [] }
    defer { waiting = [] }
    return waiting
  }

  /// The adapters on which other links connect, with one element per link.
  func others(than link: Int) -> [String] {
    adapters.compactMap { $0.key == link ? nil : $0.value }
  }
}
