import Testing

/// A way to write a series of intervals as text, from the description of the format.
struct RRTextVariant: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let format: String
  /// `unit, separator, decimal, column, heading, times` as the report says them.
  let dialect: String
  let write: @Sendable ([Int]) -> String

  init(_ name: String, _ format: String, _ dialect: String, write: @escaping @Sendable ([Int]) -> String) {
    testDescription = name
    (self.format, self.dialect, self.write) = (format, dialect, write)
  }

  /// Seconds with three decimals.
  static func seconds(_ milliseconds: Int, _ decimal: String = ".") -> String {
    let decimals = String(milliseconds % 1000)
    return "\(milliseconds / 1000)\(decimal)" + String(repeating: "0", count: 3 - decimals.count) + decimals
  }

  /// Lines of the time at the end of each interval, in ms, and the interval.
  static func rows(_ intervals: [Int], _ line: (_ time: Int, _ interval: Int) -> String) -> String {
    var time = 0
    return intervals.map { interval in
      time += interval
      return line(time, interval) + "\n"
    }.joined()
  }

  /// A date and time of 1 May 2026, so many ms after seven in the morning.
  static func moment(_ milliseconds: Int, _ separator: String) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let minutes = milliseconds / 60_000
    let second = seconds(milliseconds % 60_000)
    return "2026-05-01\(separator)\(two(7 + minutes / 60)):\(two(minutes % 60)):" + (second.count < 6 ? "0" : "")
      + second
  }

  static let all = plain + tables + apps

  private static let plain = [
    RRTextVariant("one column", "rr-text", "ms none point 1 - false") { rows($0) { "\($1)" } },
    RRTextVariant("seconds", "rr-text", "s none point 1 - false") { rows($0) { seconds($1) } },
    RRTextVariant("decimal comma", "rr-text", "s none comma 1 - false") { rows($0) { seconds($1, ",") } },
    RRTextVariant("quoted decimal comma", "rr-text", "s none comma 1 - false") {
      rows($0) { "\"\(seconds($1, ","))\"" }
    },
    RRTextVariant("decimal comma of ms", "rr-text", "ms none comma 1 - false") { rows($0) { "\($1),0" } },
    RRTextVariant("heading of one column", "rr-text", "ms none point 1 R-R (ms) false") {
      "R-R (ms)\n" + rows($0) { "\($1)" }
    },
    RRTextVariant("several headings", "rr-text", "ms none point 1 - false") {
      "Export of my watch\nSerial: 12-34\n\n" + rows($0) { "\($1)" }
    },
    RRTextVariant("time, interval", "rr-text", "ms comma point 2 - true") { rows($0) { "\($0),\($1)" } },
    RRTextVariant("seconds; seconds", "rr-text", "s semicolon comma 2 - true") {
      rows($0) { "\(seconds($0, ","));\(seconds($1, ","))" }
    },
    RRTextVariant("tabs, decimal comma", "rr-text", "s tab comma 2 - true") {
      rows($0) { "\(seconds($0, ","))\t\(seconds($1, ","))" }
    },
    RRTextVariant("blanks", "rr-text", "s blanks point 2 - true") { rows($0) { "  \(seconds($0))   \(seconds($1))" } },
    RRTextVariant("blanks, decimal comma", "rr-text", "s blanks comma 2 - true") {
      rows($0) { "\(seconds($0, ",")) \(seconds($1, ","))" }
    },
    RRTextVariant("Polar Flow", "rr-text", "ms tab point 2 - true") { rows($0) { "\(seconds($0))\t\($1)" } },
    RRTextVariant("moments", "rr-text", "ms comma point 2 - true") { rows($0) { "\(moment($0, "T"))Z,\($1)" } },
  ]

  private static let tables =
    ["RR", "RR-interval", "RR (ms)", "rr_ms", "IBI", "NN", "interval", "rrMs", "R-R Interval [ms]", "\"RRI\""].map {
      name in
      RRTextVariant("column \(name)", "rr-csv", "ms comma point 3 \(name.filter { $0 != "\"" }) true") {
        "\"Heart rate\",Time (s),\(name),Flag\n" + rows($0) { "\(60_000 / $1),\(seconds($0)),\($1),0" }
      }
    } + [
      RRTextVariant("unit in brackets", "rr-csv", "s semicolon comma 2 RR[s] true") {
        "Zeit;RR[s];Puls\n" + rows($0) { "\(seconds($0, ","));\(seconds($1, ","));\(60_000 / $1)" }
      },
      RRTextVariant("quoted commas", "rr-csv", "s comma comma 2 rr true") {
        "t_time,rr\n" + rows($0) { "\"\(seconds($0, ","))\",\"\(seconds($1, ","))\"" }
      },
      RRTextVariant("index without a name", "rr-csv", "ms comma point 2 rr false") {
        ",rr\n" + $0.enumerated().map { "\($0),\($1).0\n" }.joined()
      },
      RRTextVariant("raw before corrected", "rr-csv", "ms tab point 2 RR false") {
        "Corrected RR\tRR\n" + rows($0) { "1000\t\($1)" }
      },
    ]

  private static let apps = [
    RRTextVariant("Polar Sensor Logger", "polar-sensor-logger", "ms semicolon point 2 RR-interval [ms] true") {
      "Phone timestamp;RR-interval [ms]\n" + rows($0) { "\(moment($0, "T"));\($1)" }
    },
    RRTextVariant("HRV Logger", "hrv-logger", "ms comma point 2 rr true") {
      "date,rr,since start\n" + rows($0) { "\(moment($0, " ")),\($1),\($0)" }
    },
    RRTextVariant("HRV Logger, older", "hrv-logger", "ms comma point 3 rr true") {
      "date, timestamp, rr\n" + rows($0) { "\(moment($0, " ")) +0200, \($0), \($1)" }
    },
    RRTextVariant("FatMaxxer", "fatmaxxer", "ms comma point 2 rr true") {
      "timestamp,rr,since_start\n\n" + rows($0) { "\(1_622_959_867_016 + $0),\($1),\($0)" }
    },
    RRTextVariant("Firstbeat", "firstbeat", "ms semicolon point 1 RR false") {
      "Name: X\nStart time: 21.03.2023 11:10:00\nRR;Artifact corrected RR;;\n" + rows($0) { "\($1);1000;;" }
        + ";1000;;\n"
    },
    RRTextVariant("Empatica", "empatica-ibi", "s comma point 2 IBI true") {
      "1775181600.000000, IBI\n" + rows($0) { "\(seconds($0)),\(seconds($1))" }
    },
    RRTextVariant("Polar HRM", "polar-hrm", "ms none point 1 - false") {
      "[Params]\nVersion=106\nInterval=238\n\n[HRZones]\n180\n162\n0\n\n[HRData]\n" + rows($0) { "\($1)" }
    },
    RRTextVariant("Kubios, one column", "kubios-text", "s none point 1 - false") {
      "# Kubios HRV\n# RR series\n" + rows($0) { seconds($1) }
    },
    RRTextVariant("Kubios, two columns", "kubios-text", "s blanks point 2 - true") {
      "Kubios HRV Standard\nExported series\n" + rows($0) { "\(seconds($0)) \(seconds($1))" }
    },
    RRTextVariant("Kubios results", "kubios-report", "s comma point 2 RR interval true") {
      let preamble = (0..<150).map { "Parameter \($0),\($0),\n" }.joined()
      return "Kubios HRV analysis results\nMean RR (ms),800\nRMSSD (ms),45\nRMSSD,SDNN\n" + preamble
        + "RR INTERVAL DATA and SPECTRUM ESTIMATES\nSAMPLE 1\nTime,RR interval,,Frequency,PSD\n(s),(s),,(Hz),(s^2/Hz)\n"
        + rows($0) { "\(seconds($0)),\(seconds($1)),,0.01,0.002" } + ",,,0.02,0.003\n,,,0.03,0.001\n"
    },
    RRTextVariant("own export", "tachogram-csv", "ms comma point 5 rrMs true") {
      "event,sequence,time,monotonicUs,rrMs,rr1024,marks,seconds,reason\n"
        + rows($0) { "beat,1,\(moment($0, "T"))Z,\($0)000,\($1),\($1 * 1024 / 1000),,," }
    },
  ]
}
