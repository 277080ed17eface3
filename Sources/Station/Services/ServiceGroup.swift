import Logging
import ServiceLifecycle

extension ServiceGroup {
  /// The services of a station. They end in the order from the last to the first, as the page, the recorder, the rest. One that
  /// fails ends all of them, and its error is thrown; one that has nothing more to do ends none.
  static func ofStation(_ services: [any Service], logger: Logger) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(
      services: services.map { service in
        ServiceGroupConfiguration.ServiceConfiguration(
          service: service, successTerminationBehavior: .ignore, failureTerminationBehavior: .gracefullyShutdownGroup)
      }, logger: logger)
    // Then the rest ends at the same time: whoever does not read his answer must not keep a session from its end.
    configuration.maximumGracefulShutdownDuration = .milliseconds(1_500)
    return ServiceGroup(configuration: configuration)
  }
}
