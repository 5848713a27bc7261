// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Who sends a client's requests, for the field User-Agent (RFC 9110 section 10.1.5).
///
/// ```swift
/// configuration.userAgent = UserAgent(name: "Atlas", version: "2.1")
/// ```
///
/// It is written as `Atlas/2.1 (com.example.atlas; build:42; iOS 18.1.0) Reprise/0.1`, and what is nil or empty is left
/// out. What a name cannot hold is a hyphen in it, so that nothing in any part can end the field or begin another.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The program's name.
    public var name: String?
    /// The program's version.
    public var version: String?
    /// The identifier of the program's bundle.
    public var bundle: String?
    /// The number of the program's build.
    public var build: String?
    /// The platform, such as `iOS` or `Linux`.
    public var platform: String?
    /// The version of the platform.
    public var platformVersion: String?
    /// The library's name.
    public var library: String?
    /// The library's version.
    public var libraryVersion: String?

    /// Who sends, each part of which may be left at its default.
    ///
    /// - Parameters:
    ///   - name: the program's name; nil for the main bundle's, or without a bundle the process's.
    ///   - version: the program's version; nil for the main bundle's.
    ///   - bundle: the bundle's identifier; nil for the main bundle's.
    ///   - build: the number of the build; nil for the main bundle's.
    ///   - platform: nil for the one that this runs on.
    ///   - platformVersion: nil for the one that this runs on.
    ///   - library: nil for `Reprise`.
    ///   - libraryVersion: nil for its own.
    public init(
        name: String? = nil,
        version: String? = nil,
        bundle: String? = nil,
        build: String? = nil,
        platform: String? = nil,
        platformVersion: String? = nil,
        library: String? = nil,
        libraryVersion: String? = nil
    ) {
        self.init(bundle: Bundle.main.infoDictionary ?? [:])
        self.name = name ?? self.name
        self.version = version ?? self.version
        self.bundle = bundle ?? self.bundle
        self.build = build ?? self.build
        self.platform = platform ?? self.platform
        self.platformVersion = platformVersion ?? self.platformVersion
        self.library = library ?? self.library
        self.libraryVersion = libraryVersion ?? self.libraryVersion
    }

    /// What a bundle says of itself.
    init(bundle information: [String: Any]) {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        name = information["CFBundleName"] as? String ?? ProcessInfo.processInfo.processName
        version = information["CFBundleShortVersionString"] as? String
        bundle = information["CFBundleIdentifier"] as? String
        build = information["CFBundleVersion"] as? String
        platform = Self.ownPlatform
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        library = "Reprise"
        libraryVersion = "0.1"
    }

    /// The field's value; empty if there is nothing to say.
    public var description: String {
        let system = [platform, platformVersion].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let comments = [bundle, build.flatMap { $0.isEmpty ? nil : "build:\($0)" }, system]
            .compactMap(\.self).filter { !$0.isEmpty }.map(Self.comment)
        return [
            Self.product(name, version),
            comments.isEmpty ? nil : "(\(comments.joined(separator: "; ")))",
            Self.product(library, libraryVersion),
        ]
        .compactMap(\.self).joined(separator: " ")
    }

    private static func product(_ name: String?, _ version: String?) -> String? {
        guard let name = name.map(token), !name.isEmpty else { return nil }
        guard let version = version.map(token), !version.isEmpty else { return name }
        return "\(name)/\(version)"
    }

    /// The text as a token (RFC 9110 section 5.6.2), with one hyphen in place of what none can have.
    private static func token(_ text: String) -> String {
        text.utf8.split { !HTTPField.isTokenByte($0) }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The text within a comment (RFC 9110 section 5.6.5).
    private static func comment(_ text: String) -> String {
        var comment: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F: comment.append(UInt8(ascii: " "))
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): comment += [UInt8(ascii: "\\"), byte]
            default: comment.append(byte)
            }
        }
        return String(decoding: comment, as: UTF8.self)
    }

    private static var ownPlatform: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(Linux)
            "Linux"
        #else
            "unknown"
        #endif
    }
}

extension HTTPField {
    /// Whether a token may have it (RFC 9110 section 5.6.2).
    fileprivate static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
