/// What sessions hold, and what is stored beside them of the same people and times.
package struct SessionContents: Hashable, Sendable {
  package var sessions: Int64 = 0
  package var notifications: Int64 = 0
  package var beats: Int64 = 0
  package var stress: Int64 = 0
  package var windows: Int64 = 0
  /// Hours of trends.
  package var trends: Int64 = 0
  /// People who are forgotten, for nothing is left of them.
  package var people: Int64 = 0
  /// Where the first of them begins and the last ends.
  package var first: WallTime?
  package var last: WallTime?

  package init() {}

  /// Whether it is so much of all that is stored, `total`, that losing it by mistake would be a loss: a tenth or more.
  package func isLarge(of total: SessionContents) -> Bool {
    notifications * 10 >= max(1, total.notifications) && notifications > 0
  }

  package var isEmpty: Bool { [sessions, stress, windows, trends, people].allSatisfy { $0 == 0 } }
}
