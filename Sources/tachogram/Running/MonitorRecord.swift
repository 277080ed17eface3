import BluetoothKernel

/// Frames of the monitor channel in btsnoop records with datalink 2001 (BlueZ `src/shared/btsnoop.c`).
enum MonitorRecord {
  /// The 16 bytes of the file header.
  static let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]

  /// 1970-01-01 in the timestamps of btsnoop, which count microseconds from the year 0.
  private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// Returns the record: original length, included length, adapter and opcode, drops, time, and the bytes of the frame.
  static func bytes(_ frame: MonitorFrame) -> [UInt8] {
    let length = UInt32(clamping: frame.bytes.count)
    let time = UInt64(bitPattern: frame.time &+ epoch)
    let words = [
      length, length, UInt32(frame.adapter) << 16 | UInt32(frame.opcode), 0, UInt32(truncatingIfNeeded: time >> 32),
      UInt32(truncatingIfNeeded: time),
    ]
    var record: [UInt8] = []
    record.reserveCapacity(words.count * 4 + frame.bytes.count)
    for word in words {
      for shift in stride(from: 24, through: 0, by: -8) {
        record.append(UInt8(truncatingIfNeeded: word >> UInt32(shift)))
      }
    }
    return record + frame.bytes
  }
}
