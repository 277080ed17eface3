/// The stretch of the night from which the features of an epoch are computed, in epochs.
package enum SleepECGWindow: String, Hashable, Sendable, CaseIterable {
  /// From 240 s before the start of the epoch to 270 s after it, of the network for sleep and wake.
  case sleepWake
  /// From 120 s before the start of the epoch to 150 s after it, of the networks for wake, NREM and REM.
  case wakeNREMREM

  /// The epochs before the start of the epoch.
  package var lookback: Int { self == .sleepWake ? 8 : 4 }
  /// The epochs after the start of the epoch, itself included.
  package var lookforward: Int { self == .sleepWake ? 9 : 5 }

  /// The length of the window in epochs.
  package var length: Int { lookback + lookforward }
}
