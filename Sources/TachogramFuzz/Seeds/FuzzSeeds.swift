import BlueZ
import DBus
import Foundation
import GATT
import TachogramCore
import TachogramTestKit

extension FuzzTarget {
  /// Returns the initial inputs. `fixtures` is the folder `Fixtures`; they include the first records of its captures.
  package func seeds(fixtures: URL) throws -> [FuzzSeed] {
    switch self {
    case .btsnoop: try CaptureSeeds.fixtures(fixtures) + CaptureSeeds.btsnoop
    case .pcap: CaptureSeeds.pcap
    case .pcapng: CaptureSeeds.pcapng
    case .packetLogger: CaptureSeeds.packetLogger
    case .attributes: CaptureSeeds.attributes
    case .pcapngOptions: CaptureSeeds.pcapngOptions
    case .rrText: SeriesSeeds.text
    case .fit: SeriesSeeds.fit
    case .characteristics: FuzzSeeds.characteristics
    case .polarMeasurement: PolarSeeds.values
    case .dbusMessage: try FuzzSeeds.dbusMessages()
    case .dbusSignature: FuzzSeeds.signatures
    case .kernel: FuzzSeeds.datagrams
    case .configuration: StationSeeds.configurations
    case .request: StationSeeds.requests
    case .http: StationSeeds.connections
    case .sync: try SyncSeeds.values()
    }
  }
}

/// Seeds of the targets that do not read files.
enum FuzzSeeds {
  /// Returns seeds named by their numbers.
  static func numbered(_ inputs: [[UInt8]]) -> [FuzzSeed] {
    inputs.enumerated().map { FuzzSeed(name: "\($0)", bytes: $1) }
  }

  static let characteristics: [FuzzSeed] = {
    let measurements = [
      HeartRateMeasurement(heartRate: 72),
      HeartRateMeasurement(heartRate: 300, contact: .detected, energyExpended: 1000),
      HeartRateMeasurement(heartRate: 61, contact: .notDetected, rrIntervals: [RRInterval(ticks: 1024)]),
      HeartRateMeasurement(heartRate: 180, rrIntervals: RRIntervals((1...12).map { RRInterval(ticks: 300 + $0) })),
    ]
    let values = measurements.map { HeartRateMeasurementCodec.encode($0) } + PacketScript.values
    return numbered(values + [[87], [1], Array("Strap é".utf8), [0x40, 1, 0x02, 0x10, 70, 71]])
  }()

  static let signatures = numbered(
    ["", "s", "ay", "a{sv}", "a{oa{sa{sv}}}", "(ybnqiuxtdsogvh)", "a(aa{s(iv)}ay)", "((((i))))"].map { Array($0.utf8) })

  /// The signals of the daemon, a message of every type, and one with many values.
  static func dbusMessages() throws -> [FuzzSeed] {
    let device = DBusValue.properties([
      "Address": .string("C8:DE:AD:BE:EF:01"), "AddressType": .string("random"), "Connected": .bool(true),
      "RSSI": .int16(-60), "UUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34fb"]),
      "ManufacturerData": .dictionary(key: .uint16, value: .variant, [.uint16(0x6B): .variant(.bytes([1, 2, 70]))]),
    ])
    let characteristic = DBusValue.properties([
      "UUID": .string("00002a37-0000-1000-8000-00805f9b34fb"), "Flags": .strings(["notify"]), "Notifying": .bool(true),
    ])
    func interfaces(_ name: String, _ properties: DBusValue) -> DBusValue {
      .dictionary(key: .string, value: .dictionary(.string, .variant), [.string(name): properties])
    }
    let path = try DBusObjectPath(validating: "/org/bluez/hci0/dev_C8_DE_AD_BE_EF_01")
    let value = try path.appending("service0010").appending("char0011")
    let signals: [(String, String, DBusObjectPath, [DBusValue])] = [
      (
        BlueZName.Member.interfacesAdded, BlueZName.Interface.objectManager, .root,
        [.objectPath(path), interfaces(BlueZName.Interface.device, device)]
      ),
      (
        BlueZName.Member.interfacesAdded, BlueZName.Interface.objectManager, .root,
        [.objectPath(value), interfaces(BlueZName.Interface.characteristic, characteristic)]
      ),
      (
        BlueZName.Member.interfacesRemoved, BlueZName.Interface.objectManager, .root,
        [.objectPath(path), .strings([BlueZName.Interface.device])]
      ),
      (
        BlueZName.Member.propertiesChanged, BlueZName.Interface.properties, value,
        [
          .string(BlueZName.Interface.characteristic), .properties(["Value": .bytes([0x16, 0x48, 0, 4])]),
          .strings(["Notifying"]),
        ]
      ),
      (
        "Everything", "org.tachogram.Fuzz", .root,
        [
          .byte(1), .int16(-1), .uint16(1), .int32(-1), .uint32(1), .int64(-1), .uint64(1), .double(0.5),
          .signature("a{sv}"), .structure([.string("é"), .variant(.structure([.bool(false), .bytes([])]))]),
          .array(of: .array(.int32), [.array(of: .int32, [.int32(1)]), .array(of: .int32, [])]),
        ]
      ),
    ]
    return numbered(
      try signals.map {
        try DBusWireMessage(signal: $0.0, of: $0.1, path: $0.2, arguments: $0.3).bytes()
      })
  }

  /// A connection in the monitor channel, and events of the management interface.
  static let datagrams: [FuzzSeed] = {
    let packets = PacketScript.session().packets.map { packet -> [UInt8] in
      let opcode: UInt16 = packet.bytes[0] == 4 ? 3 : packet.isReceived ? 5 : 4
      return datagram(opcode, Array(packet.bytes.dropFirst()))
    }
    let peer: [UInt8] = PacketScript.address + [1]
    let disconnected: [UInt8] = peer + [0, 0, 0, 0, 0, 0]
    let events: [[UInt8]] = [
      datagram(0x000B, disconnected), datagram(0x000C, peer + [1]), datagram(0x0006, [1, 2, 3, 4]),
      datagram(0x0004, []),
    ]
    return numbered([packets, events].map { $0.flatMap { [UInt8($0.count)] + $0 } })
  }()

  /// A datagram of the kernel for its first adapter.
  private static func datagram(_ code: UInt16, _ parameters: [UInt8]) -> [UInt8] {
    PacketScript.word(code) + PacketScript.word(0) + PacketScript.word(UInt16(parameters.count)) + parameters
  }
}
