import BlueZ
import HeartRateKit

/// What a strap says, as it says it: live [COUNT [ADDRESS]], so many readings of the first strap that is heard, or of one
@main
enum Live {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.first.flatMap(Int.init) ?? .max
    let listener = StrapListener()
    try await listener.check()
    var readings = 0
    for await update in try listener.updates(from: arguments.dropFirst().first) {
      switch update {
      case .strap(let address, let name): print("strap \(address)", name ?? "")
      case .link(let phase, let problem): print("link \(phase)", problem.map { "(\($0))" } ?? "")
      case .signal: break
      case .notification(let value, let date, _):
        guard let reading = try? HeartRateReading(decoding: value) else { continue }
        print(date, "\(reading.heartRate) bpm, RR", reading.intervals.map { "\(Int($0)) ms" }.joined(separator: ", "))
        readings += 1
        if readings >= count { return }
      }
    }
  }
}
