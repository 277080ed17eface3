import Foundation
import Observation
import StressKit

/// The view model of the apps' dashboard: against the contracts alone, as an app has it.
@MainActor
@Observable
final class DashboardViewModel {
  // MARK: - State

  var currentStress: StressResult?
  var isLoading = false
  var errorMessage: String?

  // MARK: - Dependencies

  private let healthKit: any HealthKitServiceProtocol
  private let algorithm: any StressAlgorithmServiceProtocol
  private let repository: any StressRepositoryProtocol

  init(
    healthKit: any HealthKitServiceProtocol, algorithm: any StressAlgorithmServiceProtocol,
    repository: any StressRepositoryProtocol,
  ) {
    self.healthKit = healthKit
    self.algorithm = algorithm
    self.repository = repository
  }

  // MARK: - Public methods

  func refreshStressLevel() async {
    isLoading = true
    defer { isLoading = false }

    do {
      async let hrv = healthKit.fetchLatestHRV()
      async let heartRates = healthKit.fetchHeartRate(samples: 10)
      async let baseline = repository.getBaseline()
      let (newest, samples, usual) = try await (hrv, heartRates, baseline)
      let stress = try await algorithm.calculateStress(
        hrv: newest?.value ?? 0, heartRate: samples.first?.value ?? 0, baseline: usual)
      currentStress = stress
      try await repository.save(
        StressMeasurement(
          timestamp: stress.timestamp, stressLevel: stress.level, hrv: stress.hrv,
          restingHeartRate: usual.restingHeartRate))
    } catch {
      errorMessage = error.localizedDescription
    }
  }
}
