import Glibc

/// Small files and folders below a root: `/`, or a copy of a system's facts.
package struct SystemTree: Sendable {
  private static let fileLimit = 1 << 18

  private let root: String

  /// `root` is a folder; paths are taken from there.
  package init(root: String = "/") {
    self.root = root.hasSuffix("/") ? root : root + "/"
  }

  /// Where a path from the root really is.
  package func path(_ path: String) -> String { root + path }

  /// Whether there is something at a path.
  package func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

  /// The text of a file, its first 256 KiB; `nil` where it cannot be read.
  package func text(_ path: String) -> String? {
    // Not waiting: a path may turn out to be a pipe.
    let descriptor = open(self.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while text.count < Self.fileLimit {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        text += buffer[..<count]
      } else if errno != EINTR {
        return nil
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of a file without the space around it.
  package func line(_ path: String) -> String? {
    text(path).map { text in
      String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
  }

  /// The number in a file.
  package func number(_ path: String) -> Int? { line(path).flatMap { Int($0) } }

  /// The names in a folder, sorted; `nil` where there is no such folder.
  package func names(in folder: String) -> [String]? {
    guard let directory = opendir(path(folder)) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
