import TachogramCore

/// Fixtures of captures with unusual discovery, times or counters.
package enum CaptureFixtureCases {
  /// The handles of a strap's GATT table in these captures.
  private static let battery: UInt16 = 0x2A19
  private static let heartRate: UInt16 = 0x2A37

  package static let all: [FixtureCase] = [
    FixtureCase(
      "services-rediscovered",
      "After a minute the handle of heart rate is discovered as battery level, and heart rate on another one: both minutes "
        + "count, as two links, and what the old handle notifies since does not.",
    ) {
      CaptureWrapping.btsnoop(rediscovered(heartRateAt: 0x30))
    },
    FixtureCase(
      "services-gone",
      "After a minute the handle of heart rate is discovered as battery level, and heart rate is gone: the first minute counts.",
    ) {
      CaptureWrapping.btsnoop(rediscovered(heartRateAt: nil))
    },
    FixtureCase(
      "services-changed",
      "A Service Changed indication ends what the host knew; three notifications come before the next discovery, which says "
        + "otherwise: they are left out with the reason, and the rest counts.",
    ) {
      var script = linked()
      script.discoverServiceChanged()
      minute(&script)
      script.changeServices()
      notify(3, &script)
      discover(batteryAt: 0x12, heartRateAt: 0x30, &script)
      minute(&script, handle: 0x30)
      return CaptureWrapping.btsnoop(script)
    },
    FixtureCase(
      "later-link-contradicts",
      "A link without discovery, and a later one that discovers heart rate on another handle: the first is inferred.",
    ) {
      var script = linked(isDiscovered: false)
      minute(&script)
      script.disconnect()
      script.connect()
      discover(batteryAt: nil, heartRateAt: 0x30, &script)
      minute(&script, handle: 0x30)
      return CaptureWrapping.btsnoop(script)
    },
    FixtureCase(
      "standing-clock",
      "All notifications bear one instant: none has a time of arrival, and there is nothing to analyse. Exit code 3.",
    ) {
      var script = linked()
      script.interval = 0
      notify(120, &script)
      return CaptureWrapping.btsnoop(script)
    },
    FixtureCase(
      "zero-times",
      "Twenty records in the middle have a time of zero: their notifications are left out with the reason.",
    ) {
      var script = linked()
      minute(&script)
      let first = script.packets.count - 40
      return CaptureWrapping.btsnoop(
        records(script) { index, record in if (first..<(first + 20)).contains(index) { record.time = 0 } })
    },
    FixtureCase(
      "dropped-packets", "The capture's own counter says that five packets were dropped: a gap where it rises."
    ) {
      var script = linked()
      minute(&script)
      let first = script.packets.count - 30
      return CaptureWrapping.btsnoop(records(script) { index, record in record.drops = index < first ? 0 : 5 })
    },
    FixtureCase("dropped-counter", "The counter of dropped packets is at its largest, goes back and rises again.") {
      var script = linked()
      minute(&script)
      let first = script.packets.count - 50
      return CaptureWrapping.btsnoop(
        records(script) { index, record in
          record.drops = index < first ? 0 : index < first + 10 ? .max : index < first + 30 ? 2 : 3
        })
    },
  ]

  /// Returns a minute of heart rate on 0x12, a discovery that finds a battery level there, and a minute of both.
  private static func rediscovered(heartRateAt handle: UInt16?) -> PacketScript {
    var script = linked()
    minute(&script)
    discover(batteryAt: 0x12, heartRateAt: handle, &script)
    for index in 0..<60 {
      if let handle { notify(1, &script, handle: handle, from: index) }
      script.interval = handle == nil ? 1_000_000 : 1_000
      script.notify([UInt8(80 - index / 10)], handle: 0x12)
    }
    return script
  }

  /// Returns a link with notifications of heart rate enabled on 0x12.
  private static func linked(isDiscovered: Bool = true) -> PacketScript {
    var script = PacketScript()
    script.time = CaptureBuilder.start.microseconds
    script.interval = 1_000
    script.connect()
    if isDiscovered {
      discover(batteryAt: nil, heartRateAt: 0x12, &script)
    } else {
      script.subscribe(0x13)
    }
    return script
  }

  private static func discover(batteryAt battery: UInt16?, heartRateAt handle: UInt16?, _ script: inout PacketScript) {
    script.interval = 1_000
    if let battery { script.discover(battery, uuid: Self.battery) }
    guard let handle else { return }
    script.discover(handle, uuid: heartRate)
    script.subscribe(handle + 1)
  }

  private static func minute(_ script: inout PacketScript, handle: UInt16 = 0x12) {
    notify(60, &script, handle: handle)
  }

  /// Adds notifications of one interval of about a second each: a second apart, or all at one instant if the packets are.
  private static func notify(_ count: Int, _ script: inout PacketScript, handle: UInt16 = 0x12, from first: Int = 0) {
    if script.interval != 0 { script.interval = 1_000_000 }
    for index in first..<(first + count) {
      let ticks: UInt16 = 1024 + UInt16(index * 7 % 20) - 10
      script.notify([0x10, 60] + PacketScript.word(ticks), handle: handle)
    }
  }

  private static func records(
    _ script: PacketScript, _ edit: (Int, inout CaptureWrapping.Record) -> Void
  ) -> [CaptureWrapping.Record] {
    script.packets.enumerated().map { index, packet in
      var record = CaptureWrapping.btsnoopRecord(packet)
      edit(index, &record)
      return record
    }
  }
}
