import Foundation
import SnipCore

extension StoreLocationError: StatusError {
  var status: ExitStatus {
    switch self {
    case .emptyOption: .usage
    case .noHome: .noStore
    case .cannotCreateFolder: .cannotCreate
    }
  }

  var message: String { localizedDescription }
  var hint: String? { recoverySuggestion }
}
