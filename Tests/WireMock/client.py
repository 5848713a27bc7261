# SPDX-License-Identifier: Apache-2.0
"""Runs WireMock's own Python client against mockserver: its calls for mappings, requests, near misses, scenarios, and
settings. With --wiremock, runs the same calls against WireMock, which must answer in the same way. See run.sh."""

import argparse
import sys
import tempfile
import zipfile
from pathlib import Path

import http_wire
import servers


def steps(server):
    """Each call of the client, as a name and a function that returns what is to be equal on both servers."""
    from wiremock.client import (
        GlobalSetting,
        GlobalSettings,
        HttpMethods,
        Mapping,
        MappingRequest,
        MappingResponse,
        Mappings,
        NearMisses,
        NearMissMatchPatternRequest,
        NearMissMatchRequest,
        Requests,
        Scenarios,
    )

    def stub(path, body, **more):
        return Mapping(
            request=MappingRequest(method=HttpMethods.GET, url_path=path), response=MappingResponse(status=200, body=body), persistent=False, **more
        )

    def get(path):
        return server.send(http_wire.Request("GET", path))

    kept = {}

    def create():
        kept["one"] = Mappings.create_mapping(stub("/one", "1", priority=3, metadata={"k": "v"}))
        Mappings.create_mapping(stub("/two", "2", scenario_name="S", required_scenario_state="Started", new_scenario_state="next"))
        return kept["one"].response.body, get("/one").body, get("/two").body, get("/two").status

    def update():
        kept["one"].response.body = "changed"
        updated = Mappings.update_mapping(kept["one"])
        return updated.response.body, updated.id == kept["one"].id, get("/one").body

    pattern = NearMissMatchPatternRequest(url_path="/one", method=HttpMethods.GET)
    yield "create_mapping", create
    yield "retrieve_all_mappings", lambda: [(m.request.url_path, m.response.body) for m in Mappings.retrieve_all_mappings().mappings]
    yield "retrieve_mapping", lambda: Mappings.retrieve_mapping(kept["one"]).request.url_path
    yield "update_mapping", update
    yield "reset_all_scenarios", lambda: (Scenarios.reset_all_scenarios().status_code, get("/two").body)
    yield "a miss", lambda: get("/on").status
    yield "get_all_received_requests", lambda: [r.request.url for r in Requests.get_all_received_requests(parameters={}).requests]
    yield "get_all_received_requests with a limit", lambda: [
        r.request.url for r in Requests.get_all_received_requests(limit=1, parameters={}).requests
    ]
    yield "get_request", lambda: Requests.get_request(server_request_id(server)).request.url
    yield "get_matching_request_count", lambda: Requests.get_matching_request_count(pattern).count
    yield "get_matching_requests", lambda: [r.url for r in Requests.get_matching_requests(pattern).requests]
    yield "get_unmatched_requests", lambda: [r.url for r in Requests.get_unmatched_requests().requests]
    yield "get_unmatched_requests_near_misses", lambda: sorted(
        (n.request.url, round(n.match_result.distance, 6)) for n in Requests.get_unmatched_requests_near_misses().near_misses
    )
    yield "find_nearest_misses_by_request", lambda: [
        round(n.match_result.distance, 6)
        for n in NearMisses.find_nearest_misses_by_request(
            NearMissMatchRequest(
                url="/on", absolute_url="http://localhost/on", method=HttpMethods.GET, headers={}, cookies={}, body="", client_ip="127.0.0.1"
            )
        ).near_misses
    ]
    yield "find_nearest_misses_by_request_pattern", lambda: [
        n.request.url for n in NearMisses.find_nearest_misses_by_request_pattern(pattern).near_misses
    ][:1]
    yield "update_global_settings", lambda: GlobalSettings.update_global_settings(GlobalSetting(fixed_delay=2)) is not None
    yield "reset_request_journal", lambda: (
        Requests.reset_request_journal().status_code,
        len(Requests.get_all_received_requests(parameters={}).requests),
    )
    yield "delete_mapping_by_metadata", lambda: (
        Mappings.delete_mapping_by_metadata({"matchesJsonPath": "$.k"}).status_code,
        [m.request.url_path for m in Mappings.retrieve_all_mappings().mappings],
    )
    yield "delete_mapping", lambda: (
        Mappings.delete_mapping(Mappings.retrieve_all_mappings().mappings[0].id).status_code,
        len(Mappings.retrieve_all_mappings().mappings),
    )
    yield "persist_mappings", lambda: (Mappings.create_mapping(stub("/kept", "k")).id is not None, Mappings.persist_mappings().status_code)
    yield "reset_mappings", lambda: (Mappings.reset_mappings().status_code, get("/kept").body)
    yield "delete_all_mappings", lambda: (Mappings.delete_all_mappings().status_code, len(Mappings.retrieve_all_mappings().mappings))


def server_request_id(server):
    import json

    return json.loads(server.admin("GET", "/requests").body)["requests"][0]["id"]


def run(server):
    from wiremock.constants import Config

    Config.base_url = f"http://127.0.0.1:{server.port}/__admin"
    results = {}
    for name, step in steps(server):
        try:
            results[name] = step()
        except Exception as problem:
            results[name] = f"{type(problem).__name__}: {str(problem)[:300]}"
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True, help="WireMock's jar, beside the wheel of its Python client")
    parser.add_argument("--mockserver", required=True)
    arguments = parser.parse_args()
    client = tempfile.mkdtemp(prefix="reprise-client.")
    with zipfile.ZipFile(next(Path(arguments.jar).parent.glob("wiremock-2.7.0-*.whl"))) as wheel:
        wheel.extractall(client, [name for name in wheel.namelist() if name.endswith(".py") or name.endswith("VERSION")])
    sys.path.insert(0, client)
    try:
        import requests  # noqa: F401  The client needs it.
    except ImportError:
        print("The Python package requests is missing. The test of WireMock's client was left out.")
        return
    folder = Path(tempfile.mkdtemp(prefix="reprise-admin."))
    (folder / "health.get.txt").write_text("")
    wiremock = mockserver = None
    failures = 0
    try:
        wiremock = servers.WireMock(arguments.jar)
        mockserver = servers.Mockserver(arguments.mockserver, folder)
        expected, found = run(wiremock), run(mockserver)
    finally:
        servers.stop_all(wiremock, mockserver)
    for name, value in expected.items():
        # WireMock answers some calls in a way that its own client cannot read.
        fails = isinstance(value, str) and "Error" in value.split(":")[0]
        if found[name] != value and not fails:
            failures += 1
            print(f"{name}: expected {value!r}, found {found[name]!r}")
        elif fails and isinstance(found[name], str) and "Error" in found[name].split(":")[0]:
            print(f"{name}: fails with both: {found[name]}")
    print(f"{len(expected) - failures} of {len(expected)} calls of the client are equal")
    sys.exit(1 if failures else 0)


main()
