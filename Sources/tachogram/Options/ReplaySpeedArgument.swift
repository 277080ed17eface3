import ArgumentParser
import Listening

extension ReplaySpeed: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { text }
}
