import Glibc

/// What there is at a path, through links.
enum PathKind {
  case nothing
  case file
  case folder
  /// A pipe, a device or a socket.
  case special

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}
