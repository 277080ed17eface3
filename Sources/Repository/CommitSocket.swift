#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names and addresses of the sockets beside a database by which its recorders are asked to commit, `FILE-commit-…`: one
/// for each recorder.
struct CommitSocket {
  private static let infix = "-commit-"
  /// What a name ends with until the socket can be connected to.
  private static let unfinished = ".new"

  private let folder: String
  private let prefix: String

  init(database: String) {
    let path = DatabaseFile.resolved(database)
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    folder = String(path[..<slash]) + "/"
    prefix = String(path[path.index(after: slash)...]) + Self.infix
  }

  /// The paths of those that there are.
  func existing() -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      // Another file may be called so.
      var status = stat()
      if name.hasPrefix(prefix), lstat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
        paths.append(folder + name)
      }
    }
    return paths
  }

  /// A socket that listens under a name of its own; `nil` where it cannot be made.
  func listen() -> (descriptor: Int32, path: String)? {
    let path = folder + prefix + String(UInt32.random(in: .min ... .max), radix: 16)
    let descriptor = Self.socket()
    guard descriptor >= 0 else { return nil }
    let isListening =
      Self.withAddress(path + Self.unfinished) { bind(descriptor, $0, $1) } == 0
      && chmod(path + Self.unfinished, 0o600) == 0
      && Glibc.listen(descriptor, 16) == 0
      // Whoever finds the name can connect.
      && rename(path + Self.unfinished, path) == 0
    if isListening { return (descriptor, path) }
    unlink(path + Self.unfinished)
    close(descriptor)
    return nil
  }

  /// A connection to a socket; `nil` where nobody listens any more, or this user may not ask.
  static func connect(_ path: String) -> Int32? {
    let descriptor = socket()
    guard descriptor >= 0 else { return nil }
    // For a queue that is full, as of a recorder that was stopped.
    var timeout = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
    let code = errno
    close(descriptor)
    errno = code
    return nil
  }

  private static func socket() -> Int32 {
    Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  /// Calls `body` with the address of a path; -1 where there is none. An address holds 107 bytes: a longer path is reached
  /// through its folder.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32,
  ) -> Int32 {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return -1 }
    defer { close(folder) }
    let bytes = Array("/proc/self/fd/\(folder)\(path[slash...])".utf8)
    var address = sockaddr_un()
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return -1
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
