import BluetoothKernel
import Repository

/// Collects the facts about the machine that do not require the system bus.
package struct DoctorCollector {
  /// The root of the system's files; tests use a folder with their own.
  package var root = "/"
  package var environment: [String: String]
  /// The folder that holds the database.
  package var stateFolder: String

  package init(root: String = "/", environment: [String: String], stateFolder: String) {
    self.root = root
    self.environment = environment
    self.stateFolder = stateFolder
  }

  /// Returns the facts about the machine and `bluetooth`, to which program, version, controllers and switches are added.
  package func facts(bluetooth: BluetoothFacts) -> DoctorFacts {
    var facts = DoctorFacts()
    facts.bluetooth = bluetooth
    let program = BluetoothdProgram(root: root)
    facts.bluetooth.program = bluetooth.program ?? program.path
    facts.bluetooth.version = bluetooth.version ?? program.version
    let tree = SystemTree(root: root)
    let kernel = KernelFacts(tree)
    facts.bluetooth.controllers = kernel.adapters
    facts.bluetooth.switches = kernel.switches
    for index in facts.bluetooth.adapters.indices {
      guard let found = facts.bluetooth.switches.first(where: { $0.name == facts.bluetooth.adapters[index].name })
      else {
        continue
      }
      facts.bluetooth.adapters[index].isSoftBlocked = found.isSoftBlocked
      facts.bluetooth.adapters[index].isHardBlocked = found.isHardBlocked
    }
    facts.connection = ConnectionFacts(kernel, adapters: facts.bluetooth.adapters.map(\.name) + kernel.adapters)
    facts.clock = ClockFacts(tree)
    facts.storage = StorageFacts(folder: stateFolder)
    facts.rights = RightsFacts(tree)
    facts.system = SystemFacts(tree, environment: environment)
    return facts
  }
}
