// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

/// Secrets in bodies that APIs and tools send, and harmless values in similar bodies, see ``MarkedBody``.
@Suite struct SecretPlacesTests {
    private static let hash = "$2a$10$oaK0NI2UdRoffBIpF2DtZXUEmjsnMceCpl96oQ7qrRGDGpM2qPjSf"
    private static let digest = "kNYZinFtG3XOU6GqMI56C5RdescudvJCsgt3ubb4dWR"
    private static let line = "WCXQNkjVCDL1VHrZkY6bdcPeC5nfG71B1NOibFsnKnYpYXDq452EGEjIMPhUr6HE"

    static let places: [MarkedBody] = [
        // Keys whose name can also be that of an identifier, and such identifiers.
        .json(#"{"primaryKey":"«\#(digest)=»","primary_key":"550e8400-e29b-41d4-a716-446655440000"}"#),
        .json(#"{"mac":"«x7Rk2mT9vLpW4nB8sD1q»","community":"550e8400-e29b-41d4-a716-446655440000"}"#),
        .json(#"{"cardCode":"«973»","CardCode":"C20000","more":{"cardCode":"01DE012"}}"#),
        .json(#"{"arn":"arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/orders/mysql-AbCdEf"}"#),
        .json(#"{"note":"the secret:«Kx7!vLpW4nB8s»"}"#),
        .json(#"{"plus_code":{"global_code":"8FVC9G8F+6X"},"promo_code":"«Kx7mT9vLpW4n»"}"#),
        // Settings of a program in PHP, and the address of a MySQL driver.
        .plain("<?php\ndefine('DB_NAME', 'shop-x7Rk2mT9vLpW');\ndefine('DB_PASSWORD', '«Kx7$mT9vLpW4nB»');\n"),
        .plain("<?PHP\ndefine('DB_PASSWORD','«summer2024»');\n"),
        .plain("ADDR=root:«Kx7mT9=vLpW=»@tcp(db:3306)/shop\nURL=mysql://root:«q5Rk2mT9vLpW»@tcp(db:3306)/shop\n"),
        .json(#"{"mysql":"anna:«x7Rk2mT9vLpW»@tcp(db:3306)/shop","to":"anna:q5Rk2mT9vLpW@example.com"}"#),
        // A list of values for a name, and table rows with a name and its value.
        .json(#"[{"key":"SMTP_PASSWORD","values":[{"id":"x7Rk","value":"«Kx7mT9vLpW4n»","context":"all"}]}]"#),
        .plain("| Name | Value |\n| --- | --- |\n| API key | «x7Rk2mT9vLpW4nB8sD1q» |\n| Build | x7Rk2mT9vLpW4nB8 |\n"),
        .plain("| Key | Value |\n| --- | --- |\n| API_KEY | «x7Rk2mT9vLpW4nB8sD1q» |\n| REGION | eu-west-1 |\n"),
        // A certain name within a group.
        .json(#"{"credentials":{"password":{"value":"«Lagoon!velvet3493*»"},"name":"jane"}}"#),
        .json(#"{"credentials":[{"password":{"value":"«Lagoon!velvet3493*»"}}],"note":"velvet"}"#),
        .json(#"{"credentials":{"password":{"type":"string","description":"of the user"}}}"#),
        // Names.
        .json(#"{"refresh":"«iXkguOWBrIEhDNSEQKjwUGpCX1t3HND7C62u3brcAY1dMB3tjsf1iCc»"}"#),
        .json(#"{"refresh":true,"refreshInterval":"every day"}"#),
        .json(#"{"secretAnswer":"«copper6614»","puk":"«21959304»"}"#),
        .json(#"{"license_key":"«3DH62-WBCB3-LOP2D-7GRR2»","key":"ITEM-0001-REV2"}"#),
        .form("benutzername=jane&kennwort=«Marble.lagoon369»&senha=«Winter-marble55»"),
        // Passwords that are called `pass` or `pw`, and other things of that name.
        .json(#"{"Username":"ada","Pw":"«Thimble-bramble3296x»"}"#),
        .json(#"{"ansible_become_pass":"«gingermeadow»","db_master_pass":"«correct horse battery staple»"}"#),
        .json(#"{"authpass":"«hunter2x9»","cryptopass":"«Garage-puzzle9375x»","smtp_pass":"«8379»"}"#),
        .json(#"{"parameters":{"pw":"«Quartz-glacier9306x»"},"snmp_community":"«meadow»"}"#),
        .plain("region = \"eu-west-1\"\ndb_master_pass = \"«Thimble!meadow5353x»\"\n"),
        .plain("---\nansible_become_pass: «Orchid_bramble371Q»\napp_env: staging\n"),
        .json(#"{"pass":"true-positive","spf_pass":"yes","dkim_pass":"pass","use_pass":true}"#),
        .json(#"{"boarding_pass":"Gold","tests_pass":"12 of 15","pass_rate":"0.93","bypass":"north","compass":"NNE"}"#),
        .json(#"{"wifi_pass":["can't be blank"],"db_pass":"required","mail_pw":"********"}"#),
        // Labels in other languages.
        .json(#"{"api_key":"API-Schlüssel","access_token":"Zugriffstoken","password":"Passwort"}"#),
        .json(#"{"api_key":"«API-Schluesselwert7»","access_token":"«zugriffstoken»"}"#),
        // References.
        .plain("curl -H \"X-Api-Key: $API_KEY\" https://api.example.com/v2/things\n"),
        .plain("    + password = (sensitive value)\n    + engine   = \"postgres\"\n"),
        .plain("    password = os.environ[\"APP_PASSWORD\"]\n    secret = settings.SECRET_KPK3\n"),
        .plain("const password = req.body.password;\nlet apiKey = process.env.API_KEY\n"),
        .plain("PASSWORD=$(cat /run/secrets/pw)\ndb_password = var.db_password\n"),
        .plain("aws_secret_access_key = !Ref Key\n"),
        .plain("password = «correct.horse.staple»\nsecret = «Ginger.meadow8379!»\napi_key = «$UMMER2024»\n"),
        // Names and values beside each other.
        .json(#"{"name":"docker_password","data":"«Ginger-meadow8379»"}"#),
        .json(#"{"key":"DB_PASSWORD","content":"«hunter2x9»"}"#),
        .json(#"{"name":"password","data":"at least 8 characters","text":"Base64-encoded","default":"password2"}"#),
        .json(#"[{"settings":[["smtp_host","mx1.example.com"],["smtp_password","«Lantern_tulip1985!»"]]}]"#),
        .json(#"[{"fields":["password","address1"],"more":["password","username1","username2"]}]"#),
        .json(#"{"label":"license","type":"CONCEALED","value":"«Velvet.anchor243»"}"#),
        .html("<dl><dt>Password</dt><dd>«Bramble-willow7496»</dd><dt>City</dt><dd>Turin-willow7496</dd></dl>"),
        .html("<table><tr><th>Password</th><td>«Ginger_meadow8379»</td></tr></table>"),
        .html("<tr><td>password</td><td class=\"code\"><pre>«&#39;Quartz-falcon1516&#39;»</pre></td></tr>"),
        .html("<tr><td>Password</td><td>required</td></tr><tr><td>Password</td><td>12 characters min</td></tr>"),
        .html("<tr><th>Password</th><th>Address1x</th></tr><tr><td>********</td><td>Lane-meadow8379</td></tr>"),
        .plain("FROM node:20\nENV DB_PASSWORD «Glacier_walnut5159Q»\nENV TOKEN_PATH /run/secrets/x1\n"),
        .plain(
            "+ aws configure set aws_secret_access_key «Thimble-meadow5353»\n+ aws configure set region eu-west-1\n"
        ),
        .plain("Please set password_length 12 and set password rules2 now"),
        // Prose.
        .json(#"{"t":"Welcome! Your temporary password is «Ginger.meadow8379!» - please change it."}"#),
        .json(#"{"t":"Log in with user ada and password «Puzzle_rocket1421x» then list the repos"}"#),
        .json(#"{"t":"wifi password is `«Ginger-meadow8379»`, see you at lunch"}"#),
        .json(#"{"raw":"«U3ViamVjdDogTG9naW4NCg0KWW91ciBwYXNzd29yZCBpczogQW5jaG9yLWJlYWNvbjkwMjJ4DQo»"}"#),
        .json(#"{"t":"The password is Base64-encoded, and the secret is SHA256-hashed."}"#),
        .json(#"{"t":"The password is case-sensitive since version2 and was stored in password vault2 for years"}"#),
        .json(#"{"text":"Ihr Bestätigungscode lautet «283784». Nicht weitergeben!"}"#),
        .json(#"{"text":"Votre code de vérification est «283784»."}"#),
        .json(#"{"text":"Tu código de verificación es «2837»"}"#),
        .json(#"{"text":"Der Fehlercode ist 40310, le code postal est 75001, el código de error es 40310."}"#),
        .json(#"{"text":"Error code 40310 and order code 889123"}"#),
        // SQL.
        .plain("CREATE USER bob IDENTIFIED WITH sha256_password BY '«Meadow!walnut8515x»'"),
        .plain(
            "FROM s3('x.csv', '«AKIAIOSFODNN7QZ4MPLR»', '«hu7E1eeoQc+LIiiupnLGT0s2NwizMVkmDR/yyq2o»', 'CSVWithNames')"
        ),
        // Routers.
        .plain(
            "hostname edge\nusername ada privilege 15 password 7 «0822455D0A16»\nsnmp-server community «ctju7his8g» RO\n"
        ),
        .plain(
            "enable secret 9 «$9$X3VaexOI5xvlgC$RpRWD9e2Z1kxsKUt6P3»\n crypto isakmp key «WJQbDlYVB5D7» address 203.0.113.4\n"
        ),
        .plain("The secret 5 things2do, and the key 7 habits2learn"),
        .json(#"{"DB_PASSWORD":{"value":"«Ginger-meadow8379»","origin":"System Environment Property"}}"#),
        // Options that are a word after one hyphen.
        .plain("Import-PfxCertificate .\\site.pfx -Password «NIDWZKJue46ptb»\nGet-Secret -Name sql-password\n"),
        .plain(
            "$c = New-Object PSCredential(\"svc\", (ConvertTo-SecureString \"«Meadow!walnut8515x»\" -AsPlainText -Force))"
        ),
        .plain("keytool -genkey -storepass «hunter2x9» -keypass $KEY_PASS -keystore x.jks"),
        .plain("openssl rsa -passin pass:«hunter2x9» -in key.pem"),
        .json(#"{"cmd":"keytool -list -storepass «hunter2x9»","note":"log in -password optional"}"#),
        // Values within other values.
        .plain("User(name: \"ada\", apiKey: Optional(\"«hNxIgOzn4mPGhnoXD7HKhqEctIvPr5»\"), plan: nil)"),
        .plain("Config { api_key: Some(\"«hNxIgOzn4mPGhnoXD7HKhqEctIvPr5»\"), retries: 5813 }"),
        .json(
            #"{"option":"a:2:{s:4:\"host\";s:4:\"smtp\";s:4:\"pass\";s:11:\"«Koic83$v\"Ha»\";s:4:\"user\";s:3:\"ada\";}"}"#
        ),
        .plain("[registries.acme]\ntoken.value = \"\"\"\n«PfzLHdZoObsjCDZc3P6gpXDk7d47gyVidfkx0Yaj»\"\"\"\n"),
        .plain(
            "services:\n  app:\n    secrets: [db_cert, tls_key]\n    passwords: [«hunter2x9», '«Winter-marble55»']\n"
        ),
        .plain("30 4 * * 1 mysqldump -ureport -p«N1usDPsxKRXC2g» reports\n0 5 * * * tar -pczf etc.tgz /etc\n"),
        .json(#"{"kvs":[{"key":"L2NvbmZpZy9wb3N0Z3Jlcy9wYXNzd29yZA==","value":"«M1JvcEVKdXdIVFJ4UlRPTmJhd1Nj»"}]}"#),
        .json(#"{"basic.auth.user.info":"«SRKEY1234567890A:NEURCWeOlo7j5mjd8zOF32oG»","userinfo":"/oauth/userinfo"}"#),
        .plain("Devices?$filter=ApiKey eq '«0ea75547-a71c-40bc-a6ad-8b684b8a7455»' and Site eq 'Porto'"),
        // Values that are not secret.
        .json(#"{"refresh_token":"not_supported","password":"not_set"}"#),
        .json(#"{"title":"Authorization: pending approval","t":"Authorization: «ApiKey SRKEY1234567890A»"}"#),
        .json(#"{"text":"Send `Authorization: Bearer <ACCESS_TOKEN>` and `X-Api-Key: $API_KEY`, then wait."}"#),
        // Passwords that resemble references.
        .plain("login ok password=«!Winterzauber» from=10.0.0.5\n"),
        .plain("DB_PASSWORD=«self.Made2024»\nAPI_PASSWORD=«summer.secret»\nDB_SECRET=process.env.DB_SECRET\n"),
        .plain("password = «(correct horse) battery9staple»\nsecret = (known after apply)\n"),
        .json(#"{"password":"«Meinpasswort»","api_key":"Zugriffstoken"}"#),
        // Options that are named after an action.
        .plain("app --reset-token «8f14e45fceea167a5a36dedd4bea2543» --rotate-key now --reset-password «Xy7!kkQ2pp»"),
        // Links in lists and objects.
        .json(
            #"{"resetLink":["https://a.example/x/«x7RkQ9vT2mZp4LwN8sYb»"],"magic_link":{"href":"https://a.example/x"}}"#
        ),
        // Codes for other purposes, and numbers.
        .json(#"{"text":"Il tuo codice cliente è 482913. Ihr Gutscheincode lautet 482914. Ihr Code lautet «482915»"}"#),
        .json(#"{"text":"account code E 4829","power_pw":4500,"solar_pw":"4500 W","tests_pass":4501}"#),
        // Several texts in one body, and records.
        .json(
            #"{"kind":"Secret","data":{"app":"«aHVudGVyMg==»"}}"# + "\n"
                + #"{"kind":"Secret","data":{"a":"«aHVudGVyMw==»"}}"#
        ),
        MarkedBody(
            "application/x-ndjson",
            #"{"key":"SALT","value":"«horse-battery-7»","sensitive":true}"# + "\n" + #"{"sensitive":false}"#
        ),
        MarkedBody("text/event-stream", #"data: {"key":"SALT","value":"«horse-battery-7»","sensitive":true}"# + "\n\n"),
        // Lists and blocks.
        .plain("headers: Authorization=[«Bearer Ep5RHLjDblerNuZu8tv3uTiW»], X-Request-Id=[8f14e45f]\n"),
        .plain(
            "licenseKey: |-\n  «SG77S4YG9NKO7VMIROWGNZCGSWA8DGX9»\n  «P54WXSNJ279AL0QU8ZLF8K66NZB5K9SS»\nname: web\n"
        ),
        .plain("properties:\n  password: {type: string, format: password, minLength: 12}\n  pin: {type: string}\n"),
        .plain(
            "| Host | User | Password | Port |\n|---|---|---|---:|\n| lab1 | root | `«Gelv61*RKSx»` | 22 |\n| b | a | ******** | 22 |\n"
        ),
        .json(#"{"qr":"WIFI:T:WPA;S:Lobby;P:«qCWWBndyjjObnC»;;","note":"WIFI:S:Open;;"}"#),
        // GraphQL.
        .json(
            #"{"query":"mutation L($e:String!,$p:String!){login(email:$e,password: $p){id}}","variables":{"e":"ann@a.example","p":"«Iuqs07*3L5RY»"}}"#
        ),
        .json(#"{"query":"query($p:Int){items(page:$p)}","variables":{"p":"Iuqs07*3L5RY"},"q":"page:$x"}"#),
        // Codes.
        .json(#"{"a":"認証コード：«114647»（10分間有効）","b":"您的验证码是 «482913»","c":"Ваш код: «4829»","d":"注文番号：114647"}"#),
        .json(#"{"accessCode":"«8ESCP39EYB»","access_code":"none"}"#),
        .html("<a href=\"https://app.example/invite?team=4&amp;invitation=«gS41Rzd6Y69CHxEXhuuZ2ZBX0AWz»\">Join</a>"),
        // Passwords that start like lists and maps, or that resemble something else.
        .plain("userPassword: «{SSHA}DkMTwBl+a/3DQyxw»\ncn: x\n"),
        .plain("password: «[hunter]2x9Q»\nother_password: «{abc}hunter2X9»\n"),
        .plain("password: «!Sesame open9»\nsecret: «settings.hunter2»\n"),
        .json(#"{"password":"«$ecretWord$»","secret":"$encrypted$","wifi_pass":"«1234 abcd»"}"#),
        .html("<a><password>«Tr0ub4dor and 3»<!-- c --></password></a>"),
        .plain("|user|password|\n|-|-|\n|a|«hunter2x1»|\n"),
        .json(#"{"a":"Почтовый код 101000, промокод 482913","b":"验证码错误 40013"}"#),
        .json(
            #"{"query":"mutation{login(password:\n $p)}","variables":{"variables":{"a":1},"p":"«hunter2secret»"}}"#
        ),
        // What a token stands for.
        .json(#"{"token":{"symbol":"WBTC","contract":"0x3484d0358db0b364080ed8d9fa247fe454e69d8b"}}"#),
        .json(#"{"tokens":[{"symbol":"UNI","address":"0x677de67e8f414a0b0ea94ac7ef91de545500a81e","decimals":18}]}"#),
        .json(
            #"{"token":{"user":{"id":"0fb30dd85a3d9c416d394b3932cb72dd"},"audit_ids":["WOVltRt9v6OvDonOi3IKtg","a"]}}"#
        ),
        .json(#"{"token":{"id":"«0fb30dd85a3d9c416d394b3932cb72dd»","expires":"2026-11-25T03:00:00Z"}}"#),
        .json(#"{"tracking_code":"1Z999AA16161705568","resume_token":"AYgmOqUzaRWaAfaUcZVJCGvo"}"#),
        .form("appid=wx90e90bb1f49744a7&secret=«677de67e8f414a0b0ea94ac7ef91de54»"),
        // Public values.
        .json(#"{"key":"pk_live_51gUCfbgZEwSWmUSLRGz5Adshj"}"#),
        .plain(
            "# created: 2026-11-23\n# public key: age1«»efevok90wl1f1al14uqb8ywarjwfv6dvjxm3vrgx4qhhvq6iz94mi3wck8\n"
        ),
        .plain("public key: Zx9Qw7Er5Ty3Ui1Op0As\n"),
        // Hashes of passwords.
        .plain("user:«\(hash)»\n"),
        .plain("user:«$apr1$x1y2z3T8$kNYZinFtG3XOU6GqMI56C5»\n"),
        .plain("user:«$6$rounds=5000$x1y2z3T8$\(digest)\(digest)»\n"),
        .plain("user:«$5$x1y2z3T8$\(digest)»\n"),
        .plain("user:«$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG»\n"),
        // Tables.
        .plain("id;password;country\n1;«Copper.lagoon9756#»;DE\n2;«velvet-orchid»;FR\n"),
        .plain("id\tpassword\tcountry\n1\t«Copper.lagoon9756#»\tDE\n"),
        .plain("int password;\nfoo = bar;\n"),
        // Commands.
        .plain("+ docker login -u ci -p «Quartz.zephyr1637*» registry.example.com"),
        .plain("+ docker run -u 1000 -p 8080:80 nginx"),
        .plain("mkdir -p build/release"),
        .plain("usage 1:\n\t-p port\n"),
        .plain("all:\n\tdocker run -p 80:80 nginx\r-p x1\n"),
        .plain("redis-cli -h localhost -p 6379 -a «swordfish7» ping"),
        .plain("sshpass -p «x7letmein» ssh -p 2222 bob@host"),
        .plain("mongosh -u admin -p --authenticationDatabase admin1"),
        .plain("docker login -u bob -p $DOCKER_PASSWORD1"),
        .plain("apt install mysql -purge 1; docker run --name mysql -p3306:3306"),
        .plain("mysql -p'«sword fish1»' db"),
        .json(#"{"text":"docker login -u bob1 -p «swordfish»"}"#),
        .json(#"{"text":"user;password\nbob x1;«swordfish1»"}"#),
        .json(#"{"args":[1,"--password","«swordfish»"]}"#),
        .json(#"{"args":["--secret","id=npmrc"]}"#),
        .plain("mysql -uroot -p«harbor77025» app"),
        .plain("sshpass -p '«marble16862»' ssh host"),
        .plain("http --auth a:«tundra64195» GET example.com"),
        .json(#"{"args":["--password","«breeze22703»","--verbose"],"more":["--password","--token"]}"#),
        // SQL.
        .json(#"{"sql":"ALTER ROLE app WITH PASSWORD '«falcon78715»'"}"#),
        .plain("CREATE USER a IDENTIFIED BY '«falcon78715»'"),
        .plain("CREATE USER a IDENTIFIED BY '«pass word;1x»'"),
        .plain("Each of the 5 resources is identified by 'user_id' here. The PASSWORD 'field' has 8 characters."),
        // Codes.
        .json(#"{"error":{"message":"Code «397673» is not valid"}}"#),
        .json(#"{"error":{"message":"Error code 397673 is unknown"}}"#),
        .json(#"{"text":"Sorry.\nCode «397673» is not valid"}"#),
        .plain("Code 541511 is Custom Computer Programming"),
        // Keys.
        .plain(
            "Public-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQAB\nPrivate-Lines: 2\n«\(line)\n\(line)»\nPrivate-MAC: 1\n"
        ),
        .plain("Private-Lines: 2\r\n«\(line)\r\n\(line)»\r\nPrivate-MAC: 1\r\n"),
        .plain("Private-Lines: 2\n[redacted]\nPrivate-MAC: 00aa11bb22cc\nnext line 1"),
        // Users and their passwords.
        .form("u=admin&p=«lagoon91484»&db=mydb"),
        .form("u=admin&p=2&db=x"),
        .form("u=joe&p=«sesame»&v=1.16&c=app"),
        .form("u=12&p=profile"),
        .json(#"{"login":{"title":"Sign in","password":{"text":"Forgot?"}}}"#),
        .json(#"{"pin":{"password":{"x":"«swordfish»"}}}"#),
    ]

    @Test(arguments: places)
    func findsSecrets(_ body: MarkedBody) throws {
        try body.expectRedaction()
    }

    @Test(arguments: [
        ("/write?u=admin&p=lagoon91484&db=mydb", "/write?u=admin&p=[redacted]&db=mydb"),
        ("/search?q=a&p=2", "/search?q=a&p=2"),
        (
            "/x?u=bob&p=swordfish&db=x&timestamp=1767470768&signature=0123456789abcdef0123456789abcdef",
            "/x?u=bob&p=[redacted]&db=x&timestamp=[redacted]&signature=[redacted]"
        ),
        ("/issue/1?_=1767470768123", "/issue/1?_=[redacted]"),
        ("/issue/1?_=12", "/issue/1?_=12"),
        ("/items?cursor=dXNlcjphQjN4SzlwUTdtVDI%3D", "/items?cursor=dXNlcjphQjN4SzlwUTdtVDI%3D"),
        ("/items?after=dXNlcjphQjN4SzlwUTdtVDI", "/items?after=dXNlcjphQjN4SzlwUTdtVDI"),
        ("/items?x=dXNlcjphQjN4SzlwUTdtVDI", "/items?x=[redacted]"),
        ("/items?x=dGVhbTpDMDYxRkE1UEI", "/items?x=dGVhbTpDMDYxRkE1UEI"),
        ("/variables?key=A&value=x7Rk2mT9vLpW4nB8&masked=true", "/variables?key=A&value=[redacted]&masked=true"),
    ])
    func findsSecretsInURLs(_ url: String, expected: String) {
        #expect(
            Redaction.standard.redacted(url: url).replacing("%5B", with: "[").replacing("%5D", with: "]") == expected
        )
    }
}
