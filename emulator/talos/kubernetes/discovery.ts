import { resourceKinds, type ResourceKind } from "./resources";

/** A request for what the API serves. */
export interface DiscoveryRequest {
  /** For example `/api`. */
  readonly path: string;
  /** Version of the aggregated form if the client's Accept header names it. */
  readonly aggregated: "v2" | "v2beta1" | undefined;
  /** host:port of the server, told to clients of the plain form. */
  readonly serverAddress: string;
}

/** The answer to a discovery request, `undefined` for a path that is none. */
export function discover(
  request: DiscoveryRequest,
): { readonly body: object; readonly contentType: string } | undefined {
  const { path, aggregated } = request;
  if (aggregated && (path === "/api" || path === "/apis")) {
    return {
      body: aggregatedList(path === "/api", aggregated),
      contentType: `application/json;g=apidiscovery.k8s.io;v=${aggregated};as=APIGroupDiscoveryList`,
    };
  }
  const body = plainDiscovery(path, request.serverAddress);
  return body && { body, contentType: "application/json" };
}

function plainDiscovery(path: string, serverAddress: string): object | undefined {
  switch (path) {
    case "/api":
      return {
        kind: "APIVersions",
        versions: ["v1"],
        serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
      };
    case "/apis":
      return { kind: "APIGroupList", apiVersion: "v1", groups: [appsGroup] };
    case "/apis/apps":
      return { kind: "APIGroup", apiVersion: "v1", ...appsGroup };
    case "/api/v1":
      return resourceList("", "v1");
    case "/apis/apps/v1":
      return resourceList("apps", "apps/v1");
    default:
      return undefined;
  }
}

const appsVersion = { groupVersion: "apps/v1", version: "v1" };
const appsGroup = { name: "apps", versions: [appsVersion], preferredVersion: appsVersion };

function resourceList(group: string, groupVersion: string): object {
  return {
    kind: "APIResourceList",
    groupVersion,
    resources: kindsOf(group).map(({ plural, singular, group: _, ...kind }) => ({
      name: plural,
      singularName: singular,
      ...kind,
    })),
  };
}

function kindsOf(group: string): readonly ResourceKind[] {
  return resourceKinds.filter((kind) => kind.group === group);
}

function aggregatedList(core: boolean, version: "v2" | "v2beta1"): object {
  const group = core ? "" : "apps";
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: [
      {
        metadata: { creationTimestamp: null, ...(core ? {} : { name: group }) },
        versions: [
          {
            version: "v1",
            freshness: "Current",
            resources: kindsOf(group).map((kind) => ({
              resource: kind.plural,
              responseKind: { group, version: "v1", kind: kind.kind },
              scope: kind.namespaced ? "Namespaced" : "Cluster",
              singularResource: kind.singular,
              verbs: kind.verbs,
              shortNames: kind.shortNames,
              categories: kind.categories,
            })),
          },
        ],
      },
    ],
  };
}
