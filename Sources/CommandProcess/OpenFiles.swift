import Glibc

/// How many files and connections this process may have open at a time.
package enum OpenFiles {
  /// Allows as many as `count`, or as this user may have. Systems begin with a thousand, for programs that use select(2).
  package static func allow(_ count: UInt) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
