import Glibc

/// The limit of files and connections that this process may have open.
package enum OpenFiles {
  /// Raises the limit to `count`, or to the maximum for this user. The default of most systems is a thousand, for programs that
  /// use select(2).
  package static func allow(_ count: UInt) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
