import { requestsWithoutApi } from "../../../provider/kubernetes/deprecatedRequests";

const metric = (group: string, version: string, resource: string, removed: string, count = 1) =>
  `apiserver_requested_deprecated_apis{group="${group}",removed_release="${removed}",resource="${resource}",subresource="",version="${version}"} ${count}`;

// The lines of Kubernetes v1.35.0 after a request for Endpoints, whose removal isn't planned.
const metrics = [
  "# HELP apiserver_requested_deprecated_apis [STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
  "# TYPE apiserver_requested_deprecated_apis gauge",
  metric("", "v1", "endpoints", ""),
  metric("flowcontrol.apiserver.k8s.io", "v1beta3", "flowschemas", "1.32"),
  metric("future.k8s.io", "v1beta1", "things", "1.40"),
  metric("resource.k8s.io", "v1alpha1", "claims", "1.31", 0),
  "apiserver_request_total 4",
].join("\n");

describe("requestsWithoutApi", () => {
  it.each([
    ["v1.31.9", []],
    [
      "v1.32.0",
      [{ resource: "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io", removedIn: "1.32" }],
    ],
    [
      "1.40.0",
      [
        { resource: "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io", removedIn: "1.32" },
        { resource: "things.v1beta1.future.k8s.io", removedIn: "1.40" },
      ],
    ],
  ])("of Kubernetes %s", (version, expected) => {
    expect(requestsWithoutApi(metrics, version)).toEqual(expected);
  });
});
