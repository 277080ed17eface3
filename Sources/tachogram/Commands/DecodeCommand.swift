import ArgumentParser
import CommandProcess
import GATT
import Presentation
import TachogramCore

/// `decode`: decodes Heart Rate Measurement values.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Decode Heart Rate Measurement values (characteristic 2A37) given as hexadecimal.",
  )

  @Argument(help: "Values such as 1655b6029402. An empty string is an empty value.")
  var values: [String]

  @Option(help: "text, json or ndjson.")
  var format = OutputFormat.text

  private struct Decoded: Encodable {
    let value: String
    var heartRate: UInt16?
    var contact: String?
    var energyExpendedKJ: UInt16?
    var rr1024: [UInt16]?
    var rrMs: [Double]?
    var error: String?
  }

  func run() throws {
    let decoded = try values.map(decode)
    switch format {
    case .json:
      StandardStreams.out(try JSONOutput.line(decoded))
    case .ndjson:
      for value in decoded { StandardStreams.out(try JSONOutput(isPretty: false).text(value) + "\n") }
    case .text:
      for value in decoded { StandardStreams.out(text(value) + "\n") }
    }
    if decoded.contains(where: { $0.error != nil }) { throw CommandFailure("", code: .badInput) }
  }

  private func decode(_ text: String) throws -> Decoded {
    guard let bytes = Hexadecimal.bytes(text) else {
      throw CommandFailure("'\(text)' is not hexadecimal; write two digits a byte, such as 0652", code: .badUsage)
    }
    var decoded = Decoded(value: Hexadecimal.text(bytes))
    do {
      let measurement = try HeartRateMeasurementCodec.decode(bytes[...])
      decoded.heartRate = measurement.heartRate
      decoded.contact = measurement.contact.rawValue
      decoded.energyExpendedKJ = measurement.energyExpended
      decoded.rr1024 = measurement.rrIntervals.map(\.ticks)
      decoded.rrMs = measurement.rrIntervals.map(\.milliseconds)
    } catch {
      decoded.error = error.description
    }
    return decoded
  }

  private func text(_ decoded: Decoded) -> String {
    if let error = decoded.error { return "\(decoded.value)  \(error)" }
    var parts = ["\(decoded.heartRate ?? 0) bpm", "contact \(decoded.contact ?? "")"]
    if let energy = decoded.energyExpendedKJ { parts.append("\(energy) kJ") }
    if let rr = decoded.rrMs, !rr.isEmpty { parts.append("RR " + rr.map { "\($0) ms" }.joined(separator: ", ")) }
    return "\(decoded.value)  " + parts.joined(separator: ", ")
  }
}
