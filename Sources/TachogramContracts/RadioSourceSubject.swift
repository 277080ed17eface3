import TachogramCore

/// A radio source under test, with straps that notify on demand.
package struct RadioSourceSubject: Sendable {
  /// Waits until the source has emitted a number of notifications of all straps, or the stream has ended.
  package typealias Heard = @Sendable (Int) async -> Void

  package let source: any RadioSourceProtocol
  /// The values that the straps notify, in order, by the ordinal of the strap. A repeating source emits them again and again.
  package let values: [Int: [[UInt8]]]
  /// Whether the source ends by itself after the values.
  package let endsByItself: Bool
  /// Whether the source starts again after the values.
  package let repeats: Bool
  /// Makes the straps notify their values, on links that may end in between. It is called once there is a listener, with a
  /// closure that waits for emitted notifications. A link must not end before that, since values not emitted by then are lost.
  package let play: @Sendable (@escaping Heard) async throws -> Void
  /// Waits until the source has released its resources, after it was stopped or its listener left.
  package let released: @Sendable () async throws -> Void

  package init(
    source: any RadioSourceProtocol, values: [Int: [[UInt8]]], endsByItself: Bool = false, repeats: Bool = false,
    play: @escaping @Sendable (@escaping Heard) async throws -> Void = { _ in },
    released: @escaping @Sendable () async throws -> Void = {},
  ) {
    self.source = source
    self.values = values
    self.endsByItself = endsByItself
    self.repeats = repeats
    self.play = play
    self.released = released
  }
}
