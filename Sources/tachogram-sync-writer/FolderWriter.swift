import Glibc
import Sync

/// Puts objects into a folder store until it is killed. Writes the sequence of each stored object to standard output.
///
/// Object n consists of n * 997 % 30000 + 1 bytes of the value n % 251. Every third object is then cut to 10 bytes.
@main
enum FolderWriter {
  static func main() async throws {
    guard CommandLine.arguments.count == 3 else { exit(2) }
    let store = FolderStore(path: CommandLine.arguments[1])
    let start = UInt64(CommandLine.arguments[2]) ?? 1
    let digest = ContentDigest(of: [1])
    let log = StoreLog(space: SpaceID(digest: digest), station: StationID(digest: digest), kind: .chunks)
    for sequence in start... {
      let key = StoreKey(log: log, sequence: sequence)
      let bytes = [UInt8](repeating: UInt8(sequence % 251), count: Int(sequence * 997 % 30_000 + 1))
      let result = try store.putIfAbsent(bytes, at: key)
      // An earlier process cut the object and was killed before it reported that.
      if case .conflict(let existing) = result, existing != Array(bytes.prefix(10)) { exit(3) }
      if sequence.isMultiple(of: 3) { _ = try store.delete(key, keeping: 10) }
      let line = Array("\(sequence)\n".utf8)
      guard write(1, line, line.count) == line.count else { exit(4) }
    }
  }
}
