import Glibc

/// Small files and folders below a root: `/`, or a copy of parts of a system.
package struct SystemTree: Sendable {
  private static let fileLimit = 1 << 18

  private let root: String

  /// Creates a tree below the folder `root`, to which paths are relative.
  package init(root: String = "/") {
    self.root = root.hasSuffix("/") ? root : root + "/"
  }

  /// Returns the absolute path for a path relative to the root.
  package func path(_ path: String) -> String { root + path }

  /// Returns whether a file or folder exists at a path.
  package func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

  /// Returns the text of a file, up to its first 256 KiB, or `nil` if it cannot be read.
  package func text(_ path: String) -> String? {
    // Non-blocking, because the path may be a pipe.
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

  /// Returns the text of a file without surrounding white space.
  package func line(_ path: String) -> String? {
    text(path).map { text in
      String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
  }

  /// The number in a file.
  package func number(_ path: String) -> Int? { line(path).flatMap { Int($0) } }

  /// Returns the names in a folder, sorted, or `nil` if there is no such folder.
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
