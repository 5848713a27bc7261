// SPDX-License-Identifier: Apache-2.0

private import Foundation

#if canImport(Testing)
    private import Testing
#endif
#if canImport(XCTest)
    private import XCTest
#endif

/// A line of a test, in Swift Testing or XCTest.
package struct TestPlace: Sendable {
    private let fileID: StaticString
    private let filePath: StaticString
    private let line: UInt
    private let column: UInt

    package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// Records a failure of the running test at this line. The test continues.
    package func recordFailure(_ text: String) {
        #if canImport(Testing)
            if Test.current != nil {
                let location = SourceLocation(
                    fileID: "\(fileID)",
                    filePath: "\(filePath)",
                    line: Int(line),
                    column: Int(column)
                )
                Issue.record(Comment(rawValue: text), sourceLocation: location)
                return
            }
        #endif
        #if canImport(XCTest)
            XCTFail(text, file: filePath, line: line)
        #else
            FileHandle.standardError.write(Data("\(filePath):\(line): \(text)\n".utf8))
        #endif
    }

    /// Attaches text to the running test.
    package static func attach(_ text: String, named name: String) async {
        #if canImport(Testing)
            if let test = Test.current {
                return Attachment.record(text, named: name, sourceLocation: test.sourceLocation)
            }
        #endif
        #if canImport(XCTest) && canImport(Darwin)
            await MainActor.run {
                XCTContext.runActivity(named: name) { activity in
                    let attachment = XCTAttachment(string: text)
                    attachment.name = name
                    activity.add(attachment)
                }
            }
        #else
            FileHandle.standardError.write(Data("\(name):\n\(text)".utf8))
        #endif
    }
}
