// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

/// Strings that other members of their object declare to be secret, and similar strings that stay, see ``MarkedBody``.
@Suite struct DeclaredSecretsTests {
    private static let random = "x7Rk2mT9vLpW4nB8sD1qZxa7"
    private static let hex = "8f14e45fceea167a5a36dedd4bea25430a1b2c3d4e5f60718293a4b5c6d7e8f9"

    static let flags = [
        #"{"Name":"/app/mailer","Type":"SecureString","Value":"«\#(random)»","Version":1}"#,
        #"{"Parameters":[{"Value":"«maple-street»","Type":"SecureString","Name":"/a"},{"Value":"b","Type":"String"}]}"#,
        #"{"key":"FOO","value":"«\#(random)»","masked":true,"protected":false,"environment_scope":"*"}"#,
        #"{"masked": true, "value": "«\#(random)»", "key": "FOO"}"#,
        #"{"key":"REGION","value":"eu-central-1","masked":true}"#,
        #"{"outputs":{"salt":{"value":"«\#(random)»","type":"string","sensitive":true}}}"#,
        #"{"outputs":{"a":{"sensitive":true,"value":{"salt":"«\#(random)»","zone":"eu-west-1"}}}}"#,
        #"{"outputs":{"a":{"sensitive":true,"value":["«maple-street»"]}}}"#,
        #"{"key":"WEBHOOK_SALT","value":"«\#(random)»","type":"sensitive","target":["production"]}"#,
        #"{"key":"SALT","value":"«\#(random)»","type":"encrypted"}"#,
        #"{"key":"SALT","is_secret":true,"values":[{"id":"1","context":"all","value":"«maple-street»"}]}"#,
        #"{"variables":{"Salt":{"value":"«maple-street»","isSecret":true}}}"#,
        #"{"key":"Salt","value":"«maple-street»","secured":true}"#,
        #"{"name":"x","value":"«\#(random)»","encrypted":true}"#,
        #"{"name":"x","value":"«a\"b\\u00e9-street»","secret":"true"}"#,
        #"{"text":"{\"name\":\"x\",\"value\":\"«maple-street»\",\"secret\":true}"}"#,
        // Without a secret.
        #"{"key":"FOO","value":"\#(random)","masked":false}"#,
        #"{"type":"string","sensitive":true,"description":"The password of the user"}"#,
        #"{"name":"theme","value":"dark","secure":true,"httpOnly":true}"#,
        #"{"name":"page","value":"home","hidden":true}"#,
        #"{"name":"x","value":"${SALT}","sensitive":true}"#,
        #"{"name":"x","value":"","sensitive":true}"#,
        #"{"value":"\#(random)","case_sensitive":true,"has_secret":true}"#,
        #"{"sensitive":true,"items":[{"name":"a","value":"maple"}],"id":"\#(random)"}"#,
        #"{"name":"disk","encrypted":true,"value":"100GB"}"#,
    ]

    static let kinds = [
        #"{"kind":"Secret","apiVersion":"v1","metadata":{"name":"app","uid":"u"},"data":{"blob":"«bWFwbGU=»"}}"#,
        #"{"data":{"blob":"«bWFwbGU=»","username":"YWRh"},"stringData":{"x":"«maple-street»"},"kind":"Secret"}"#,
        #"{"kind":"SecretList","items":[{"metadata":{"name":"a"},"data":{"blob":"«bWFwbGU=»"}}]}"#,
        #"{"items":[{"kind":"Secret","data":{"x":"«bWFwbGU=»"}},{"kind":"ConfigMap","data":{"x":"bWFwbGU="}}]}"#,
        #"{"kind":"Secret","data":{"ca.crt":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM="}}"#,
        #"{"kind":"Secret","type":"Opaque","metadata":{"labels":{"data":"maple"},"annotations":{"a":"b"}}}"#,
        #"{"kind":"ConfigMap","data":{"blob":"bWFwbGU="}}"#,
        #"{"kind":"SecretStore","data":{"blob":"bWFwbGU="}}"#,
        #"{"type":"random_password","name":"db","instances":[{"attributes":{"result":"«\#(random)»","id":"none"}}]}"#,
        #"{"instances":[{"attributes":{"value":"«\#(random)»"}}],"type":"azurerm_key_vault_secret"}"#,
        #"{"type":"kubernetes_secret","values":{"data":{"blob":"«\#(random)»"}}}"#,
        #"{"type":"random_pet","instances":[{"attributes":{"result":"\#(random)"}}]}"#,
        #"{"keys":["«\#(hex)»","«\#(hex)»"],"keys_base64":["«YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4»"],"root_token":"s"}"#,
        #"{"keys":["app/","db/"],"root_token":"s"}"#,
        #"{"keys":["\#(hex)"],"count":1}"#,
        #"{"recovery_question":{"question":"Where?","answer":"«maple»"}}"#,
        #"{"securityQuestions":[{"question":"Where?","answer":"«maple»"}]}"#,
        #"{"question":"Where?","answer":"maple"}"#,
        #"{"method":"call","params":{"service":"common","method":"login","args":["db","ada","«Maple7x»"]}}"#,
        #"{"method":"session.authenticate","params":["ada","«\#(random)»",{}],"id":1}"#,
        #"{"method":"call","params":{"method":"execute_kw","args":["shop-db-3a",2,"«Copper-puzzle68»","a.b","read"]}}"#,
        #"{"method":"personal_unlockAccount","params":["0x6c9dcc90fb93231a1126ba6e0541d86a","«Saddle!cinder57»",30]}"#,
        #"{"method":"login","params":["ada","guest"]}"#,
        #"{"method":"execute_kw","args":["shop-db-3a",2,"puzzle","a.b","read",["Copper-puzzle68"]]}"#,
        #"{"method":"list","params":["ada","Maple7x"]}"#,
    ]

