import Foundation
import Glibc

/// The open file descriptors of this process.
enum DescriptorCount {
  /// Those that are SEQPACKET sockets: what `AcquireNotify` hands over, and nothing else here.
  static func packetSockets() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.count { descriptor in
      var type: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == Int32(SOCK_SEQPACKET.rawValue)
    }
  }
}
