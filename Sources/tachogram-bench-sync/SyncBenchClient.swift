import Sync
import SyncHTTPStore

/// A station of the benchmark.
struct SyncBenchClient: Sendable {
  struct Missing: Error {}

  let store: HTTPStore
  let station: UInt8
  let chunks: UInt64
  let chunkLength: Int

  private var space: SpaceID { SpaceID(digest: ContentDigest(of: [0])) }
  private var log: StoreLog { log(of: station, .chunks) }

  private func log(of station: UInt8, _ kind: StoreLog.Kind) -> StoreLog {
    StoreLog(space: space, station: StationID(digest: ContentDigest(of: [station])), kind: kind)
  }

  private func object(_ sequence: UInt64) -> StoreObject {
    // Chunks are encrypted, so that nothing can compress them.
    var state = sequence &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(station)
    let bytes = (0..<chunkLength).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    return StoreObject(key: StoreKey(log: log, sequence: sequence), bytes: bytes)
  }

  /// Puts all chunks, a MiB at a time.
  func put() async throws {
    for start in stride(from: 1, through: chunks, by: 84) {
      let objects = (start...min(start + 83, chunks)).map(object)
      guard try await store.put(objects).count == objects.count else { throw Missing() }
    }
  }

  /// Puts all chunks, one for each request.
  func putEach() async throws {
    for sequence in 1...chunks {
      let object = object(sequence)
      guard try await store.putIfAbsent(object.bytes, at: object.key) == .stored else { throw Missing() }
    }
  }

  /// Reads all chunks, a MiB at a time.
  func read() async throws {
    var (count, last): (UInt64, UInt64) = (0, 0)
    while true {
      let part = try await store.objects(of: log, after: last)
      count += UInt64(part.objects.count)
      last = part.objects.last?.sequence ?? last
      if part.isWhole { break }
    }
    guard count == chunks else { throw Missing() }
  }

  /// Waits for changes while another client puts small objects one after the other, each after it was noticed.
  func wake() async throws {
    var mark = try await store.waitForChange(of: space, after: nil, atMost: .zero)?.mark
    for sequence in 1...chunks {
      let known = mark
      async let changes = store.waitForChange(of: space, after: known, atMost: .seconds(50))
      let key = StoreKey(log: log(of: station, .joining), sequence: sequence)
      guard try await store.putIfAbsent([1], at: key) == .stored, let found = try await changes, found.mark != known
      else {
        throw Missing()
      }
      mark = found.mark
    }
  }
}
