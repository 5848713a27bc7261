// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

/// Accounts and passwords in lines, commands, and logs, and similar lines without a secret, see ``MarkedBody``.
@Suite struct AccountLinesTests {
    static let texts = [
        "ran: mysql -u root -p«maple55x» shop",
        "2026-01-01 10:00 exec: mysql -u root -p«maple55x» shop",
        "sh -c \"mysql -u root -p«maple55x» shop\"",
        "run mysql -u root -p«maple55x» shop",
        "mysql -e \"show tables\" -p«maple55x»",
        "note: cp -preserve a b; ports: docker run -p8080:80 nginx1",
        "chpasswd:\n  expire: false\n  list: |\n    root:«maple»\n    ada:RANDOM\nusers:\n  - name: ada\n",
        "chpasswd:\n  list:\n    - root:«maple»\n    - ada:R\npackages: [a:b]\n",
        "echo \"root:«maple»\" | chpasswd",
        "echo 'root:«maple»' | sudo chpasswd\nnext:line",
        "echo root:$PASSWORD | chpasswd",
        "chpasswd <<EOF\nroot:«maple»\nada:«orchid»\nEOF\nhost:port\n",
        "man chpasswd: reads a list of users. See time:zone.",
        "C: AUTH PLAIN «AGFkYQBtYXBsZS1zdHJlZXQ=»\nS: 235 ok 1\n",
        "AUTH PLAIN mechanism is supported; 250-AUTH PLAIN LOGIN XOAUTH2\n",
        "the plain dGhlIHBsYWluIHRleHQ= and PLAIN auth 1",
        "localhost:5432:db:user:«Maple7street»\n",
        "*:*:*:ada:«x7Rk2mT9vLpW»\n# comment:1\n",
        "src/main.c:120:5:error:missing\nhost:80:a:b:maple\n",
        "main.c:12:34:error:Missing7Value\n",
        "bob:«{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=»\n",
        "userPassword: «{SSHA}kRbd0kYqJmXPQ0sT7c1nDFGvh1k4Zq3vT1sPLw==»\n",
        "format {SHA} and {SSHA} and {SSHA}short\n",
        "adduser --disabled-password deploy1\nmysql --skip-password shop1;\nsshd --permit-password yes1\n",
        "psql --no-password host7\nusermod --lock-password ada1\nx --password «maple»\n",
    ]

    @Test(arguments: texts)
    func findsPasswords(_ text: String) throws {
        try MarkedBody.plain(text).expectRedaction()
    }

    @Test func findsPasswordsInJSON() throws {
        let text = #"{"msg":"exec: mysql -u root -p«maple55x» shop","cmd":"echo \"root:«maple»\" | chpasswd"}"#
        try MarkedBody.json(text).expectRedaction()
    }
}
