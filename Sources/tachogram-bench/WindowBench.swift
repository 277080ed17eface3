import HRV
import TachogramCore
import TachogramTestKit

/// Compares updating the sliding window with recomputing it at every beat, in one run.
enum WindowBench {
  private static let recomputed = 20_000

  static func run() {
    let beats = beats(count: 1_000_000)
    let clock = ContinuousClock()
    var engine = HRVEngine(lengths: [300])
    var checksum = 0.0
    let updating = clock.measure {
      for beat in beats {
        engine.append(TimedInterval(beat.interval, endingAt: beat.time, followsGap: false))
        checksum += engine.snapshot(length: 300, sessionStart: beats[0].time)?.metrics.values.rmssd ?? 0
      }
    }
    var appended = HRVEngine(lengths: [300])
    let appending = clock.measure {
      for beat in beats {
        appended.append(TimedInterval(beat.interval, endingAt: beat.time, followsGap: false))
      }
    }
    checksum += Double(appended.session.count - beats.count)
    var otherChecksum = 0.0
    let first = beats.count - recomputed
    let recomputing = clock.measure {
      var start = first
      for index in first..<beats.count {
        while beats[start].time.microseconds <= beats[index].time.microseconds - 300_000_000 { start += 1 }
        while start > 0, beats[start - 1].time.microseconds > beats[index].time.microseconds - 300_000_000 {
          start -= 1
        }
        let values = beats[start...index].map(\.interval.milliseconds)
        otherChecksum += HRVBatch.metrics(of: values, breaksBefore: []).values.rmssd ?? 0
      }
    }
    let append = seconds(appending) / Double(beats.count) * 1e9
    let update = seconds(updating) / Double(beats.count) * 1e9
    let recompute = seconds(recomputing) / Double(recomputed) * 1e9
    // The checksums are printed so that the optimiser cannot remove any of the work.
    print(
      "window 300 s, append \(rounded(append)) ns; all time-domain metrics at every beat: update \(rounded(update)) ns, "
        + "recompute \(rounded(recompute)) ns, ratio \(rounded(recompute / update))× "
        + "(checks \(rounded(checksum)) \(rounded(otherChecksum)))")
  }

  private static func beats(count: Int) -> [(interval: NNInterval, time: MonotonicTime)] {
    var random = SplitMix64(seed: 4)
    var time = 0.0
    return (0..<count).map { _ in
      let interval = RRInterval(ticks: UInt16(750 + random.next() % 150))
      time += interval.milliseconds * 1000
      return (NNInterval(interval), MonotonicTime(microseconds: Int64(time)))
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  private static func rounded(_ value: Double) -> String {
    "\((value * 10).rounded() / 10)"
  }
}
