// SPDX-License-Identifier: Apache-2.0
//
// Calls a server with WireMock's own Java client, and prints the result of each step as a line: the name, a tab, and the
// result. Arguments: the port of the server, and the URL of a server to record. See java-client.py.

import static com.github.tomakehurst.wiremock.client.WireMock.*;

import com.github.tomakehurst.wiremock.admin.model.ServeEventQuery;
import com.github.tomakehurst.wiremock.client.*;
import com.github.tomakehurst.wiremock.common.*;
import com.github.tomakehurst.wiremock.extension.Parameters;
import com.github.tomakehurst.wiremock.global.GlobalSettings;
import com.github.tomakehurst.wiremock.http.*;
import com.github.tomakehurst.wiremock.matching.*;
import com.github.tomakehurst.wiremock.stubbing.*;
import com.github.tomakehurst.wiremock.verification.*;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.function.Function;
import java.util.stream.Collectors;
import wiremock.org.xmlunit.diff.ComparisonType;

public class JavaClient {
    interface Step {
        Object run() throws Exception;
    }

    static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();
    static final UUID KEPT = UUID.fromString("11111111-0000-4000-8000-000000000001");
    static final UUID UNKNOWN = UUID.fromString("00000000-0000-0000-0000-000000000000");
    static int port;
    static String target;

    static void step(String name, Step step) {
        String result;
        try {
            result = String.valueOf(step.run());
        } catch (Throwable error) {
            result = "threw " + error.getClass().getSimpleName() + ": " + error.getMessage();
        }
        System.out.println(name + "\t" + result.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n").replace("\t", "  "));
    }

    /** Sends a request. Headers are names and values in turn. */
    static String send(String method, String path, String body, String... headers) throws Exception {
        var request = java.net.http.HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofSeconds(10));
        request.method(method, body == null
                ? java.net.http.HttpRequest.BodyPublishers.noBody()
                : java.net.http.HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) request.headers(headers);
        var response = CLIENT.send(request.build(), BodyHandlers.ofString());
        return response.statusCode() + (response.statusCode() == 404 ? "" : " " + response.body());
    }

    static String get(String path, String... headers) throws Exception {
        return send("GET", path, null, headers);
    }

    /** Registers a stub, and returns what the client reads back: whether it equals what it sent, and the model. */
    static void stub(String name, MappingBuilder builder) {
        step(name, () -> {
            StubMapping sent = stubFor(builder);
            StubMapping found = getSingleStubMapping(sent.getId());
            String text = found.equals(sent) + " " + StubMapping.buildJsonStringFor(found);
            removeStub(sent);
            return text;
        });
    }

    static void request(String name, Function<MappingBuilder, MappingBuilder> more) {
        stub("request " + name, more.apply(any(anyUrl())).willReturn(ok()));
    }

