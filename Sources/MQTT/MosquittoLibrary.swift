import CMosquitto

/// libmosquitto, loaded when the first client is made.
enum MosquittoLibrary {
  static let name = "libmosquitto.so.1"

  private static let loaded: tachogram_mosquitto? = load(name)

  /// The functions of the library. Throws `MQTTError.noLibrary` where it is not installed.
  static func functions(of file: String) throws(MQTTError) -> tachogram_mosquitto {
    guard let functions = file == name ? loaded : load(file) else { throw .noLibrary }
    return functions
  }

  private static func load(_ file: String) -> tachogram_mosquitto? {
    var functions = tachogram_mosquitto()
    return tachogram_mosquitto_load(&functions, file) == 1 ? functions : nil
  }
}
