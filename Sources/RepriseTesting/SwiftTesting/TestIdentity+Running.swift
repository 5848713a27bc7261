// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    internal import Testing

    extension TestIdentity {
        init(_ test: Test) {
            self.init(module: test.id.moduleName, test.id.nameComponents, sourceFile: test.sourceLocation.file)
            runsInParallel = !CommandLine.arguments.contains("--no-parallel")
        }
    }

    extension SourceLocation {
        fileprivate var file: String {
            #if compiler(>=6.3)
                filePath
            #else
                _filePath
            #endif
        }
    }
#endif

extension TestIdentity {
    /// Returns the test that runs in this task, or else the given function.
    static func running(fileID: String, sourceFile: String, function: String) -> TestIdentity {
        #if canImport(Testing)
            if let test = Test.current { return TestIdentity(test) }
        #endif
        return TestIdentity(fileID: fileID, sourceFile: sourceFile, function: function)
    }
}

extension TestLogs {
    /// Attaches a log to the test that runs in this task.
    ///
    /// - Returns: `false` if no test that supports attachments is running.
    static func attachToTest(_ text: String, named name: String) -> Bool {
        #if canImport(Testing)
            guard let test = Test.current else { return false }
            Attachment.record(text, named: name, sourceLocation: test.sourceLocation)
            return true
        #else
            return false
        #endif
    }
}
