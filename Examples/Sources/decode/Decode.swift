import HeartRateKit

/// Decodes the bytes of a notification: decode 16 3c 00 04
@main
enum Decode {
  static func main() throws {
    let bytes = CommandLine.arguments.dropFirst().compactMap { UInt8($0, radix: 16) }
    let reading = try HeartRateReading(decoding: bytes)
    print("\(reading.heartRate) bpm, contact: \(reading.contact)")
    for interval in reading.intervals { print("RR interval of \(interval) ms") }
  }
}
