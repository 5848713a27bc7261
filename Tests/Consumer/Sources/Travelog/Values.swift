// SPDX-License-Identifier: Apache-2.0

import Reprise

/// A photo of a trip.
public struct Photo: Codable, Sendable, Hashable, Identifiable {
    /// Its number.
    public var id: String
    /// A description of what it shows.
    public var caption: String
}

/// A message in a chat.
public struct Message: Codable, Sendable, Hashable {
    /// The name of its author.
    public var author: String
    /// Its text.
    public var text: String
}

/// An error that the journal's API reports.
public enum TravelogError: Error, Hashable {
    case wrongPassword, signedOut, noSuchPhoto
    /// Any other error, with the details that the API's support team needs.
    case refused(BusinessError)
}

struct Page: Decodable {
    var photos: [Photo]
    var next: String?
}

/// The envelope of every response of the API.
struct Reply: Envelope {
    let code: BusinessCode
    let message: String?
    let requestID: String?

    enum CodingKeys: String, CodingKey { case code, message, requestID = "request_id" }

    static var statusCodes: Set<Int> { [200, 201] }

    static func error(for failure: BusinessError) -> (any Error)? {
        switch failure.code {
        case 40101: TravelogError.wrongPassword
        case 40102: TravelogError.signedOut
        case 40401: TravelogError.noSuchPhoto
        default: TravelogError.refused(failure)
        }
    }
}
