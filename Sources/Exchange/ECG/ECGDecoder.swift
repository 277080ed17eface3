import GATT
import TachogramCore

/// Reads the frames of electrocardiograms from the sensor entries of a session. Frames of other measurements are passed over.
struct ECGDecoder {
  /// The number of frames that are not well-formed, or arrived before the start of a stream, whose rate is then unknown.
  private(set) var unusableCount = 0
  private var rate: UInt16?
  private var clock: PolarSampleClock?
  private var link: Int?

  /// Reads an entry. Returns its frame, or `nil` if it has no samples of an electrocardiogram.
  mutating func ingest(_ entry: SensorEntry) -> ECGFrame? {
    switch entry.content {
    case .started(let request, let response): start(request, response, on: entry.link)
    case .stopped(let bytes): if isStop(bytes) { end() }
    case .frame(let bytes): return frame(bytes, entry)
    }
    return nil
  }

  // MARK: - Streams

  private mutating func start(_ request: [UInt8], _ response: [UInt8], on link: Int) {
    guard case .start(.ecg, let settings)? = try? PolarControlPointRequest.decode(request[...]) else { return }
    end()
    guard let answer = try? PolarControlPointResponse.decode(response[...]), answer.status == .success,
      let rate = settings.sampleRates.first, rate > 0
    else { return }
    self.rate = rate
    self.link = link
    clock = PolarSampleClock(rate: rate)
  }

  private mutating func end() { (rate, clock, link) = (nil, nil, nil) }

  /// Whether the strap reports the end of the electrocardiogram: the indication names the measurements that ended.
  private func isStop(_ bytes: [UInt8]) -> Bool {
    guard case .stopped(let measurements)? = try? PolarControlPointIndication.decode(bytes[...]) else { return true }
    return measurements.contains(.ecg)
  }

  // MARK: - Frames

  private mutating func frame(_ bytes: [UInt8], _ entry: SensorEntry) -> ECGFrame? {
    guard let type = bytes.first, PolarMeasurementType(byte: type) == .ecg else { return nil }
    guard let rate, link == entry.link, let frame = try? PolarMeasurementFrame.decode(bytes[...]),
      case .ecg(let samples) = frame.samples
    else {
      unusableCount += 1
      return nil
    }
    guard !samples.isEmpty else { return nil }
    let time = frame.header.time
    let isContinuation = clock?.isContinued(count: samples.count, last: time) ?? false
    let times = clock?.times(count: samples.count, last: time) ?? []
    guard times.count == samples.count else { return nil }
    return ECGFrame(
      isContinuation: isContinuation, rate: rate, arrival: entry.monotonic, times: times,
      microvolts: samples.map(\.microvolts))
  }
}
