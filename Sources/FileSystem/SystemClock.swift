import CFileSystem

/// The civil clock of the system.
package enum SystemClock {
  /// Whether the kernel says that the clock is synchronised with another one (adjtimex(2)), or `nil` if it does not say, as in a
  /// sandbox. It requires no privilege.
  package static var isSynchronised: Bool? {
    switch cfilesystem_is_clock_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
