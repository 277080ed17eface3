import TachogramTestKit

/// A series of beats with artifacts at known places.
struct PlantedSeries {
  enum Artifact: CaseIterable {
    case missed, extra, ectopic
  }

  /// The intervals without the artifacts, in ms.
  let clean: [Double]
  /// The intervals with them.
  private(set) var intervals: [Double] = []
  /// For each of the intervals, what is wrong with it, and the number of the artifact; `nil` where nothing is.
  private(set) var truth: [(artifact: Artifact, number: Int)?] = []
  private(set) var artifactCount = 0

  /// Plants artifacts in `share` of the beats, at least four beats apart: beats taken out; beats put in 30 … 70 % of the
  /// way between two; beats that come early by `prematurity`, as a share of their interval.
  init(_ clean: [Double], share: Double, prematurity: ClosedRange<Double> = 0.2...0.4, seed: UInt64) {
    self.clean = clean
    var random = SplitMix64(seed: seed)
    var places: [Int: Artifact] = [:]
    let wanted = Int(share * Double(clean.count))
    while places.count < wanted {
      let place = 6 + Int.random(in: 0..<(clean.count - 12), using: &random)
      if (place - 4...place + 4).contains(where: { places[$0] != nil }) { continue }
      places[place] = Artifact.allCases.randomElement(using: &random)
    }
    plant(places, prematurity, &random)
  }

  private mutating func plant(
    _ places: [Int: Artifact], _ prematurity: ClosedRange<Double>, _ random: inout SplitMix64
  ) {
    var time = 0.0
    var last = 0.0
    var pending: (artifact: Artifact, number: Int)?
    func share(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    }
    for beat in 1...clean.count {
      let interval = clean[beat - 1]
      time += interval
      guard let artifact = places[beat] else {
        add(until: time, &last, pending)
        pending = nil
        continue
      }
      let mark = (artifact, artifactCount)
      artifactCount += 1
      switch artifact {
      case .missed:
        pending = mark
      case .extra:
        add(until: time - share(0.3...0.7) * interval, &last, mark)
        add(until: time, &last, mark)
      case .ectopic:
        add(until: time - share(prematurity) * interval, &last, mark)
        pending = mark
      }
    }
  }

  private mutating func add(until time: Double, _ last: inout Double, _ mark: (artifact: Artifact, number: Int)?) {
    intervals.append(time - last)
    truth.append(mark)
    last = time
  }
}
