import GATT

/// A frame as bytes, with what it says: the numbers of each sample, written down by hand from the layouts.
struct PolarFrameVector: CustomStringConvertible {
  let title: String
  let bytes: [UInt8]
  var factor: Float = 1
  let rows: [[Double]]

  /// 0x0102030405060708.
  static let time: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]

  init(_ title: String, _ type: UInt8, _ format: UInt8, _ content: [UInt8], factor: Float = 1, rows: [[Double]]) {
    self.title = title
    bytes = [type] + Self.time + [format] + content
    self.factor = factor
    self.rows = rows
  }

  var description: String { title }

  /// Channel n is n; one bit: -1 for each.
  private static let array: [UInt8] =
    (0..<24).flatMap { [UInt8($0), 0, 0] } + [0xFF, 0xFF, 0xFF, 1, 1, 0xFF, 0xFF, 0xFF, 0x01]
  private static let arrayRows: [[Double]] = [0.0, 1.0].map { step in
    (0..<24).map { Double($0) - step } + [16_777_215 - step]
  }

  static let all: [PolarFrameVector] = [
    .init("raw frame without samples", 2, 0x01, [], rows: []),
    .init(
      "acceleration, 1 byte", 2, 0x00, [0x80, 0x7F, 0x40, 0xFF, 0x00, 0x01], rows: [[-128, 127, 64], [-1, 0, 1]]),
    .init(
      "acceleration, 2 bytes", 2, 0x01, [0x01, 0x00, 0xFE, 0xFF, 0xE8, 0x03, 0x00, 0x80, 0xFF, 0x7F, 0x00, 0x01],
      rows: [[1, -2, 1000], [-32_768, 32_767, 256]]),
    .init(
      "acceleration, 3 bytes", 2, 0x02, [0x00, 0x00, 0x80, 0xFF, 0xFF, 0x7F, 0xE8, 0x03, 0x00],
      rows: [[-8_388_608, 8_388_607, 1000]]),
    // The factor is for compressed frames alone.
    .init("acceleration, raw with a factor", 2, 0x00, [1, 2, 3], factor: 0.5, rows: [[1, 2, 3]]),
    // 3 bits: 001 111 011, 100 000 010; then 1 bit: 0 1 0.
    .init(
      "acceleration, compressed", 2, 0x81,
      [0x64, 0x00, 0x9C, 0xFF, 0xE8, 0x03, 3, 2, 0xF9, 0x08, 0x01, 1, 1, 0x02],
      rows: [[100, -100, 1000], [101, -101, 1003], [97, -101, 1005], [97, -102, 1005]]),
    .init(
      "acceleration, compressed, a reference sample alone", 2, 0x81, [0x64, 0x00, 0x9C, 0xFF, 0xE8, 0x03],
      rows: [[100, -100, 1000]]),
    .init(
      "acceleration, compressed, a group without samples", 2, 0x81, [1, 0, 2, 0, 3, 0, 9, 0], rows: [[1, 2, 3]]),
    // 250 + 50, 250, 250 - 20 with a factor of 1.5: halves are rounded away from 0.
    .init(
      "acceleration, compressed, milli-g with a factor", 2, 0x81, [3, 0, 0xFD, 0xFF, 2, 0], factor: 1.5,
      rows: [[5, -5, 3]]),
    // 1/4096 g: 2048, -1024, 4096, and 1, 3, -3 more of it.
    .init(
      "acceleration, compressed, g with a factor", 2, 0x80,
      [0x00, 0x08, 0x00, 0xFC, 0x00, 0x10, 8, 1, 0x01, 0x03, 0xFD], factor: 0x1p-12,
      rows: [[500, -250, 1000], [500, -249, 999]]),
    .init(
      "ECG", 0, 0x00, [0x01, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00, 0x00, 0x80],
      rows: [[1], [-1], [8_388_607], [-8_388_608]]),
    // 0x2A5A5, and in the last byte 011 101 10.
    .init("ECG with tags", 0, 0x02, [0xA5, 0xA5, 0x76, 0xFF, 0xFF, 0x03], rows: [[173_477, 5, 3], [262_143, 0, 0]]),
    .init(
      "PPI", 3, 0x00,
      [60, 0xE8, 0x03, 10, 0, 0x06, 0, 0x20, 0x03, 0x1E, 0x01, 0x05, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFA],
      rows: [[60, 1000, 10, 0, 2], [0, 800, 286, 1, 1], [255, 65_535, 65_535, 0, 0]]),
    .init(
      "PPG", 1, 0x00, [0x01, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x80, 0xFF, 0xFF, 0x7F],
      rows: [[1, -1, -8_388_608, 8_388_607]]),
    .init("PPG mode", 1, 0x05, [0x78, 0x56, 0x34, 0x12, 1, 0, 0, 0x80], rows: [[305_419_896], [2_147_483_649]]),
    // 4 bits: 1, -2, 7, -8.
    .init(
      "PPG, compressed", 1, 0x80, [10, 0, 0, 20, 0, 0, 0xE2, 0xFF, 0xFF, 40, 0, 0, 4, 1, 0xE1, 0x87], factor: 2,
      rows: [[20, 40, -60, 80], [22, 36, -46, 64]]),
    .init("PPG array, compressed", 1, 0x88, array, rows: arrayRows),
    // 1, -2.5, 0, and 24 bits: 0x3FC00000 - 0x3F800000, 0xC0000000 - 0xC0200000, 0.
    .init(
      "gyroscope, compressed", 5, 0x81,
      [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0, 0, 0, 0, 0, 24, 1, 0, 0, 0x40, 0, 0, 0xE0, 0, 0, 0], factor: 2,
      rows: [[2, -5, 0], [3, -4, 0]]),
    // 2 bits: 1, -2, 0.
    .init(
      "magnetometer, compressed", 6, 0x80, [1, 0, 0xFF, 0xFF, 100, 0, 2, 1, 0x09], factor: 0.5,
      rows: [[0.5, -0.5, 50, -1], [1, -1.5, 50, -1]]),
    // 2 bits: 0, 1, -1, 1; then 0, 0, 0, -2, and the calibration is -1, which means nothing.
    .init(
      "magnetometer with calibration, compressed", 6, 0x81,
      [0x00, 0x10, 0x00, 0xF0, 0x00, 0x08, 0, 0, 2, 2, 0x74, 0x80], factor: 0x1p-12 * 1000,
      rows: [
        [1, -1, 0.5, 0], [1, -0.999_755_859_375, 0.499_755_859_375, 1], [1, -0.999_755_859_375, 0.499_755_859_375, -1],
      ]),
  ]
}
