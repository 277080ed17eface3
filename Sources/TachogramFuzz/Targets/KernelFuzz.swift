import BluetoothKernel

/// Datagrams of the kernel, each preceded by a byte with its length: packets of the management interface, which are encoded to
/// the same bytes, and frames of the monitor channel, which the filter of captures processes.
enum KernelFuzz {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    var filters = [HeartRateLinkFilter.Scope.heartRateLinks, .everything].map {
      HeartRateLinkFilter(scope: $0, start: 0)
    }
    var time: Int64 = 0
    var taken = 0
    while !reader.isAtEnd {
      let datagram = reader.read(Int(reader.byte()))
      try management(datagram)
      time += 700_000
      guard let frame = MonitorFrame(time: time, datagram: datagram[...]) else { continue }
      taken += 1
      for filter in filters.indices { try check(filters[filter].process(frame), upTo: time) }
    }
    for filter in filters.indices {
      try check(filters[filter].finish(), upTo: time)
      try FuzzFinding.unless(filters[filter].written <= taken, "more frames are written than were taken")
    }
    return taken > 0
  }

  private static func management(_ datagram: [UInt8]) throws {
    guard let packet = try? ManagementPacket(decoding: datagram) else { return }
    let encoded = try packet.encoded()
    try FuzzFinding.unless(encoded == datagram, "\(datagram) was encoded as \(encoded)")
    _ = try? ManagementEvent(packet)
  }

  /// Checks that no key is written in plain, and that no frame has a future time.
  private static func check(_ frames: [MonitorFrame], upTo time: Int64) throws {
    for frame in frames {
      try FuzzFinding.unless(frame.time <= time, "a frame of \(frame.time) at \(time)")
      try FuzzFinding.unless(!isSecret(frame), "a key is written: \(frame)")
    }
  }

  /// Whether a frame contains a key in plain, determined independently of the filter.
  private static func isSecret(_ frame: MonitorFrame) -> Bool {
    let bytes = frame.bytes
    switch frame.kind {
    case .command where bytes.count >= 2:
      // Link Key and PIN Code Request Reply, Write Stored Link Key, LE Encrypt, LE Enable Encryption, LE Long Term Key
      // Request Reply, LE Add Device To Resolving List.
      return [0x040B, 0x040D, 0x0C11, 0x2017, 0x2019, 0x201A, 0x2027].contains(Int(bytes[0]) | Int(bytes[1]) << 8)
    case .event where !bytes.isEmpty:
      // Return Link Keys, Link Key Notification.
      return [0x15, 0x18].contains(bytes[0])
    case .aclSent where bytes.count > 8, .aclReceived where bytes.count > 8:
      // The first piece of a PDU of the Security Manager: Encryption, Identity, Signing Information.
      let isStart = bytes[1] & 0x10 == 0
      return isStart && (bytes[6] == 6 || bytes[6] == 7) && bytes[7] == 0 && [0x06, 0x08, 0x0A].contains(bytes[8])
    default: return false
    }
  }
}
