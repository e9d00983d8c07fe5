import Foundation

extension StoreLocationError: StatusError {
  package var status: ExitStatus {
    switch self {
    case .emptyOption, .inMemory: .usage
    case .noHome: .noStore
    case .cannotCreateFolder: .cannotCreate
    }
  }

  package var message: String { localizedDescription }
  package var hint: String? { recoverySuggestion }
}
