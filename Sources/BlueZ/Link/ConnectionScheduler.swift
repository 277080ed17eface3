/// Which link connects on which adapter now. An adapter connects one strap at a time, so a strap that was heard only
/// where another is being connected waits while an adapter that is free may still hear it: else all straps that come
/// with one breath of the radio stand in line at the adapter that happened to listen first.
struct ConnectionScheduler: Sendable {
  private var adapters: [Int: String] = [:]
  /// Links that wait for a turn to end.
  private var waiting: Set<Int> = []

  /// Whether a link may connect on `adapter` now; then it is its turn, until `end`. `deaf` are the other adapters that
  /// listen and have not heard the strap.
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

  /// The adapters where other links connect, each as often as there are such links.
  func others(than link: Int) -> [String] {
    adapters.compactMap { $0.key == link ? nil : $0.value }
  }
}
