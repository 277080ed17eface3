import Glibc

/// The kind of file at a path, following links.
package enum PathKind {
  case nothing
  case file
  case folder
  case pipe
  case socket
  case characterDevice
  case blockDevice
  /// An unknown kind.
  case other

  package init(_ path: UnsafePointer<CChar>) {
    var status = stat()
    self = stat(path, &status) == 0 ? PathKind(mode: status.st_mode) : .nothing
  }

  private init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .other
      }
  }

  /// Whether the path itself is a symbolic link.
  package static func isLink(_ path: UnsafePointer<CChar>) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The words for people, as in "a link to …".
  package var text: String {
    switch self {
    case .nothing: "nothing"
    case .file: "a file"
    case .folder: "a folder"
    case .pipe: "a named pipe"
    case .socket: "a socket"
    case .characterDevice: "a character device"
    case .blockDevice: "a block device"
    case .other: "no file"
    }
  }
}
