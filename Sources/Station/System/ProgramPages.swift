import FoundationEssentials
import Glibc

/// The resident pages of the program's own file: its code and tables. Start-up uses most of them once; on a machine with little
/// memory they need not stay.
package enum ProgramPages {
  /// A mapping of a file, as /proc/PID/smaps reports it.
  struct Mapping: Hashable {
    var range: Range<UInt>
    var isWritable: Bool
    var path: Substring
    /// The number of resident bytes.
    var resident = 0
    /// The number of bytes that differ from the file, resident or swapped out, or `nil` if that is not reported.
    var changed: Int?
  }

  /// Releases pages that can be read from the file again. Returns the number of released bytes.
  @discardableResult
  package static func releaseFileBackedPages() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/smaps", encoding: .utf8),
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return 0 }
    var given = 0
    for mapping in mappings(text)
    where mapping.path == program && !mapping.isWritable && mapping.changed == 0 && mapping.resident > 0 {
      guard let start = UnsafeMutableRawPointer(bitPattern: mapping.range.lowerBound),
        madvise(start, mapping.range.count, MADV_DONTNEED) == 0
      else { continue }
      given += mapping.resident
    }
    return given
  }

  /// Returns the mappings of files in the text of /proc/PID/smaps. Lines of another form are ignored.
  static func mappings(_ text: String) -> [Mapping] {
    var mappings: [Mapping] = []
    var isFile = false
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      if let first = words.first, first.last != ":" {
        let bounds = first.split(separator: "-").compactMap { UInt($0, radix: 16) }
        let path = words.last?.drop { $0 == " " } ?? ""
        isFile = words.count == 6 && bounds.count == 2 && bounds[0] < bounds[1] && path.hasPrefix("/")
        guard isFile else { continue }
        mappings.append(Mapping(range: bounds[0]..<bounds[1], isWritable: words[1].contains("w"), path: path))
      } else if isFile, words.count == 3, let kilobytes = Int(words[1]), let last = mappings.indices.last {
        switch words[0] {
        case "Rss:": mappings[last].resident = kilobytes * 1024
        case "Anonymous:", "Swap:": mappings[last].changed = (mappings[last].changed ?? 0) + kilobytes * 1024
        default: break
        }
      }
    }
    return mappings
  }
}
