/// The stages of a night by one estimator, with what is known of it.
package struct NightEstimate: Hashable, Sendable {
  package let staged: StagedNight
  /// The agreement with scored nights; `nil` if it was not measured on nights that the training left out.
  package let agreement: StageAgreement?
  /// The origin of the estimator, to be shown with the stages; `nil` if it was trained with no data.
  package let attribution: String?
}
