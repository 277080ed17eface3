import TachogramCore

/// A radio source under test, with straps that can be made to notify.
package struct RadioSourceSubject: Sendable {
  /// Returns when so many notifications of all straps were emitted, or the stream ended.
  package typealias Heard = @Sendable (Int) async -> Void

  package let source: any RadioSourceProtocol
  /// What the straps notify, in order, by the ordinal of the strap. A source that begins again when it came to the end tells it
  /// over and over.
  package let values: [Int: [[UInt8]]]
  /// Whether the source ends by itself behind the values.
  package let endsByItself: Bool
  /// Whether it begins again behind the values.
  package let repeats: Bool
  /// Makes the straps notify their values, on links that may end in between; called when somebody listens, with the way to
  /// wait for what was emitted, without which a link must not end: what it has not emitted then is lost.
  package let play: @Sendable (@escaping Heard) async throws -> Void
  /// Returns when the source has given back what it held, after it was stopped or left.
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
