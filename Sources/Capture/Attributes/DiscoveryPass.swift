/// Requests of one kind of discovery, each of which goes on behind the answer to the one before, until nothing is left.
///
/// Only when the last is answered is known what does not stand in its range: what is missing in a single answer may stand in the
/// next, and a capture may have lost answers.
struct DiscoveryPass<Item> {
  /// The most items that are kept, far more than a device has.
  private static var mostItems: Int { 512 }

  /// All handles that it is about.
  private(set) var range: ClosedRange<UInt16>
  private(set) var items: [Item] = []
  /// Where its next request begins: behind the last item, or what the item reaches to.
  private var next: ClosedRange<UInt16>

  /// Begins with a request for these handles.
  init(asked: ClosedRange<UInt16>) {
    range = asked
    next = asked.lowerBound...asked.lowerBound
  }

  /// Whether a request for these handles goes on with it.
  func isContinued(by asked: ClosedRange<UInt16>) -> Bool {
    asked.upperBound == range.upperBound && next.contains(asked.lowerBound) && items.count <= Self.mostItems
  }

  /// Takes the items of an answer; the last of them stands at `last` and reaches to `reach`. Whether nothing is left.
  mutating func add(_ items: [Item], last: UInt16, reach: UInt16) -> Bool {
    self.items += items
    guard self.items.count <= Self.mostItems else { return false }
    if max(last, reach) >= range.upperBound { return true }
    next = (last + 1)...(max(last, reach) + 1)
    return false
  }
}