    static let groups = [
        #"{"JoinTokens":{"Worker":"«\#(random)»","Manager":"«\#(random)»"}}"#,
        #"{"functionKeys":{"default":"«\#(random)»"},"systemKeys":{"durabletask_extension":"«\#(random)»"}}"#,
        #"{"licenseKeys":["«\#(random)»"],"joinTokens":["«\#(random)»"]}"#,
        #"{"license_keys":[{"id":"\#(random)","key":"«\#(random)»"}]}"#,
        #"{"publicKeys":["\#(random)"],"cacheKeys":["\#(random)"],"objectKeys":["\#(random)"]}"#,
        #"{"functionKeys":{"default":"none"},"licenseKeys":["basic","team"]}"#,
        #"{"secureJsonData":{"httpHeaderValue1":"«Key maple-street»"},"secureJsonFields":{"httpHeaderValue1":true}}"#,
        #"{"name":"SALT","secureValue":"«maple-street»"}"#,
        #"{"SecretString":"«maple-street»","VersionId":"1"}"#,
    ]

    static let names = [
        #"{"oauth_verifier":"«maple»","auth_req_id":"«\#(random)»","sessid":"«\#(random)»"}"#,
        #"{"sessionInfo":"«\#(random)»","tempauth":"«\#(random)»"}"#,
        #"{"session_info":{"browser":"\#(random)"},"sess":"2026-fall","Plaintext":"Hello world"}"#,
        #"{"Plaintext":"«\#(random)»","CiphertextBlob":"\#(random)"}"#,
        #"{"mac":"«\#(hex)»","x":{"mac":"00:1A:2B:3C:4D:5E"},"y":{"mac":"001A2B3C4D5E"},"z":{"mac":"001a.2b3c.4d5e"}}"#,
    ]

    static let harmless = [
        #"{"next_cursor":"dGVhbTpDMDYxRkE1UEI=","cursor":"dXNlcjpVMEc5UUY5QzY=","id":"Z2lkOjhHazJMcFE0"}"#,
        #"{"endCursor":"Y3Vyc29yOnYyOkExQjJDM0Q0","edges":[{"cursor":"aWQ6YUIzeEs5cFE="}]}"#,
        #"{"nodeID":"YWRhOng3UmsybVQ5dkxwVzRu"}"#,
        #"{"x":"dGVhbTpDMDYxRkE1UEI=","note":"«YWRhOng3UmsybVQ5dkxwVzRu»"}"#,
        #"{"auths":{"registry.example.com":{"auth":"«YWRhOm1hcGxlLXN0cmVldA==»"}}}"#,
        #"{"key":"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7x7Rk2mT9vLpW4nB8sD1qZxa7"}"#,
        #"{"ssh_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIx7Rk2mT9vLpW4nB8sD1qZxa7 ada@host"}"#,
        #"{"private_key":"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7x7Rk2mT9vLpW4nB8","key":"AAAAB3NzaC1yc2EAAAADAQAB"}"#,
        #"{"ssh_keys":["3b:16:e4:bf:8b:00:8b:b8:59:8c:a9:d3:f0:19:fa:45","deploy",289794],"sshKeys":["deploy"]}"#,
        #"{"ssh_keys":[{"id":512189,"name":"My Key","fingerprint":"3b:16:e4"}],"ssh_key":{"name":"laptop"}}"#,
        #"{"cmd":["useradd","--no-password","ada1"],"args":["--password","«maple»"]}"#,
    ]

