import Logging
import ServiceLifecycle

extension ServiceGroup {
  /// Returns the services of a station. They end from the last to the first: the page, the recorder, the rest. The failure of
  /// one ends all of them, and its error is thrown; the normal end of one ends no other. After `limit` the rest ends at once, so
  /// that a client that does not read its answer does not delay the end of a session.
  static func ofStation(
    _ services: [any Service], logger: Logger, endingWithin limit: Duration = .milliseconds(1_500)
  ) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(
      services: services.map { service in
        ServiceGroupConfiguration.ServiceConfiguration(
          service: service, successTerminationBehavior: .ignore, failureTerminationBehavior: .gracefullyShutdownGroup)
      }, logger: logger)
    configuration.maximumGracefulShutdownDuration = limit
    return ServiceGroup(configuration: configuration)
  }
}
