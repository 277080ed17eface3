import Sync
import Synchronization

/// The memory for bodies of requests and answers that are on their way. Tokens that were valid before have a part of their own, so
/// that clients without a token, who can send as much as they like, take nothing from them.
final class BodyBudget: Sendable {
  /// The limits, in bytes.
  struct Limits: Sendable {
    /// The bodies of all tokens that were valid before.
    var known = 64 << 20
    /// The bodies of one such token.
    var token = 12 << 20
    /// The bodies of all others.
    var unknown = 12 << 20
  }

  /// A part of the memory. It is free again when this object is deinitialised.
  final class Place: Sendable {
    private let budget: BodyBudget
    private let owner: ContentDigest?
    private let count: Int

    fileprivate init(_ budget: BodyBudget, _ owner: ContentDigest?, _ count: Int) {
      (self.budget, self.owner, self.count) = (budget, owner, count)
    }

    deinit {
      budget.release(owner, count)
    }
  }

  private struct State {
    var known: Set<ContentDigest> = []
    var used: [ContentDigest: Int] = [:]
    var usedKnown = 0
    var usedUnknown = 0
  }

  /// The number of tokens that are remembered.
  private static let most = 10_000

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Remembers whether a token is valid.
  func remember(_ token: ContentDigest, isValid: Bool) {
    state.withLock { state in
      if !isValid {
        state.known.remove(token)
      } else if !state.known.contains(token) {
        if state.known.count >= Self.most { state.known = [] }
        state.known.insert(token)
      }
    }
  }

  /// Returns whether a token was valid when it was used last.
  func isKnown(_ token: ContentDigest) -> Bool { state.withLock { $0.known.contains(token) } }

  /// Returns a place for `count` bytes, or `nil` if there is no room.
  func place(for token: ContentDigest?, count: Int) -> Place? {
    let (isGranted, owner) = state.withLock { state in
      guard let token, state.known.contains(token) else {
        guard count <= limits.unknown - state.usedUnknown else { return (false, ContentDigest?.none) }
        state.usedUnknown += count
        return (true, nil)
      }
      let used = state.used[token, default: 0]
      guard count <= limits.token - used, count <= limits.known - state.usedKnown else { return (false, nil) }
      state.used[token] = used + count
      state.usedKnown += count
      return (true, token)
    }
    return isGranted ? Place(self, owner, count) : nil
  }

  private func release(_ owner: ContentDigest?, _ count: Int) {
    state.withLock { state in
      guard let owner else {
        state.usedUnknown -= count
        return
      }
      state.usedKnown -= count
      let left = state.used[owner, default: 0] - count
      state.used[owner] = left > 0 ? left : nil
    }
  }
}
