import {
  groupVersionOf,
  splitGroupVersion,
  subresources,
  verbs,
  type ResourceKind,
  type Subresource,
} from "./resources";

/** A discovery request. */
export interface DiscoveryRequest {
  /** For example `/api`. */
  readonly path: string;
  readonly kinds: readonly ResourceKind[];
  /** The version of the aggregated form, if the Accept header requests it. */
  readonly aggregated: "v2" | "v2beta1" | undefined;
  /** The server's `host:port`, for clients of the plain form. */
  readonly serverAddress: string;
}

/** The answer to a discovery request; `undefined` for other paths. */
export function discover(
  request: DiscoveryRequest,
): { readonly body: object; readonly contentType: string } | undefined {
  const { path, aggregated } = request;
  if (aggregated && (path === "/api" || path === "/apis")) {
    return {
      body: aggregatedList(request, aggregated),
      contentType: `application/json;g=apidiscovery.k8s.io;v=${aggregated};as=APIGroupDiscoveryList`,
    };
  }
  const body = plainDiscovery(request);
  return body && { body, contentType: "application/json" };
}

function plainDiscovery({ path, kinds, serverAddress }: DiscoveryRequest): object | undefined {
  if (path === "/api") {
    return {
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
    };
  }
  const groups = groupsOf(kinds);
  if (path === "/apis") {
    return { kind: "APIGroupList", apiVersion: "v1", groups };
  }
  const [, name, version] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const group = groups.find((each) => each.name === name);
  if (group && version === undefined) {
    return { kind: "APIGroup", apiVersion: "v1", ...group };
  }
  const groupVersion = path === "/api/v1" ? "v1" : `${name ?? ""}/${version ?? ""}`;
  const resources = resourcesOf(kinds, groupVersion);
  return resources.length === 0
    ? undefined
    : { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources };
}

/** The groups except the core group. */
function groupsOf(kinds: readonly ResourceKind[]) {
  const names = [...new Set(kinds.map(({ group }) => group))].filter((name) => name !== "");
  return names.map((name) => {
    const versions = [
      ...new Set(kinds.filter(({ group }) => group === name).map(({ version }) => version)),
    ].map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions, preferredVersion: versions[0] };
  });
}

function resourcesOf(kinds: readonly ResourceKind[], groupVersion: string): object[] {
  return kinds
    .filter((kind) => groupVersionOf(kind) === groupVersion)
    .flatMap((kind) => [
      {
        name: kind.plural,
        singularName: kind.singular,
        namespaced: kind.namespaced,
        kind: kind.kind,
        verbs,
        ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      ...below(kind).map((sub) => ({
        name: `${kind.plural}/${sub.name}`,
        singularName: "",
        namespaced: kind.namespaced,
        ...(sub.group === kind.group ? {} : { group: sub.group, version: sub.version }),
        kind: sub.kind,
        verbs: sub.verbs,
      })),
    ]);
}

function below({ plural, group }: ResourceKind): readonly Subresource[] {
  return group === "" ? subresources.filter((sub) => sub.plural === plural) : [];
}

function aggregatedList({ path, kinds }: DiscoveryRequest, version: "v2" | "v2beta1"): object {
  const isCore = path === "/api";
  const names = isCore ? [""] : groupsOf(kinds).map(({ name }) => name);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: names.map((name) => ({
      metadata: { creationTimestamp: null, ...(isCore ? {} : { name }) },
      versions: [...new Set(kinds.filter(({ group }) => group === name).map(groupVersionOf))].map(
        (groupVersion) => ({
          version: splitGroupVersion(groupVersion)[1],
          freshness: "Current",
          resources: kinds
            .filter((kind) => groupVersionOf(kind) === groupVersion)
            .map(aggregatedResource),
        }),
      ),
    })),
  };
}

function aggregatedResource(kind: ResourceKind): object {
  const { group, version } = kind;
  const subs = below(kind).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: sub.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: { group, version, kind: kind.kind },
    scope: kind.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.singular,
    verbs,
    shortNames: kind.shortNames,
    categories: kind.categories,
    ...(subs.length > 0 ? { subresources: subs } : {}),
  };
}
