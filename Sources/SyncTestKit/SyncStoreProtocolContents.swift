import Sync

extension SyncStoreProtocol {
  /// Returns everything that the store has.
  package func contents() async throws -> [StoreObject] {
    var contents: [StoreObject] = []
    for space in try await spaces() {
      for log in try await logs(of: space) {
        var after: UInt64 = 0
        while true {
          let read = try await objects(of: log, after: after)
          contents += read.objects.map { StoreObject(key: StoreKey(log: log, sequence: $0.sequence), bytes: $0.bytes) }
          guard !read.isWhole, let last = read.objects.last?.sequence else { break }
          after = last
        }
      }
    }
    return contents
  }

  /// Returns the length of everything that the store has, in bytes.
  package func contentLength() async throws -> Int { try await contents().reduce(0) { $0 + $1.bytes.count } }
}
