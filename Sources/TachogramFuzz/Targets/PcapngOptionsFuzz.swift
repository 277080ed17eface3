import Capture
import TachogramTestKit

/// A pcapng file with valid blocks and arbitrary options. The input is the number of bytes in the options of the interface,
/// these options, and the options of every packet. All packets with representable times are read.
enum PcapngOptionsFuzz {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let script = PacketScript.session()
    guard let ledger = try CaptureFuzz.ledger(file(bytes, script), .pcapng) else {
      throw FuzzFinding(description: "sound blocks were taken for something else")
    }
    guard let summary = ledger.summary else {
      throw FuzzFinding(description: "sound blocks were not read to their end: \(ledger)")
    }
    try FuzzFinding.unless(
      summary.records + summary.damaged <= script.packets.count, "more records than there are: \(summary)")
    try FuzzFinding.unless(
      summary.damaged > 0 || summary.records == script.packets.count,
      "packets are missing, and nobody says so: \(summary)")
    try SessionCheck.check(ledger)
    return true
  }

  private static func file(_ bytes: [UInt8], _ script: PacketScript) -> [UInt8] {
    var reader = ByteReader(bytes)
    let interface = reader.read(Int(reader.byte()))
    let packet = reader.read(bytes.count)
    var builder = PcapngBuilder()
    builder.section(isBigEndian: bytes.count.isMultiple(of: 2))
    builder.interface(linkType: 187, options: interface)
    for record in CaptureWrapping.records(script, linkType: 187) { builder.packet(record, before: packet) }
    return builder.bytes
  }
}
