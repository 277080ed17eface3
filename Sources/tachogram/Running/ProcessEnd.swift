import Glibc

/// Ends the process.
enum ProcessEnd {
  static func exit(_ status: ExitStatus) -> Never {
    Glibc.exit(status.rawValue)
  }
}
