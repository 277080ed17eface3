import BlueZ

/// Datagrams of the kernel, each behind a byte with its length: packets of the management interface, which are encoded again
/// to the same bytes, and frames of the monitor channel, which the filter of captures sorts.
enum KernelFuzz {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    var filters = [HeartRateLinkFilter.Scope.heartRateLinks, .everything].map {
      HeartRateLinkFilter(scope: $0, start: 0)
    }
    var time: Int64 = 0
    var taken = 0
    while !reader.isAtEnd {
      let datagram = reader.take(Int(reader.byte()))
      try management(datagram)
      time += 700_000
      guard let frame = MonitorFrame(time: time, datagram: datagram[...]) else { continue }
      taken += 1
      for filter in filters.indices { try check(filters[filter].take(frame), upTo: time) }
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

  /// Nothing secret is written, and nothing of the future.
  private static func check(_ frames: [MonitorFrame], upTo time: Int64) throws {
    for frame in frames {
      try FuzzFinding.unless(frame.time <= time, "a frame of \(frame.time) at \(time)")
    }
  }
}
