/// The names of the bus itself (D-Bus specification, "Message Bus Messages").
enum BusNames {
  static let destination = "org.freedesktop.DBus"
  static let interface = "org.freedesktop.DBus"
  static let path = DBusObjectPath(trusted: "/org/freedesktop/DBus")
  static let nameOwnerChanged = "NameOwnerChanged"
  static let localInterface = "org.freedesktop.DBus.Local"
  static let localPath = "/org/freedesktop/DBus/Local"
  static let failed = "org.freedesktop.DBus.Error.Failed"
  static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
  static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  static let noReply = "org.freedesktop.DBus.Error.NoReply"
  static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  static let noServer = "org.freedesktop.DBus.Error.NoServer"
  static let fileNotFound = "org.freedesktop.DBus.Error.FileNotFound"
  static let badAddress = "org.freedesktop.DBus.Error.BadAddress"
}
