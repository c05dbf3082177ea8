import { groupVersionOf, type ResourceKind } from "./resources";

/**
 * The part of the OpenAPI documents that kubectl reads before a write: whether the server itself
 * checks for unknown fields. `undefined` for other paths.
 */
export function openApi(path: string, kinds: readonly ResourceKind[]): object | undefined {
  const groups = [...new Set(kinds.map(groupVersionOf))];
  const pathOf = (groupVersion: string) =>
    groupVersion.includes("/") ? `apis/${groupVersion}` : `api/${groupVersion}`;
  if (path === "/openapi/v3") {
    const entries = groups.map((group) => {
      const serverRelativeURL = `/openapi/v3/${pathOf(group)}?hash=${group.length}`;
      return [pathOf(group), { serverRelativeURL }] as const;
    });
    return { paths: Object.fromEntries(entries) };
  }
  const group = groups.find((each) => path === `/openapi/v3/${pathOf(each)}`);
  if (group === undefined) {
    return undefined;
  }
  const members = kinds.filter((kind) => groupVersionOf(kind) === group);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "unversioned" },
    paths: Object.fromEntries(
      members.map((kind) => [`/${pathOf(group)}/${kind.plural}/{name}`, operations(kind)]),
    ),
    components: { schemas: {} },
  };
}

function operations({ group, version, kind }: ResourceKind): object {
  const parameter = (name: string) => ({ name, in: "query", schema: { type: "string" } });
  return {
    patch: {
      parameters: ["dryRun", "fieldManager", "fieldValidation", "force"].map(parameter),
      "x-kubernetes-action": "patch",
      "x-kubernetes-group-version-kind": { group, version, kind },
      responses: {},
    },
  };
}
