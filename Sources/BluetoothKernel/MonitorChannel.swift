import CBluetooth
import Glibc

/// The kernel's copy of everything between the host and its adapters, with times of arrival. Needs CAP_NET_RAW.
///
/// The channel begins with frames for the existing adapters, which carry the time at which each appeared.
package struct MonitorChannel: ~Copyable, Sendable {
  private static let headerLength = 6
  /// The size of the receive buffer in bytes: enough for some seconds of a busy adapter while the disk is slow. The kernel
  /// silently drops frames that do not fit.
  private static let receiveBuffer: Int32 = 4 << 20
  /// The largest number of frames returned at once, so that the caller is not blocked by a flood.
  private static let batchLimit = 512

  private let socket: HCISocket
  private var buffer = [UInt8](repeating: 0, count: headerLength + 65_535)
  /// The number of datagrams that were not a frame.
  package private(set) var malformed = 0

  /// Opens the channel. Does not block.
  package static func open() throws(KernelAccessError) -> MonitorChannel {
    let socket = try HCISocket(.monitor)
    guard cbluetooth_enable_timestamps(socket.descriptor) == 0 else {
      throw .failed(call: "setsockopt", errno: errno)
    }
    cbluetooth_enlarge_receive_buffer(socket.descriptor, receiveBuffer)
    return MonitorChannel(socket)
  }

  /// Reads from an open socket.
  init(_ socket: consuming HCISocket) {
    self.socket = socket
  }

  /// Returns the available frames, at most 512. Waits up to `milliseconds` for the first. Returns no frames on a timeout or a
  /// signal.
  package mutating func frames(waitingUpTo milliseconds: Int32) throws(KernelAccessError) -> [MonitorFrame] {
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&waiting, 1, max(0, milliseconds))
    if ready < 0, errno != EINTR { throw .failed(call: "poll", errno: errno) }
    guard ready > 0 else { return [] }
    var frames: [MonitorFrame] = []
    while frames.count < Self.batchLimit {
      var time = Int64.min
      var isTruncated: Int32 = 0
      let count = cbluetooth_receive(socket.descriptor, &buffer, buffer.count, &time, &isTruncated)
      if count > 0 {
        if isTruncated == 0,
          let frame = MonitorFrame(time: time == .min ? Self.now() : time, datagram: buffer[..<count])
        {
          frames.append(frame)
        } else {
          malformed += 1
        }
      } else if count == 0 {
        // The other end was closed, which happens only with the socket pair of a test.
        if frames.isEmpty { throw .failed(call: "recvmsg", errno: EPIPE) }
        break
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        throw .failed(call: "recvmsg", errno: errno)
      }
    }
    return frames
  }

  /// The civil time in microseconds since 1970.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
