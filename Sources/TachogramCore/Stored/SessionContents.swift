/// The number of rows of each kind in some sessions, and in the other data of the same people and times.
package struct SessionContents: Hashable, Sendable {
  package var sessions: Int64 = 0
  package var notifications: Int64 = 0
  package var beats: Int64 = 0
  package var stress: Int64 = 0
  package var windows: Int64 = 0
  /// The number of readings that persons began.
  package var readings: Int64 = 0
  /// The number of hours of trends.
  package var trends: Int64 = 0
  /// The number of people who are removed because none of their sessions is left.
  package var people: Int64 = 0
  /// The start of the first session and the end of the last one.
  package var first: WallTime?
  package var last: WallTime?

  package init() {}

  /// Whether deleting this by mistake would be a serious loss: it contains a tenth or more of the notifications of `total`,
  /// which is all that is stored.
  package func isLarge(of total: SessionContents) -> Bool {
    notifications * 10 >= max(1, total.notifications) && notifications > 0
  }

  package var isEmpty: Bool { [sessions, stress, windows, readings, trends, people].allSatisfy { $0 == 0 } }
}
