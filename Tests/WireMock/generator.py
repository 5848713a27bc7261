# SPDX-License-Identifier: Apache-2.0
"""Random mappings and random requests. Many of the requests match."""

import json

from http_wire import Request

WORDS = ["a", "b", "tea", "Tea", "TEA", "x1", "a b", "a+b", "10", "2.50", "true", "null", "", "é", "a=b", "a&b", "<i>", "teatime"]
PATTERNS = ["[a-z]+", "[0-9.]+", ".*", ".+", "t.*", "(?i)tea", "a|b", "[a-z0-9]{2,}", "\\w+", "", ".*[^a-z].*", "te(a|e)(time)?", "\\s*\\S+"]
DATES = ["2020-01-01T00:00:00Z", "2021-06-15T12:00:00Z", "2021-06-15T14:00:00+02:00", "2021-06-15", "2030-12-31T23:59:59Z", "2021-06-15T12:00:00"]
KEYS = ["a", "b", "c", "items"]
NAMES = ["q", "p", "page", "X-A", "sid"]


class Single(list):
    """Values of which WireMock compares only the nearest one with the matcher, and possibly the wrong one."""


class Generator:
    def __init__(self, random):
        self.random = random

    def some(self, chance):
        return self.random.random() < chance

    def one(self, values):
        return self.random.choice(values)

    # Values

    def value(self, depth=2):
        kind = self.random.randrange(10 if depth else 6)
        if kind < 2:
            return self.one([0, 1, 2, 10, -1, 1.5, 2.0, 1e3])
        if kind < 4:
            return self.one(WORDS[:12])
        if kind == 4:
            return self.one([True, False])
        if kind == 5:
            return None
        if kind < 8:
            return {key: self.value(depth - 1) for key in self.random.sample(KEYS, self.random.randrange(4))}
        return [self.value(depth - 1) for _ in range(self.random.randrange(4))]

    def document(self):
        document = {key: self.value() for key in self.random.sample(KEYS[:3], self.random.randrange(1, 4))}
        if self.some(0.5):
            document["items"] = [{"a": self.value(0), "b": self.value(0)} for _ in range(self.random.randrange(4))]
        return document

    def changed(self, value):
        """The value, often with one small change."""
        value = json.loads(json.dumps(value))
        if self.some(0.4) or not isinstance(value, (dict, list)):
            return value if self.some(0.6) else self.value(1)
        if isinstance(value, list):
            change = self.random.randrange(4)
            if change == 0:
                self.random.shuffle(value)
            elif change == 1:
                value.append(self.value(1))
            elif change == 2 and value:
                value.pop(self.random.randrange(len(value)))
            elif value:
                place = self.random.randrange(len(value))
                value[place] = self.changed(value[place])
        else:
            change = self.random.randrange(4)
            if change == 0:
                items = list(value.items())
                self.random.shuffle(items)
                value = dict(items)
            elif change == 1:
                value[self.one(KEYS)] = self.value(1)
            elif change == 2 and value:
                value.pop(self.one(list(value)))
            elif value:
                key = self.one(list(value))
                value[key] = self.changed(value[key])
        return value

    # Matchers: the JSON, and values that may satisfy it (None is an absent one)

    def matcher(self, depth=1):
        kind = self.random.randrange(13 if depth else 11)
        word, pattern, date = self.one(WORDS), self.one(PATTERNS), self.one(DATES)
        if kind < 3:
            written = {"equalTo": word}
            if self.some(0.2):
                written["caseInsensitive"] = True
            return written, (Single if not word or "caseInsensitive" in written else list)([word, word.swapcase()])
        if kind == 3:
            return {"contains": word}, [f"x{word}y", word]
        if kind == 4:
            return {"doesNotContain": word}, [None, "zz"]
        if kind < 7:
            return {"matches": pattern}, self.random.sample(WORDS, 3)
        if kind == 7:
            return {"doesNotMatch": pattern}, [None, *self.random.sample(WORDS, 2)]
        if kind == 8:
            return {"absent": True}, [None]
        if kind == 9:
            return {self.one(["before", "after", "equalToDateTime"]): date}, Single(self.random.sample(DATES, 3))
        if kind == 10:
            return {"anything": "(always)"}, [None, word]
        parts = [self.matcher(depth - 1) for _ in range(self.random.randrange(1, 4))]
        kind = Single if any(isinstance(samples, Single) for _, samples in parts) else list
        return {self.one(["and", "or"]): [part for part, _ in parts]}, kind(sample for _, samples in parts for sample in samples)

    def path(self):
        step = lambda: self.one([f".{self.one(KEYS)}", f"['{self.one(KEYS)}']", "[0]", "[-1]", "[*]", ".*", "[0:2]", "[1:]"])
        kind = self.random.randrange(7)
        if kind < 3:
            return "$" + "".join([f".{self.one(KEYS)}"] + [step() for _ in range(self.random.randrange(3))])
        if kind == 3:
            return f"$..{self.one(KEYS)}"
        operator = self.one(["==", "!=", "<", "<=", ">", ">="])
        operand = self.one(["1", "1.5", "'tea'", "'a'", "true", "null", "10"])
        test = self.one([f"@.{self.one(KEYS[:3])} {operator} {operand}", f"@.{self.one(KEYS[:3])}", f"!@.{self.one(KEYS[:3])}"])
        if self.some(0.25):
            test += f" {self.one(['&&', '||'])} @.{self.one(KEYS[:3])} {operator} {operand}"
        if kind == 4:
            return f"$[?({test})]"
        if kind == 5:
            return f"$.items[?({test})]" + self.one(["", ".a"])
        return f"$.items{self.one(['', '[*].a', '[0].b'])}.{self.one(['length()', 'min()', 'max()', 'sum()'])}"

    def body_matcher(self):
        """The matcher, and a function that makes a body for it."""
        document = self.document()
        kind = self.random.randrange(5)
        if kind < 2:
            written = {"equalToJson": document if self.some(0.5) else json.dumps(document)}
            for flag in ("ignoreArrayOrder", "ignoreExtraElements"):
                if self.some(0.4):
                    written[flag] = self.some(0.8)
            return written, lambda: json.dumps(self.changed(document))
        if kind == 2:
            return {"matchesJsonPath": self.path()}, lambda: json.dumps(self.changed(document))
        if kind == 3:
            matcher, samples = self.matcher()
            if next(iter(matcher)) == "anything" or (document and self.some(0.2)):
                matcher = {"equalToJson": json.dumps(self.one(list(document.values()) or [1]))}
            return {"matchesJsonPath": {"expression": self.path(), **matcher}}, lambda: json.dumps(self.changed({**document, "a": self.one(samples)}))
        matcher, samples = self.matcher()
        return matcher, lambda: self.one(samples) or self.one(WORDS)

    # Templates

    def expression(self, depth=2):
        atom = self.random.randrange(6 if depth else 4)
        if atom == 0:
            return f"'{self.one(['tea', 'a b', '10', '2.5', 'Tea Time', 'x-y', '<b>'])}'"
        if atom == 1:
            return self.one(["1", "2", "10", "2.5", "true", "-3"])
        if atom < 4:
            return self.one(["request.query.q", "request.query.p.[1]", "request.path", "request.headers.X-A", "request.body", "request.pathSegments.[0]", "request.cookies.sid", "request.query.none", "request.method"])
        return f"({self.call(depth - 1)})"

    def call(self, depth=2):
        argument = lambda: self.expression(depth)
        name = self.one(["math", "jsonPath", "upper", "lower", "capitalize", "size", "trim", "join", "replace", "eq", "contains", "matches", "defaultIfEmpty", "urlEncode", "base64", "array", "range", "substring", "abbreviate", "regexExtract", "stringFormat", "numberFormat", "slugify", "yesno", "or", "and", "not"])
        if name == "math":
            return f"math {argument()} '{self.one('+-*/%')}' {argument()}"
        if name == "jsonPath":
            return f"jsonPath request.body '{self.path()}'".replace("['", "[\"").replace("']", "\"]") if self.some(0.3) else f"jsonPath request.body '$.{self.one(KEYS)}'"
        if name in ("eq", "or", "and", "array", "contains"):
            return f"{name} {argument()} {argument()}"
        if name == "matches":
            return f"matches {argument()} '{self.one(['[a-z]+', '.*', '[0-9]+'])}'"
        extra = {"join": " ','", "replace": " 'a' 'o'", "defaultIfEmpty": " 'none'", "substring": f" {self.random.randrange(3)}", "abbreviate": " 6", "regexExtract": f" '{self.one(['[0-9]+', '[a-z]+'])}' default='none'"}.get(name, "")
        if name == "range":
            return f"range 1 {self.random.randrange(1, 5)}"
        if name == "stringFormat":
            return f"stringFormat '%s' {argument()}"
        if name == "yesno":
            return f"yesno (eq {argument()} {argument()})"
        return f"{name} {argument()}{extra}"

    def template(self, depth=2):
        pieces = []
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.randrange(7)
            if kind < 3:
                pieces.append(self.one(["{{%s}}", "{{{%s}}}"]) % self.call())
            elif kind == 3:
                pieces.append("{{%s}}" % self.one(["request.query.q", "request.url", "request.path", "request.headers.X-A", "request.body"]))
            elif kind == 4 and depth:
                pieces.append("{{#if %s}}%s{{else}}%s{{/if}}" % (self.expression(1), self.template(depth - 1), self.one(["no", ""])))
            elif kind == 5:
                inner = self.one(["{{this}}", "{{@index}}:{{this}} ", "{{this}}{{#unless @last}},{{/unless}}"])
                pieces.append("{{#each (%s)}}%s{{/each}}" % (self.one(["array 'a' 'b'", "range 1 3", "jsonPath request.body '$.items'"]), inner))
            else:
                pieces.append(self.one([" text ", "\n", "{{! note }}", "[", "{{~request.method~}} "]))
        return "".join(pieces)

    # Mappings and requests

    def group(self, number):
        """Mappings that share a path, and requests for them."""
        base = f"/g{number}"
        mappings, requests = [], []
        for ordinal in range(self.one([1, 1, 1, 2, 3])):
            pattern = {"method": self.one(["GET", "POST", "POST", "ANY"])}
            key = self.one(["urlPath", "urlPath", "url", "urlPathPattern", "urlPattern"])
            segment = self.one(["items", "items/1", "a%20b"])
            target = f"{base}/{segment}"
            pattern[key] = {"urlPathPattern": f"{base}/[^/]+(/\\d+)?", "urlPattern": f"{base}/.*"}.get(key, target)
            query, headers, cookies, bodies = {}, {}, {}, []
            for place, field in ((query, "queryParameters"), (headers, "headers"), (cookies, "cookies")):
                if self.some(0.35) and key != "url":
                    names = self.random.sample({"queryParameters": ["q", "p"], "headers": ["X-A", "X-B"], "cookies": ["sid"]}[field], 1)
                    for name in names:
                        matcher, samples = self.matcher()
                        pattern.setdefault(field, {})[name] = matcher
                        place[name] = samples
            if pattern["method"] != "GET" and self.some(0.5):
                for _ in range(self.one([1, 1, 2])):
                    matcher, make = self.body_matcher()
                    pattern.setdefault("bodyPatterns", []).append(matcher)
                    bodies.append(make)
            mapping = {"request": pattern, "response": {"status": self.one([200, 200, 201, 404, 503]), "headers": {"X-Stub": f"{number}.{ordinal}"}, "body": self.template() if self.some(0.6) else f"stub {ordinal}"}}
            if self.some(0.3):
                mapping["priority"] = self.one([1, 4, 5, 6, 10])
            mappings.append(mapping)
            requests += [self.request(pattern, target, query, headers, cookies, bodies) for _ in range(5)]
        return mappings, requests

    def request(self, pattern, target, query, headers, cookies, bodies):
        method = pattern["method"] if pattern["method"] != "ANY" and self.some(0.95) else self.one(["GET", "POST", "PUT"])
        pairs = [(name, value) for name, samples in query.items() for value in self.values(samples)]
        if self.some(0.3):
            pairs.append((self.one(["q", "p", "z"]), self.one(WORDS)))
        text = "&".join(f"{name}={self.encoded(value)}" if value or self.some(0.7) else name for name, value in pairs)
        fields = [("Host", "api.example.test:8080")]
        fields += [(name, value) for name, samples in headers.items() for value in self.values(samples) if value.isascii()]
        jar = [f"{name}={value}" for name, samples in cookies.items() for value in self.values(samples) if value.isalnum() and value.isascii()]
        if jar:
            fields.append(("Cookie", "; ".join(jar)))
        body = b""
        if method != "GET" and self.some(0.9):
            body = (self.one(bodies)() if bodies else json.dumps(self.document())).encode()
        return Request(method, target + (f"?{text}" if text else ""), fields, body)

    def values(self, samples):
        """Usually one value, sometimes two or none."""
        count = self.one([1, 1, 1, 1, 1, 2, 0])
        if isinstance(samples, Single):
            count = min(count, 1)
        chosen = [self.one(samples) if self.some(0.8) else self.one(WORDS) for _ in range(count)]
        return [value for value in chosen if value is not None]

    def encoded(self, value):
        text = ""
        for byte in value.encode():
            character = chr(byte)
            if character.isalnum() and byte < 128:
                text += character
            elif character == " " and self.some(0.5):
                text += "+"
            else:
                text += f"%{byte:02X}"
        return text
