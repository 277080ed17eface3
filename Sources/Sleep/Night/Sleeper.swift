/// What the networks may know about the night and the person beside the beats. All of it is optional.
package struct Sleeper: Hashable, Sendable {
  /// The sex of a person; the networks were trained with these two values.
  package enum Sex: Hashable, Sendable {
    case female, male
  }

  /// The civil time at the start of the night, in seconds since midnight.
  package let startSecondOfDay: Int?
  /// The age in years.
  package let age: Double?
  package let sex: Sex?

  /// Creates a description of which nothing is known.
  package init() {
    (startSecondOfDay, age, sex) = (nil, nil, nil)
  }

  /// Creates a description. Throws if the second is not in 0 … 86 399 or the age not in 0 … 130.
  package init(startSecondOfDay: Int? = nil, age: Double? = nil, sex: Sex? = nil) throws(SleepInputError) {
    if let startSecondOfDay, !(0..<86_400).contains(startSecondOfDay) {
      throw .invalidTimeOfDay(second: startSecondOfDay)
    }
    if let age, !(0...130).contains(age) { throw .invalidAge(years: age) }
    (self.startSecondOfDay, self.age, self.sex) = (startSecondOfDay, age, sex)
  }
}
