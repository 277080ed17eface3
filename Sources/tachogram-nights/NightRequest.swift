/// The data of a night. Times are in ticks of 1/1024 s from its start.
struct NightRequest: Decodable {
  /// Paths of files with the data of a night, of which the stages by trees are wanted and nothing else.
  struct Files: Decodable {
    let rr: String?
    let heartRate: String?
    let movement: String?
  }

  let files: Files?
  let epochs: Int?
  /// The times of beats.
  let beats: [Int64]?
  /// Pairs of time and beats per minute.
  let heartRates: [[Double]]?
  /// Pairs of time and intensity.
  let movements: [[Double]]?
  /// Inputs of the networks for which probabilities are wanted: start, age and gender, `null` where unknown.
  let sleepers: [[Float?]]?
}
