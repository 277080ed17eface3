import Glibc

/// The files of a configuration.
enum MQTTFile {
  static func isReadable(_ path: String) -> Bool { !path.utf8.contains(0) && access(path, R_OK) == 0 }
}