    @Test(arguments: flags + kinds + groups + names + harmless)
    func findsDeclaredSecrets(_ text: String) throws {
        let body = MarkedBody.json(text)
        try body.expectRedaction()
        let bytes = Array(body.text.utf8)
        let pieces = BodyRedactions.pieces(bytes, cutAt: Array(stride(from: 3, to: bytes.count, by: 7)))
        #expect(try BodyRedactions.redact(pieces, headers: ["Content-Type: \(body.type)"]).text == body.redacted)
    }

    @Test func nestedDeclarationsTakeLinearTime() throws {
        let depth = 20_000
        let text = String(repeating: #"{"sensitive":true,"value":"#, count: depth) + #""maple""#
        let body = text + String(repeating: "}", count: depth)
        #expect(try BodyRedactions.redact(String(body.prefix(200_000)), type: "application/json").count >= 0)
    }

    @Test(arguments: [
        ("key=FOO&value=«\(random)»&masked=true", "application/x-www-form-urlencoded"),
        ("key=FOO&secret=true&value=«maple-street»", "application/x-www-form-urlencoded"),
        ("key=FOO&value=\(random)&masked=false", "application/x-www-form-urlencoded"),
        ("oauth_verifier=«maple»&SAMLart=«\(random)»&mac=«\(hex)»&x=001A2B3C4D5E", "application/x-www-form-urlencoded"),
        ("kind: Secret\ndata:\n  blob: «bWFwbGU=»\n  username: YWRh\nmetadata:\n  name: app\n", "application/yaml"),
        ("data:\n  blob: «bWFwbGU=»\nstringData:\n  x: \"«maple-street»\"\nkind: Secret\n", "application/yaml"),
        (
            "items:\n- data:\n    a: «bWFwbGU=»\n  kind: Secret\n- data:\n    a: bWFwbGU=\n  kind: ConfigMap\n",
            "text/plain"
        ),
        ("kind: Secret\nstringData:\n  conf: |\n    «a: 1\n    b: maple»\nmetadata:\n  name: x\n", "text/plain"),
        ("kind: Secret\ndata:\n---\nkind: ConfigMap\ndata:\n  a: bWFwbGU=\n", "text/plain"),
        ("kind: ConfigMap\ndata:\n  a: bWFwbGU=\n---\nkind: Secret\nmetadata:\n  name: x\n", "text/plain"),
        ("kind: Secret\ndata:\n  a: {{ .Values.a | b64enc }}\n  b: null\n", "text/plain"),
        (
            "<methodCall><methodName>authenticate</methodName><params><param><value><string>db</string></value></param>"
                + "<param><value><string>ada</string></value></param>"
                + "<param><value><string>«Maple7x»</string></value></param>"
                + "<param><value><struct/></value></param></params></methodCall>", "text/xml"
        ),
        (
            "<methodCall><methodName>x.login</methodName><params><param><value>ada</value></param>"
                + "<param><value>«Maple&amp;7x»</value></param></params></methodCall>", "text/xml"
        ),
        (
            "<methodCall><methodName>login</methodName><params><param><value>ada</value></param>"
                + "<param><value>guest</value></param></params></methodCall>", "text/xml"
        ),
        (
            "<methodCall><methodName>list</methodName><params><param><value>ada</value></param>"
                + "<param><value>Maple7x</value></param></params></methodCall>", "text/xml"
        ),
        ("Type: SecureString\nName: /a\n", "text/plain"),
        ("- Type: SecureString\n  Value: «maple-street»\n", "text/plain"),
    ])
    func findsDeclaredSecretsInOtherFormats(_ text: String, type: String) throws {
        try MarkedBody(type, text).expectRedaction()
    }

    @Test(arguments: [
        ("/v1/secret/data/app", #"{"data":{"data":{"thing":"«\#(random)»","host":"db"},"metadata":{"version":3}}}"#),
        ("/v1/kv/app", #"{"data":{"thing":"«\#(random)»"},"request_id":"\#(random)"}"#),
        ("/v1/secrets/data/app", #"{"data":{"thing":"«\#(random)»"},"options":{"cas":0}}"#),
        ("/v1/kv-v2/data/app", #"{"data":{"thing":"«\#(random)»"}}"#),
        ("/v1/users/data/app", #"{"data":{"thing":"\#(random)"}}"#),
        ("/v1/p/secrets/s/versions/1:access", #"{"name":"s","payload":{"data":"«bWFwbGU=»","dataCrc32c":"1"}}"#),
    ])
    func findsSecretsAtPaths(_ url: String, text: String) throws {
        let body = MarkedBody.json(text)
        for isRequest in [true, false] {
            let path = PathNames(url).names(inRequest: isRequest)
            #expect(try BodyRedactions.redact(body.text, type: body.type, at: path).text == body.redacted)
        }
    }
}
