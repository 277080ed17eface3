import FileSystem
import TachogramCore

/// Codes that log a browser in once, in the folder `access/codes` beside the database. A code is valid for a limited time on the
/// clock CLOCK_BOOTTIME of one boot: the civil time of a Raspberry Pi may step.
package struct LoginCodes: Sendable {
  private struct Content: Codable {
    let scope: TokenScope
    let boot: String?
    /// In microseconds of CLOCK_BOOTTIME.
    let expiry: Int64
  }

  private let files: SecretFiles<Content>
  private let boot: String?
  private let lockedPath: String

  /// Creates the codes beside `database`. `boot` identifies the current boot.
  package init(database: String, boot: String? = SystemTimeSource.bootID) {
    files = SecretFiles(folder: AccessFolder.path(beside: database, "access/codes"))
    self.boot = boot
    lockedPath = AccessFolder.path(beside: database, "access")
  }

  /// Creates a code. All earlier codes become invalid.
  package func make(
    _ scope: TokenScope, validFor duration: Duration, at now: MonotonicTime
  ) throws(AccessFailure) -> String {
    let lock = FolderLock(of: lockedPath)
    defer { withExtendedLifetime(lock) {} }
    try files.removeAll()
    let code = Secret.make()
    _ = try files.add(code, Content(scope: scope, boot: boot, expiry: now.advanced(by: duration).microseconds))
    return code
  }

  /// Calls `use` with the scope of a valid code, which becomes invalid, and returns its result; `nil` for any other text. If `use` throws,
  /// the code is valid again.
  package func redeem<Outcome>(
    _ code: String, at now: MonotonicTime, _ use: (TokenScope) throws(AccessFailure) -> Outcome
  ) throws(AccessFailure) -> Outcome? {
    guard let found = try files.find(code) else { return nil }
    // Of two browsers with the same code, the one that removes it is logged in.
    guard try files.remove(found.id), found.content.boot == boot, now.microseconds < found.content.expiry else {
      return nil
    }
    do throws(AccessFailure) {
      return try use(found.content.scope)
    } catch {
      _ = try? files.add(code, found.content)
      throw error
    }
  }

  /// Removes all codes.
  package func removeAll() throws(AccessFailure) { try files.removeAll() }
}
