/// The requests of one kind of discovery, each continuing after the response to the previous one, until the range is complete.
///
/// Only the last response shows which items are not in the range: an item missing in one response may be in the next, and a
/// capture may lack responses.
struct DiscoveryPass<Item> {
  /// The most items that are kept, far more than a device has.
  private static var mostItems: Int { 512 }

  /// The whole range of handles.
  private(set) var range: ClosedRange<UInt16>
  private(set) var items: [Item] = []
  /// The possible first handles of the next request: after the last item, up to the handle after the end of that item.
  private var next: ClosedRange<UInt16>

  /// Creates a pass that begins with a request for these handles.
  init(asked: ClosedRange<UInt16>) {
    range = asked
    next = asked.lowerBound...asked.lowerBound
  }

  /// Whether a request for these handles continues the pass.
  func isContinued(by asked: ClosedRange<UInt16>) -> Bool {
    asked.upperBound == range.upperBound && next.contains(asked.lowerBound) && items.count <= Self.mostItems
  }

  /// Adds the items of a response, the last of which is at `last` and extends to `reach`. Returns whether the range is
  /// complete.
  mutating func add(_ items: [Item], last: UInt16, reach: UInt16) -> Bool {
    self.items += items
    guard self.items.count <= Self.mostItems else { return false }
    if max(last, reach) >= range.upperBound { return true }
    next = (last + 1)...(max(last, reach) + 1)
    return false
  }
}
