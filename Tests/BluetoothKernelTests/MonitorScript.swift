import BluetoothKernel

/// Frames of the monitor channel as a kernel makes them, one after the other, a millisecond apart.
struct MonitorScript {
  private(set) var frames: [MonitorFrame] = []
  private(set) var time: Int64

  /// 2026-01-01.
  static let start: Int64 = 1_767_225_600_000_000

  /// The peer of connection 0x40.
  static let strap: [UInt8] = [1, 0, 0, 0xEE, 0xFF, 0xC0]
  static let other: [UInt8] = [2, 0, 0, 0xAA, 0xBB, 0xCC]

  init(time: Int64 = MonitorScript.start) {
    self.time = time
  }

  mutating func add(_ kind: MonitorFrame.Kind, _ bytes: [UInt8], adapter: UInt16 = 0) {
    time += 1000
    frames.append(MonitorFrame(time: time, opcode: kind.rawValue, adapter: adapter, bytes: bytes))
  }

  mutating func wait(microseconds: Int64) {
    time += microseconds
  }

  mutating func adapter() {
    add(.adapterAdded, [UInt8](repeating: 0x31, count: 16))
    add(.adapterOpened, [])
    add(.adapterInformation, [UInt8](repeating: 0x32, count: 8))
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8], adapter: UInt16 = 0) {
    add(.event, [code, UInt8(parameters.count)] + parameters, adapter: adapter)
  }

  mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) {
    add(.command, [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters)
  }

  mutating func connect(_ handle: UInt8, _ peer: [UInt8], adapter: UInt16 = 0) {
    event(0x3E, [0x01, 0, handle, 0, 0, 1] + peer + [0x28, 0, 0, 0, 0x2A, 0, 0], adapter: adapter)
  }

  mutating func connectClassic(_ handle: UInt8, _ peer: [UInt8]) {
    event(0x03, [0, handle, 0] + peer + [1, 0])
  }

  mutating func disconnect(_ handle: UInt8, adapter: UInt16 = 0) {
    event(0x05, [0, handle, 0, 0x13], adapter: adapter)
  }

  /// A whole L2CAP frame in one fragment, or in fragments of `size` bytes.
  mutating func data(
    _ handle: UInt8, channel: UInt8, _ payload: [UInt8], isSent: Bool, size: Int = 1024, adapter: UInt16 = 0,
  ) {
    let frame = [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), channel, 0] + payload
    for start in stride(from: 0, to: frame.count, by: size) {
      let fragment = Array(frame[start..<min(start + size, frame.count)])
      let flags: UInt8 = start > 0 ? 0x10 : isSent ? 0x00 : 0x20
      add(
        isSent ? .aclSent : .aclReceived,
        [handle, flags, UInt8(fragment.count & 0xFF), UInt8(fragment.count >> 8)] + fragment, adapter: adapter)
    }
  }

  mutating func ask(_ handle: UInt8, _ pdu: [UInt8], adapter: UInt16 = 0) {
    data(handle, channel: 4, pdu, isSent: true, adapter: adapter)
  }

  mutating func answer(_ handle: UInt8, _ pdu: [UInt8], size: Int = 1024, adapter: UInt16 = 0) {
    data(handle, channel: 4, pdu, isSent: false, size: size, adapter: adapter)
  }

  /// Discovery of the services, of which one is the Heart Rate Service.
  mutating func discover(_ handle: UInt8, size: Int = 1024, adapter: UInt16 = 0) {
    ask(handle, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28], adapter: adapter)
    answer(handle, [0x11, 6, 1, 0, 5, 0, 0x00, 0x18, 6, 0, 12, 0, 0x0D, 0x18], size: size, adapter: adapter)
  }

  /// A heart rate of 60 with one interval of 1 s.
  mutating func beat(_ handle: UInt8) {
    answer(handle, [0x1B, 0x10, 0, 0x10, 60, 0, 4])
  }
}
