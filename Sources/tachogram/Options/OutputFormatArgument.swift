import ArgumentParser
import CommandProcess

extension OutputFormat: ExpressibleByArgument {}