    /** The parameters of a webhook. Those of Map.of have another order in each run. */
    static Map<String, Object> webhook(String method) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("method", method);
        parameters.put("url", "http://127.0.0.1:1/");
        return parameters;
    }

    static void matcher(String name, StringValuePattern pattern) {
        request("body " + name, stub -> stub.withRequestBody(pattern));
    }

    static void response(String name, ResponseDefinitionBuilder response) {
        stub("response " + name, WireMock.get("/r").willReturn(response));
    }

    public static void main(String[] arguments) {
        port = Integer.parseInt(arguments[0]);
        target = arguments[1];
        configureFor("127.0.0.1", port);
        requests();
        matchers();
        responses();
        stubs();
        journal();
        verification();
        nearMisses();
        scenarios();
        settings();
        recordings();
        files();
        step("shutdownServer", () -> {
            shutdownServer();
            return "done";
        });
    }

    static void requests() {
        for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "ANY", "PROPFIND")) {
            stub("method " + method, WireMock.request(method, urlEqualTo("/m")).willReturn(ok()));
        }
        stub("urlMatching", WireMock.get(urlMatching("/a/[0-9]+\\?x=.*")).willReturn(ok()));
        stub("urlPathEqualTo", WireMock.get(urlPathEqualTo("/a")).willReturn(ok()));
        stub("urlPathMatching", WireMock.get(urlPathMatching("/a/.*")).willReturn(ok()));
        stub("anyUrl", WireMock.get(anyUrl()).willReturn(ok()));
        stub("proxyAllTo", proxyAllTo("http://example.com"));
        request("withScheme", stub -> stub.withScheme("https"));
        request("withHost", stub -> stub.withHost(equalTo("a.example")));
        request("withPort", stub -> stub.withPort(8443));
        request("atPriority", stub -> stub.atPriority(3));
        request("withHeader", stub -> stub.withHeader("Accept", containing("xml")).withHeader("X-A", absent()));
        request("withQueryParam", stub -> stub.withQueryParam("q", matching("[a-z]+")));
        request("withQueryParams", stub -> stub.withQueryParams(Map.of("p", equalTo("1"))));
        request("withCookie", stub -> stub.withCookie("session", matching(".*12345.*")));
        request("withBasicAuth", stub -> stub.withBasicAuth("user", "secret"));
        request("withId", stub -> stub.withId(UUID.randomUUID()));
        request("withName", stub -> stub.withName("a name"));
        request("withMetadata", stub -> stub.withMetadata(Map.of("a", List.of(1, Map.of("b", "c")))));
        request("inScenario", stub -> stub.inScenario("S").whenScenarioStateIs("a").willSetStateTo("b"));
        request("aMultipart", stub -> stub.withMultipartRequestBody(aMultipart()));
        request("aMultipart with everything", stub -> stub.withMultipartRequestBody(
                aMultipart("part").withHeader("Content-Type", containing("json")).withBody(equalToJson("{}"))
                        .matchingType(MultipartValuePattern.MatchingType.ALL)));
        request("withPostServeAction", stub -> stub.withPostServeAction("webhook", webhook("POST")));
        request("withPostServeAction of an unknown name", stub -> stub.withPostServeAction("mine", Map.of("a", 1)));
        request("andMatching of an unknown name", stub -> stub.andMatching("mine", Parameters.one("a", 1)));
        stub("requestMatching of an unknown name", requestMatching("mine").willReturn(ok()));
    }

    static void matchers() {
        matcher("equalTo", equalTo("a"));
        matcher("equalToIgnoreCase", equalToIgnoreCase("a"));
        matcher("containing", containing("a"));
        matcher("notContaining", notContaining("a"));
        matcher("matching", matching("a.*"));
        matcher("notMatching", notMatching("a.*"));
        matcher("absent", absent());
        matcher("equalToJson", equalToJson("{ \"a\": [1, 2.50] }"));
        matcher("equalToJson with options", equalToJson("[1,2]", true, true));
        matcher("matchingJsonPath", matchingJsonPath("$.a"));
        matcher("matchingJsonPath with a matcher", matchingJsonPath("$.a", equalToJson("{\"b\":1}")));
        matcher("equalToXml", equalToXml("<a>1</a>"));
        matcher("equalToXml with placeholders", equalToXml("<a>[[xmlunit.ignore]]</a>", true, "\\[\\[", "]]"));
        matcher("equalToXml with exemptions", equalToXml("<a/>").exemptingComparisons(ComparisonType.NAMESPACE_URI));
        matcher("matchingXPath", matchingXPath("//a"));
        matcher("matchingXPath with namespaces", matchingXPath("//n:a", Map.of("n", "urn:n")));
        matcher("matchingXPath with a matcher", matchingXPath("//a/text()", equalTo("1")));
        matcher("and", and(containing("a"), notContaining("b")));
        matcher("or", or(containing("a"), matching("b")));
        matcher("before", before("2031-01-01T00:00:00Z"));
        matcher("beforeNow", beforeNow().expectedOffset(DateTimeOffset.fromString("3 days")));
        matcher("after", after("now +3 months").truncateExpected(DateTimeTruncation.FIRST_DAY_OF_MONTH));
        matcher("equalToDateTime", equalToDateTime("2031-01-01T00:00:00Z").actualFormat("dd/MM/yyyy").truncateActual(DateTimeTruncation.FIRST_HOUR_OF_DAY));
        request("body binaryEqualTo", stub -> stub.withRequestBody(binaryEqualTo(new byte[] {1, 2, 3})));
    }

    static void responses() {
        response("ok", ok("body"));
        response("okJson", okJson("{\"a\":1}"));
        response("okXml", okXml("<a/>"));
        response("okForContentType", okForContentType("text/csv", "a,b"));
        response("jsonResponse", jsonResponse(Map.of("a", 1), 202));
        response("created", created());
        response("temporaryRedirect", temporaryRedirect("/elsewhere"));
        response("status and message", aResponse().withStatus(418).withStatusMessage("Teapot"));
        response("headers", aResponse().withHeader("X-A", "1", "2").withHeader("X-B", "3"));
        response("a binary body", aResponse().withBody(new byte[] {0, (byte) 0xFF}));
        response("withBase64Body", aResponse().withBase64Body("AAEC"));
        response("withJsonBody", aResponse().withJsonBody(Json.node("{\"a\":[1,2.50,null]}")));
        response("withBodyFile", aResponse().withBodyFile("some/file.json"));
        response("withFixedDelay", aResponse().withFixedDelay(10));
        response("withLogNormalRandomDelay", aResponse().withLogNormalRandomDelay(90, 0.1));
        response("withUniformRandomDelay", aResponse().withUniformRandomDelay(15, 25));
        response("withChunkedDribbleDelay", aResponse().withBody("abc").withChunkedDribbleDelay(3, 30));
        response("withFault", aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE));
        response("proxiedFrom", aResponse().proxiedFrom("http://example.com"));
        response("proxiedFrom with options", aResponse().proxiedFrom("http://example.com/base")
                .withAdditionalRequestHeader("X-A", "1").withProxyUrlPrefixToRemove("/r"));
        response("withTransformers", aResponse().withTransformers("response-template").withTransformerParameter("a", Map.of("b", 1)));
        response("an unknown transformer", aResponse().withTransformer("mine", "a", 1));
    }

    static List<String> names(List<StubMapping> stubs) {
        return stubs.stream().map(StubMapping::getName).collect(Collectors.toList());
    }

    static void stubs() {
        step("removeAllMappings", () -> {
            removeAllMappings();
            return listAllStubMappings().getMappings().size();
        });
        step("stubFor answers", () -> {
            stubFor(WireMock.get("/kept").withId(KEPT).withName("kept").withMetadata(Map.of("k", "v")).willReturn(ok("one")));
            stubFor(post(urlPathEqualTo("/post")).withName("post").withRequestBody(equalToJson("{\"a\":1}")).willReturn(created()));
            return get("/kept") + ", " + send("POST", "/post?x=1", "{ \"a\": 1 }") + ", " + send("POST", "/post", "{}");
        });
        step("listAllStubMappings", () -> names(listAllStubMappings().getMappings()) + " " + listAllStubMappings().getMeta().total);
        step("getSingleStubMapping", () -> getSingleStubMapping(KEPT));
        step("getSingleStubMapping of an unknown id", () -> getSingleStubMapping(UNKNOWN));
        step("editStub", () -> {
            editStub(WireMock.get("/kept").withId(KEPT).withName("kept").withMetadata(Map.of("k", "v")).willReturn(ok("two")));
            return get("/kept");
        });
        step("editStub of an unknown id", () -> {
            editStub(WireMock.get("/kept").withId(UNKNOWN));
            return "done";
        });
        step("findStubsByMetadata", () -> names(findStubsByMetadata(matchingJsonPath("$.k", equalTo("v")))));
        step("removeStubsByMetadata", () -> {
            stubFor(WireMock.get("/gone").withMetadata(Map.of("g", 1)).willReturn(ok()));
            removeStubsByMetadata(matchingJsonPath("$.g"));
            return get("/gone") + " " + listAllStubMappings().getMappings().size();
        });
        step("removeStub", () -> {
            StubMapping stub = stubFor(WireMock.get("/gone").willReturn(ok()));
            removeStub(stub);
            return get("/gone");
        });
        step("removeStub with a builder", () -> {
            stubFor(WireMock.get("/gone").willReturn(ok()));
            removeStub(WireMock.get("/gone").willReturn(ok()));
            return get("/gone");
        });
        step("removeStub that does not exist", () -> {
            removeStub(WireMock.get("/never").willReturn(ok()));
            return "done";
        });
        step("importStubs", () -> {
            importStubs(StubImport.stubImport().stub(WireMock.get("/i1").withName("i1").willReturn(ok("1")))
                    .stub(WireMock.get("/i2").withName("i2").willReturn(ok("2"))));
            return names(listAllStubMappings().getMappings()) + get("/i1") + get("/i2");
        });
        step("importStubs that ignores existing ones", () -> {
            importStubs(StubImport.stubImport().stub(WireMock.get("/kept").withId(KEPT).willReturn(ok("three"))).ignoreExisting());
            return get("/kept");
        });
        step("importStubs that deletes the others", () -> {
            importStubs(StubImport.stubImport().stub(WireMock.get(urlPathEqualTo("/kept")).withId(KEPT).withName("kept").willReturn(ok("kept")))
                    .deleteAllExistingStubsNotInImport());
            return names(listAllStubMappings().getMappings());
        });
    }

    static String described(LoggedRequest request) {
        return request.getMethod() + " " + request.getUrl() + " " + request.getBodyAsString() + " " + request.getHeader("X-A") + " "
                + request.getCookies() + " " + request.getQueryParams() + " " + request.getAbsoluteUrl() + " " + request.getClientIp();
    }

    static String described(ServeEvent event) {
        StubMapping stub = event.getStubMapping();
        return described(event.getRequest()) + " -> " + event.getResponse().getStatus() + " " + event.getWasMatched() + " "
                + (event.getWasMatched() ? event.getResponse().getBodyAsString() + " " + stub.getName() + " " + event.getPostServeActions() : "");
    }

    static String described(List<ServeEvent> events) {
        return events.stream().map(JavaClient::described).collect(Collectors.joining("\n"));
    }

    static void traffic() throws Exception {
        resetAllRequests();
        stubFor(post(urlPathEqualTo("/post")).withName("post").withMetadata(Map.of("m", 1)).withRequestBody(equalToJson("{\"a\":1}"))
                .withPostServeAction("mine", Map.of("a", 1)).willReturn(ok("posted")));
        get("/kept?a=1&b=%20c", "X-A", "1", "Cookie", "c=d");
        send("POST", "/post", "{\"a\": 1}");
        send("POST", "/post", "{\"a\": 2}");
        get("/miss");
    }

    static void journal() {
        step("getAllServeEvents", () -> {
            traffic();
            return described(getAllServeEvents());
        });
        step("getAllServeEvents that matched nothing", () -> described(getAllServeEvents(ServeEventQuery.ALL_UNMATCHED)));
        step("getAllServeEvents of a stub", () -> described(getAllServeEvents(ServeEventQuery.forStubMapping(KEPT))));
        step("findAll", () -> findAll(postRequestedFor(urlEqualTo("/post"))).stream().map(JavaClient::described).collect(Collectors.toList()));
        step("findUnmatchedRequests", () -> findUnmatchedRequests().stream().map(JavaClient::described).collect(Collectors.toList()));
        step("removeServeEvent", () -> {
            ServeEvent event = getAllServeEvents().get(0);
            removeServeEvent(event.getId());
            return getAllServeEvents().size();
        });
        step("removeServeEvent of an unknown id", () -> {
            removeServeEvent(UNKNOWN);
            return getAllServeEvents().size();
        });
        step("removeServeEvents", () -> described(removeServeEvents(getRequestedFor(urlPathEqualTo("/kept")))));
        step("removeEventsByStubMetadata", () -> described(removeEventsByStubMetadata(matchingJsonPath("$.m"))));
        step("resetAllRequests", () -> {
            resetAllRequests();
            return getAllServeEvents().size();
        });
    }

    static void verify(String name, Step step) {
        step("verify " + name, () -> {
            step.run();
            return "passed";
        });
    }

    static Step verifying(CountMatchingStrategy count) {
        return () -> {
            WireMock.verify(count, postRequestedFor(urlEqualTo("/post")));
            return null;
        };
    }

    static void verification() {
        verify("with one request", () -> {
            traffic();
            WireMock.verify(getRequestedFor(urlPathEqualTo("/kept")).withQueryParam("b", equalTo(" c")).withCookie("c", equalTo("d")));
            return null;
        });
        verify("with a number", () -> {
            WireMock.verify(2, postRequestedFor(urlEqualTo("/post")));
            return null;
        });
        verify("exactly", verifying(exactly(2)));
        verify("lessThan", verifying(lessThan(3)));
        verify("lessThanOrExactly", verifying(lessThanOrExactly(2)));
        verify("moreThan", verifying(moreThan(1)));
        verify("moreThanOrExactly", verifying(moreThanOrExactly(2)));
        verify("with too few requests", verifying(moreThan(2)));
        verify("with too many requests", verifying(lessThan(2)));
        verify("with a wrong number", () -> {
            WireMock.verify(3, postRequestedFor(urlEqualTo("/post")));
            return null;
        });
        verify("with a near miss", () -> {
            WireMock.verify(postRequestedFor(urlEqualTo("/post")).withRequestBody(equalToJson("{\"a\":3}")).withHeader("X-A", equalTo("2")));
            return null;
        });
        verify("with no requests", () -> {
            resetAllRequests();
            WireMock.verify(getRequestedFor(urlEqualTo("/never")));
            return null;
        });
        verify("an unknown custom matcher", () -> {
            traffic();
            WireMock.verify(requestMadeFor("mine", Parameters.empty()));
            return null;
        });
    }

    static String missed(List<NearMiss> nearMisses) {
        return nearMisses.stream()
                .map(near -> near.getRequest().getUrl() + " " + (near.getStubMapping() == null ? near.getRequestPattern() : near.getStubMapping().getName())
                        + " " + Math.round(near.getMatchResult().getDistance() * 1000))
                .collect(Collectors.joining("\n"));
    }

    static void nearMisses() {
        step("findNearMissesForAllUnmatched", () -> {
            traffic();
            return missed(findNearMissesForAllUnmatched());
        });
        step("findNearMissesFor a request", () -> missed(findNearMissesFor(findUnmatchedRequests().get(0))));
        step("findNearMissesFor a pattern", () -> missed(findNearMissesFor(getRequestedFor(urlEqualTo("/kep")))));
    }

    static String described(Scenario scenario) {
        return scenario.getName() + " " + scenario.getState() + " " + new TreeSet<>(scenario.getPossibleStates()) + " "
                + scenario.getMappings().stream().map(stub -> stub.getName() + ":" + stub.getRequiredScenarioState() + ">" + stub.getNewScenarioState())
                        .sorted().collect(Collectors.toList());
    }

    static String allScenarios() {
        return getAllScenarios().stream().map(JavaClient::described).sorted().collect(Collectors.joining("\n"));
    }

    static void scenarios() {
        step("getAllScenarios", () -> {
            stubFor(WireMock.get("/s").withName("first").inScenario("S").whenScenarioStateIs(Scenario.STARTED).willSetStateTo("two").willReturn(ok("1")));
            stubFor(WireMock.get("/s").withName("second").inScenario("S").whenScenarioStateIs("two").willReturn(ok("2")));
            return allScenarios();
        });
        step("a scenario changes its state", () -> get("/s") + get("/s") + get("/s") + allScenarios());
        step("resetScenario", () -> {
            resetScenario("S");
            return get("/s");
        });
        step("setScenarioState", () -> {
            setScenarioState("S", "two");
            return get("/s");
        });
        step("setScenarioState to an unknown state", () -> {
            setScenarioState("S", "nowhere");
            return "done";
        });
        step("setScenarioState of an unknown scenario", () -> {
            setScenarioState("Z", "two");
            return "done";
        });
        step("resetAllScenarios", () -> {
            resetAllScenarios();
            return allScenarios();
        });
    }

    static void settings() {
        step("setGlobalFixedDelay", () -> {
            setGlobalFixedDelay(5);
            return getSettings().getFixedDelay();
        });
        step("setGlobalRandomDelay", () -> {
            setGlobalRandomDelay(new UniformDistribution(1, 2));
            return Json.write(getSettings());
        });
        step("updateSettings", () -> {
            updateSettings(GlobalSettings.builder().fixedDelay(3).extended(Parameters.one("a", Map.of("b", 1))).build());
            return Json.write(getSettings());
        });
        step("updateSettings to the defaults", () -> {
            updateSettings(GlobalSettings.defaults());
            return Json.write(getSettings());
        });
    }

    static String recorded(List<StubMapping> stubs) {
        return stubs.stream()
                .map(stub -> stub.getRequest().getMethod() + " " + stub.getRequest().getUrl() + " " + stub.getRequest().getBodyPatterns() + " "
                        + stub.getResponse().getStatus() + " " + stub.getResponse().getBody())
                .sorted().collect(Collectors.joining("\n"));
    }

    static void recordings() {
        step("getRecordingStatus", () -> getRecordingStatus().getStatus());
        step("stopRecording without a start", () -> stopRecording());
        step("startRecording", () -> {
            removeAllMappings();
            startRecording(target);
            return getRecordingStatus().getStatus() + " " + get("/one") + " " + send("POST", "/two", "{\"a\":1}", "Content-Type", "application/json");
        });
        step("stopRecording", () -> recorded(stopRecording().getStubMappings()) + " " + getRecordingStatus().getStatus());
        step("startRecording with a specification", () -> {
            startRecording(recordSpec().forTarget(target).onlyRequestsMatching(getRequestedFor(urlPathMatching("/one.*")))
                    .captureHeader("Accept", true).matchRequestBodyWithEqualToJson(true, false).ignoreRepeatRequests()
                    .makeStubsPersistent(false).extractTextBodiesOver(1000));
            return getRecordingStatus().getStatus() + " " + get("/one?q=1") + " " + send("POST", "/three", "x");
        });
        step("stopRecording with a specification", () -> recorded(stopRecording().getStubMappings()));
        step("snapshotRecord", () -> {
            removeAllMappings();
            resetAllRequests();
            stubFor(any(anyUrl()).withId(KEPT).willReturn(aResponse().proxiedFrom(target)));
            return get("/one") + " " + recorded(snapshotRecord());
        });
        step("snapshotRecord with a specification", () -> {
            send("POST", "/two", "{\"a\":1}", "Content-Type", "application/json");
            return recorded(snapshotRecord(recordSpec().onlyRequestsMatching(postRequestedFor(anyUrl())).matchRequestBodyWithEqualToJson()));
        });
    }

    static void files() {
        step("saveAllMappings", () -> {
            removeAllMappings();
            stubFor(WireMock.get("/saved").withName("saved").withBasicAuth("u", "p").withPostServeAction("webhook", webhook("GET"))
                    .withRequestBody(equalToJson("{ \"a\": 1 }")).willReturn(ok("saved")));
            saveAllMappings();
            return names(listAllStubMappings().getMappings());
        });
        step("resetToDefault", () -> {
            stubFor(WireMock.get("/unsaved").withName("unsaved").willReturn(ok()));
            resetToDefault();
            return listAllStubMappings().getMappings();
        });
        step("a persistent stub", () -> {
            StubMapping stub = stubFor(WireMock.get("/persistent").persistent().withName("persistent").willReturn(ok("kept")));
            resetToDefault();
            return get("/persistent") + " " + getSingleStubMapping(stub.getId()).equals(stub);
        });
        step("loadMappingsFrom", () -> {
            Path folder = Files.createTempDirectory("reprise-client.");
            Path file = Files.createDirectory(folder.resolve("mappings")).resolve("loaded.json");
            Files.writeString(file, "{\"request\": {\"url\": \"/loaded\"}, \"response\": {\"body\": \"loaded\"}}");
            create().host("127.0.0.1").port(port).build().loadMappingsFrom(folder.toFile());
            Files.delete(file);
            Files.delete(file.getParent());
            Files.delete(folder);
            return get("/loaded");
        });
        step("reset", () -> {
            WireMock.reset();
            return getAllServeEvents().size() + " " + get("/saved", "Authorization", "Basic dTpw");
        });
        step("a client with another Host field", () ->
                create().scheme("http").host("127.0.0.1").port(port).hostHeader("other.example").build().allStubMappings().getMappings().size());
        step("resetMappings", () -> {
            new WireMock("127.0.0.1", port).resetMappings();
            return listAllStubMappings().getMappings().size();
        });
    }
}
