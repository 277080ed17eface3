import StressKit

/// The stress of one reading as the apps' dashboard shows it: dashboard HRV-IN-MS HEART-RATE
@main
@MainActor
enum Dashboard {
  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
    let sensor = MockHealthKitManager()
    if let hrv = numbers.first { sensor.mockHRV = HRVMeasurement(value: hrv) }
    sensor.mockHeartRates = numbers.dropFirst().map { HeartRateSample(value: $0) }
    let repository = InMemoryStressRepository()
    let model = DashboardViewModel(
      healthKit: sensor, algorithm: StressCalculator(), repository: repository)
    await model.refreshStressLevel()
    if let stress = model.currentStress {
      print(
        stress.category.accessibilityValue(level: stress.level), "\(stress.category.icon), \(stress.mood)",
        separator: "; ")
      print("measurements stored: \(await repository.fetchAll().count)")
    }
    if let message = model.errorMessage { print("no stress level: \(message)") }
  }
}
