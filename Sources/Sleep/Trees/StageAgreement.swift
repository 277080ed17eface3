/// How well the stages of an estimator agreed with those that people scored, on nights that its training left out: Cohen's κ.
package struct StageAgreement: Hashable, Sendable, Encodable {
  /// κ with its 95 % interval over persons.
  package struct Kappa: Hashable, Sendable, Encodable {
    package let value: Double
    package let low: Double
    package let high: Double
  }

  /// Of wake, light, deep and REM sleep.
  package let fourClasses: Kappa?
  /// Of wake, NREM and REM sleep.
  package let threeClasses: Kappa?
  /// Of sleep and wake.
  package let sleepWake: Kappa

  /// Creates the agreement of a model, or returns `nil` unless it has three numbers for each number of classes.
  init?(_ triples: [String: [Double]]) {
    func kappa(_ name: String) -> Kappa? {
      guard let triple = triples[name], triple.count == 3 else { return nil }
      return Kappa(value: triple[0], low: triple[1], high: triple[2])
    }
    guard let four = kappa("fourClasses"), let three = kappa("threeClasses"), let two = kappa("sleepWake") else {
      return nil
    }
    (fourClasses, threeClasses, sleepWake) = (four, three, two)
  }

  private init(sleepWake: Kappa) {
    (fourClasses, threeClasses, self.sleepWake) = (nil, nil, sleepWake)
  }

  /// That of sleep and wake alone.
  package var ofSleepAndWake: StageAgreement { StageAgreement(sleepWake: sleepWake) }
}
