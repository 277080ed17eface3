import Sync
import Synchronization
import TachogramCore

/// Limits the requests of each token: a bucket that `rate` requests a second fill, and that holds those of ten seconds.
final class RequestRates: Sendable {
  private struct Bucket {
    /// The number of requests that are allowed at `time`.
    var count: Double
    var time: MonotonicTime
  }

  /// The number of tokens that are remembered. Full buckets are forgotten first.
  private static let most = 10_000

  private let rate: Double
  private let time: any TimeSourceProtocol
  private let buckets = Mutex<[ContentDigest: Bucket]>([:])

  /// `rate` is the number of requests a second that a token may send for long.
  init(rate: Double, time: any TimeSourceProtocol) {
    self.rate = max(rate, 0.001)
    self.time = time
  }

  private var capacity: Double { max(1, rate * 10) }

  /// Counts a request. Returns the time after which the next one is allowed, if this one is not.
  func use(_ token: ContentDigest) -> Duration? {
    let now = time.now().monotonic
    return buckets.withLock { buckets in
      if buckets.count >= Self.most { buckets = buckets.filter { filled($0.value, at: now) < capacity } }
      if buckets.count >= Self.most { buckets = [:] }
      let count = buckets[token].map { filled($0, at: now) } ?? capacity
      guard count >= 1 else {
        buckets[token] = Bucket(count: count, time: now)
        return .seconds((1 - count) / rate)
      }
      buckets[token] = Bucket(count: count - 1, time: now)
      return nil
    }
  }

  private func filled(_ bucket: Bucket, at now: MonotonicTime) -> Double {
    let elapsed = now.duration(since: bucket.time) / .seconds(1)
    return min(capacity, bucket.count + max(0, elapsed) * rate)
  }
}
