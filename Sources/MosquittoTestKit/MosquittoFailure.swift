/// Why a broker or a program of a test failed.
package struct MosquittoFailure: Error, CustomStringConvertible {
  package let description: String
}
