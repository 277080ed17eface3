import CCurl
import Synchronization

/// The handles of libcurl that no request uses. Each keeps its connections open, so that a later request needs no handshake.
final class IdleTransfers: Sendable {
  /// A handle is used by one thread at a time: by the one that removed it.
  private struct Handle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  /// The maximum number of idle handles.
  private static let most = 4

  private let handles = Mutex<[Handle]>([])

  /// Returns a handle without options, or `nil` if there is none.
  func removeOne() -> UnsafeMutableRawPointer? { handles.withLock { $0.popLast()?.pointer } }

  func append(_ handle: UnsafeMutableRawPointer, _ curl: tachogram_curl) {
    // The options point to the request that has ended.
    curl.easy_reset(handle)
    let handle = Handle(pointer: handle)
    let isKept = handles.withLock { handles in
      guard handles.count < Self.most else { return false }
      handles.append(handle)
      return true
    }
    if !isKept { curl.easy_cleanup(handle.pointer) }
  }

  deinit {
    let handles = handles.withLock { $0 }
    for handle in handles { Transfer.library?.easy_cleanup(handle.pointer) }
  }
}
