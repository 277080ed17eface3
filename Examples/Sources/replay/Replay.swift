import HeartRateKit

/// What the straps in a capture said: replay CAPTURE
@main
enum Replay {
  static func main() throws {
    let capture = try HeartRateCapture(contentsOf: CommandLine.arguments[1])
    var highest = 0
    try capture.forEachReading { _, _, reading in highest = max(highest, reading.heartRate) }
    for strap in try capture.straps() {
      let rmssd = strap.hrv[.rmssd].map { "RMSSD \(Int($0)) ms" } ?? "no RMSSD"
      print("\(strap.address): \(strap.notificationCount) notifications, \(rmssd)")
    }
    print("highest heart rate \(highest) bpm")
  }
}
