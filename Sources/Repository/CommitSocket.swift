#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names and addresses of the sockets beside a database that receive commit requests for its recorders, `FILE-commit-…`:
/// one for each recorder.
struct CommitSocket {
  private static let infix = "-commit-"
  /// The suffix of a socket's name until the socket accepts connections.
  private static let unfinished = ".new"

  private let folder: String
  private let prefix: String

  init(database: String) {
    let path = DatabaseFile.resolved(database)
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    folder = String(path[..<slash]) + "/"
    prefix = String(path[path.index(after: slash)...]) + Self.infix
  }

  /// Returns the paths of the existing sockets.
  func existing() -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      // A file that is not a socket may have such a name.
      var status = stat()
      if name.hasPrefix(prefix), !name.hasSuffix(Self.unfinished), lstat(folder + name, &status) == 0,
        status.st_mode & S_IFMT == S_IFSOCK
      {
        paths.append(folder + name)
      }
    }
    return paths
  }

  /// Creates a socket with a random name and listens on it. Returns `nil` if it cannot be created.
  func listen() -> (descriptor: Int32, path: String)? {
    let path = folder + prefix + String(UInt32.random(in: .min ... .max), radix: 16)
    let descriptor = Self.socket()
    guard descriptor >= 0 else { return nil }
    let isListening =
      Self.withAddress(path + Self.unfinished) { bind(descriptor, $0, $1) } == 0
      && chmod(path + Self.unfinished, 0o600) == 0
      && Glibc.listen(descriptor, 16) == 0
      // Renamed last, so that every socket with this name accepts connections.
      && rename(path + Self.unfinished, path) == 0
    if isListening { return (descriptor, path) }
    unlink(path + Self.unfinished)
    close(descriptor)
    return nil
  }

  /// Connects to a socket. Returns `nil`, with the reason in `errno`, if it has no listener any more or the user lacks
  /// permission.
  static func connect(_ path: String) -> Int32? {
    let descriptor = socket()
    guard descriptor >= 0 else { return nil }
    // Limits the wait for a full queue, such as that of a stopped recorder.
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

  /// Calls `body` with the address of a path. Returns -1 if there is no such address. An address holds at most 107 bytes, so
  /// the path is given relative to a descriptor of its folder.
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
