import TachogramCore

/// The relation of a frame of the monitor channel to a connection (Core Specification 5.4, Vol 4, Part E).
enum LinkFrame: Hashable {
  case connected(handle: UInt16, peer: BluetoothAddress?)
  /// A classic connection, which shares the handles.
  case connectedClassic(handle: UInt16)
  case disconnected(handle: UInt16)
  /// A frame about the connection that contains no secrets.
  case about(handle: UInt16)
  /// Every connection of the adapter has ended.
  case reset
  /// A fragment of data, which begins at `dataAt`.
  case data(handle: UInt16, isStart: Bool, isSent: Bool, dataAt: Int)

  /// Commands whose parameters begin with the handle: Disconnect, Read Remote Version, LE Connection Update, LE Read Remote
  /// Features, the answers to a peer's request for other parameters, LE Set Data Length, LE Set PHY.
  private static let commands: Set<UInt16> = [0x0406, 0x041D, 0x2013, 0x2016, 0x2020, 0x2021, 0x2022, 0x2032]
  private static let resetCommand: UInt16 = 0x0C03

  /// Returns `nil` for a frame that does not concern a connection, or that the capture of a heart-rate link does not need.
  init?(_ frame: MonitorFrame) {
    let bytes = frame.bytes
    switch frame.kind {
    case .command: self.init(command: bytes)
    case .event: self.init(event: bytes)
    case .aclSent, .aclReceived:
      guard let word = Self.word(bytes, at: 0), let length = Self.word(bytes, at: 2), bytes.count - 4 == Int(length)
      else { return nil }
      self = .data(handle: word & 0x0FFF, isStart: word >> 12 & 3 != 1, isSent: frame.kind == .aclSent, dataAt: 4)
    case .adapterRemoved, .adapterClosed: self = .reset
    default: return nil
    }
  }

  private init?(command bytes: [UInt8]) {
    guard let opcode = Self.word(bytes, at: 0), bytes.count >= 3, bytes.count - 3 == Int(bytes[2]) else { return nil }
    if opcode == Self.resetCommand {
      self = .reset
    } else if Self.commands.contains(opcode), let handle = Self.word(bytes, at: 3) {
      self = .about(handle: handle & 0x0FFF)
    } else {
      return nil
    }
  }

  private init?(event bytes: [UInt8]) {
    guard bytes.count >= 3, bytes.count - 2 == Int(bytes[1]) else { return nil }
    let isDone = bytes[2] == 0
    switch bytes[0] {
    case 0x03:
      guard isDone, let handle = Self.word(bytes, at: 3) else { return nil }
      self = .connectedClassic(handle: handle & 0x0FFF)
    case 0x05:
      guard isDone, let handle = Self.word(bytes, at: 3) else { return nil }
      self = .disconnected(handle: handle & 0x0FFF)
    case 0x08, 0x0C, 0x30, 0x59:
      // Encryption Change, Read Remote Version Complete, Encryption Key Refresh Complete.
      guard let handle = Self.word(bytes, at: 3) else { return nil }
      self = .about(handle: handle & 0x0FFF)
    case 0x3E:
      self.init(lowEnergyEvent: bytes)
    default:
      return nil
    }
  }

  private init?(lowEnergyEvent bytes: [UInt8]) {
    switch bytes[2] {
    case 0x01, 0x0A, 0x29:
      // Connection Complete: status, handle, role, address type, address.
      guard bytes.count >= 14, bytes[3] == 0, let handle = Self.word(bytes, at: 4) else { return nil }
      self = .connected(
        handle: handle & 0x0FFF,
        peer: BluetoothAddress(littleEndian: bytes[8..<14], kind: bytes[7] & 1 == 0 ? .public : .random))
    case 0x03, 0x04, 0x0C:
      // Connection Update, Read Remote Features, PHY Update: all Complete, with a status before the handle.
      guard let handle = Self.word(bytes, at: 4) else { return nil }
      self = .about(handle: handle & 0x0FFF)
    case 0x06, 0x07, 0x14:
      // Remote Connection Parameter Request, Data Length Change, Channel Selection Algorithm.
      guard let handle = Self.word(bytes, at: 3) else { return nil }
      self = .about(handle: handle & 0x0FFF)
    default:
      return nil
    }
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt16? {
    offset + 1 < bytes.count ? UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 : nil
  }
}
