/// The contents of the records of a capture (https://www.tcpdump.org/linktypes.html; btsnoop datalinks).
enum LinkType: Hashable, Sendable {
  /// btsnoop 1001: HCI packets without a type byte. Their kind is in the record's flags.
  case hciUnencapsulated
  /// PacketLogger: the body of an HCI packet of this kind.
  case hciBody(HCIPacketKind)
  /// btsnoop 1002 and LINKTYPE_BLUETOOTH_HCI_H4 (187): a type byte, then the HCI packet.
  case hciH4
  /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR (201): a 4-byte direction, a type byte, then the HCI packet.
  case hciH4WithDirection
  /// btsnoop 2001: opcode and adapter in the record's flags.
  case linuxMonitor
  /// LINKTYPE_BLUETOOTH_LINUX_MONITOR (254): adapter and opcode before the data.
  case linuxMonitorWithHeader
  /// LINKTYPE_BLUETOOTH_LE_LL (251).
  case lowEnergyLinkLayer
  /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (256).
  case lowEnergyLinkLayerWithHeader
  /// LINKTYPE_NORDIC_BLE (272).
  case nordicSniffer
  /// A note of the capturing program, without a packet.
  case note
  case unsupported(UInt32)

  /// The link type with this number in pcap and pcapng.
  init(pcap number: UInt32) {
    switch number {
    case 187: self = .hciH4
    case 201: self = .hciH4WithDirection
    case 251: self = .lowEnergyLinkLayer
    case 254: self = .linuxMonitorWithHeader
    case 256: self = .lowEnergyLinkLayerWithHeader
    case 272: self = .nordicSniffer
    default: self = .unsupported(number)
    }
  }

  /// The link type with this datalink number in btsnoop.
  init(btsnoop number: UInt32) {
    switch number {
    case 1001: self = .hciUnencapsulated
    case 1002: self = .hciH4
    case 2001: self = .linuxMonitor
    default: self = .unsupported(number)
    }
  }
}
