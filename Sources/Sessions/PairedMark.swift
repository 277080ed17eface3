import FileSystem
import Repository
import TachogramCore

/// The mark, a file beside the database, that a strap was paired once, with the addresses of the straps that are paired now. A
/// station without known straps records the first one in range; with the mark, it records none, so that a strap that was forgotten
/// is not recorded again. While the database cannot be read, it records the straps of the mark.
package struct PairedMark: Sendable {
  private static let suffix = "-paired"
  private static let bonded = "bonded"

  private let path: String

  package init(database: String) {
    path = DatabaseLock.fileName(of: database) + Self.suffix
  }

  /// Whether there is a mark, or may be one that cannot be read.
  package var isSet: Bool {
    do { return try AtomicFile.read(path) != nil } catch { return true }
  }

  /// The straps, with their addresses as names, or an empty array if the mark cannot be read.
  package var straps: [KnownStrap] {
    let text = String(decoding: (try? AtomicFile.read(path)) ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 2, let raw = UInt8(words[1]), let kind = BluetoothAddress.Kind(rawValue: raw),
        let address = BluetoothAddress(text: words[0], kind: kind)
      else { return nil }
      return KnownStrap(
        address: address, name: address.description, advertisedName: nil, isBonded: words.last == Self.bonded,
        added: WallTime(microseconds: 0))
    }
  }

  /// Stores the paired straps. Without any, and without a mark, none is made.
  package func set(_ straps: [KnownStrap]) throws {
    let lines = straps.map { strap in
      "\(strap.address) \(strap.address.kind.rawValue)\(strap.isBonded ? " " + Self.bonded : "")\n"
    }
    let bytes = Array(lines.joined().utf8)
    let stored = try? AtomicFile.read(path)
    if stored == bytes || straps.isEmpty && stored == nil { return }
    try AtomicFile.write(bytes, to: path)
  }
}
