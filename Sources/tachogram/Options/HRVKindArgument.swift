import ArgumentParser
import StressKit

extension HRVKind: ExpressibleByArgument {}
