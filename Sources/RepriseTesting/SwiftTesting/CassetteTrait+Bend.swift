// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    public import RepriseText
    internal import Testing

    extension CassetteTrait {
        /// Returns the trait with another edit of the recorded responses.
        ///
        /// - Parameters:
        ///   - place: The place of the edit.
        ///   - edit: What happens there.
        ///   - exchange: The recorded exchange, such as `POST /v1/chat`; nil for each one to which it applies.
        ///   - answers: The number of answers that are edited, counted from the first, from 1 to 999; nil for all.
        public func bent(
            _ place: Bend.Place,
            _ edit: Bend.Edit,
            of exchange: String? = nil,
            answers: Int? = nil
        ) -> CassetteTrait {
            bent(by: [Bend(place, edit, of: exchange, answers: answers)])
        }

        /// Returns the trait with another edit of the heads, or of the whole content.
        public func bent(_ edit: Bend.Edit, of exchange: String? = nil, answers: Int? = nil) -> CassetteTrait {
            bent(by: [Bend(edit, of: exchange, answers: answers)])
        }

        /// Returns the trait with further edits of the recorded responses.
        public func bent(by bends: [Bend]) -> CassetteTrait {
            var trait = self
            trait.settings.bends = (settings.bends ?? []) + bends
            return trait
        }
    }

    extension NamedCassetteTrait {
        /// Returns the trait with another edit of the recorded responses.
        ///
        /// ```swift
        /// @Test(.cassette("chat").bent(.afterEvent(3), .reset))
        /// func keepsPartOfBrokenChat() async throws {
        /// ```
        ///
        /// An edit that cannot apply, such as one after event 9 of a stream with five events, fails the test.
        ///
        /// - Parameters:
        ///   - place: The place of the edit.
        ///   - edit: What happens there.
        ///   - exchange: The recorded exchange, such as `POST /v1/chat`; nil for each one to which it applies.
        ///   - answers: The number of answers that are edited, counted from the first, from 1 to 999; nil for all.
        public func bent(
            _ place: Bend.Place,
            _ edit: Bend.Edit,
            of exchange: String? = nil,
            answers: Int? = nil
        ) -> NamedCassetteTrait {
            bent(by: [Bend(place, edit, of: exchange, answers: answers)])
        }

        /// Returns the trait with another edit of the heads, or of the whole content.
        public func bent(_ edit: Bend.Edit, of exchange: String? = nil, answers: Int? = nil) -> NamedCassetteTrait {
            bent(by: [Bend(edit, of: exchange, answers: answers)])
        }

        /// Returns the trait with further edits of the recorded responses.
        public func bent(by bends: [Bend]) -> NamedCassetteTrait {
            var trait = self
            trait.settings.bends = (settings.bends ?? []) + bends
            return trait
        }
    }
#endif
