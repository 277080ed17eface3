import TachogramTestKit

/// Seeds of RR intervals: dialects of text, and FIT files.
enum SeriesSeeds {
  private static let intervals = (0..<90).map { 780 + $0 * 37 % 90 }

  static let text: [FuzzSeed] = {
    let plain = lines(90) { _, interval in "\(interval)\n" }
    let texts: [String] = [
      plain,
      lines(90) { _, interval in "0,\(interval)\r\n" },
      "Time;RR\n" + lines(90) { time, interval in "\(time);\(interval)\n" },
      "RR (s)\tflag\n" + lines(90) { _, interval in "0.\(interval)\t1\n" },
      "date,rr,since start\n" + lines(20) { time, interval in "2026-05-01 07:00:30.5,\(interval),\(time)\n" },
      "Phone timestamp;RR-interval [ms]\n"
        + lines(20) { time, interval in "2026-05-01T07:00:\(10 + time / 1000 % 50).123;\(interval)\n" },
      "1775181600.000000, IBI\n"
        + lines(90) { time, interval in "\(time / 1000).\(time % 1000),0.\(interval)\n" },
      "[Params]\nVersion=106\nInterval=238\n\n[HRData]\n" + lines(20) { _, interval in "\(interval)\n" },
      "event,sequence,time,monotonicUs,rrMs\n# gap 12.3 s linkDown\n"
        + lines(20) { time, interval in "beat,1,2026-05-01T07:00:00Z,\(time)000,\(interval)\n# gap 2 s lost\n" },
    ]
    let wide: [UInt8] = [0xFF, 0xFE] + plain.prefix(80).utf8.flatMap { [$0, 0] }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(texts[2].utf8)
    return FuzzSeeds.numbered(texts.map { Array($0.utf8) } + [wide, marked])
  }()

  /// Returns lines made from the time at the end of each interval, in ms, and the interval.
  private static func lines(_ count: Int, _ line: (_ time: Int, _ interval: Int) -> String) -> String {
    var time = 0
    var text = ""
    for interval in intervals.prefix(count) {
      time += interval
      text += line(time, interval)
    }
    return text
  }

  static let fit = FuzzSeeds.numbered(
    [false, true].map { isBigEndian in
      var script = FITScript(isBigEndian: isBigEndian)
      script.defineAll(developer: isBigEndian ? [(0, 2, 0)] : [])
      script.timer(0, at: 1000)
      for start in stride(from: 0, to: intervals.count, by: 5) {
        script.hrv(Array(intervals[start..<start + 5]), developer: isBigEndian ? [1, 2] : [])
      }
      script.record(1040)
      script.timer(4, at: 1080)
      script.timer(0, at: 1200)
      script.hrv([800, 801], developer: isBigEndian ? [1, 2] : [])
      return script.file(headerLength: isBigEndian ? 12 : 14)
    })
}
