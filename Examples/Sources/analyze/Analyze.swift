import Foundation
import HeartRateKit

/// Heart-rate variability of a file with an RR interval in ms a line: analyze FILE
@main
enum Analyze {
  static func main() throws {
    let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
    let intervals = text.split(separator: "\n").compactMap { Double($0) }
    var rolling = RollingHRV(seconds: 300)
    for (number, interval) in intervals.enumerated() {
      rolling.append(interval)
      if number % 60 == 59, let rmssd = rolling[.rmssd] { print("beat \(number + 1): RMSSD \(Int(rmssd)) ms") }
    }
    let result = IntervalAnalysis(intervals).result()
    for metric in [HRVResult.Metric.sdnn, .rmssd, .lf, .hf] {
      print(metric, result[metric].map { "\(Int($0))" } ?? "none: \(String(describing: result.absence(of: metric)))")
    }
    print("artifacts \(Int(100 * result.artifactShare)) %")
  }
}
