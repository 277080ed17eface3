import Sync
import Synchronization
import TachogramCore

/// Limits the requests of each token, or of each network: a bucket that `rate` requests a second fill.
final class RequestRates: Sendable {
  private struct Bucket {
    /// The number of requests that are allowed at `time`.
    var count: Double
    var time: MonotonicTime
  }

  /// The number of tokens that are remembered. Full buckets are forgotten first.
  private static let most = 10_000

  private let rate: Double
  private let capacity: Double
  private let time: any TimeSourceProtocol
  private let buckets = Mutex<[ContentDigest: Bucket]>([:])

  /// `rate` is the number of requests a second that are allowed for long, `capacity` the number that is allowed at once.
  init(rate: Double, capacity: Double, time: any TimeSourceProtocol) {
    self.rate = max(rate, 0.001)
    self.capacity = max(capacity, 1)
    self.time = time
  }

  /// Counts a request. Returns the time after which the next one is allowed, if this one is not.
  @discardableResult
  func use(_ key: ContentDigest) -> Duration? {
    let now = time.now().monotonic
    return buckets.withLock { buckets in
      if buckets.count >= Self.most { buckets = buckets.filter { filled($0.value, at: now) < capacity } }
      if buckets.count >= Self.most { buckets = [:] }
      let count = buckets[key].map { filled($0, at: now) } ?? capacity
      guard count >= 1 else {
        buckets[key] = Bucket(count: count, time: now)
        return .seconds((1 - count) / rate)
      }
      buckets[key] = Bucket(count: count - 1, time: now)
      return nil
    }
  }

  /// Returns the time after which a request is allowed, if none is now. Does not count one.
  func pause(of key: ContentDigest) -> Duration? {
    let now = time.now().monotonic
    let count = buckets.withLock { $0[key].map { filled($0, at: now) } ?? capacity }
    return count < 1 ? .seconds((1 - count) / rate) : nil
  }

  private func filled(_ bucket: Bucket, at now: MonotonicTime) -> Double {
    let elapsed = now.duration(since: bucket.time) / .seconds(1)
    return min(capacity, bucket.count + max(0, elapsed) * rate)
  }
}
