import { type ApiAnswer, json } from "./apiRequest";
import { groupVersionOf, type ResourceKind } from "./resources";

const INFO = { title: "Kubernetes", version: "unversioned" };

/**
 * The form that client-go asks for, by a name that is no media type. The answer has a name that is one. Source:
 * k8s.io/kube-openapi, `pkg/handler/handler.go`.
 */
const ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * The former document, which client-go reads to see whether it can talk with a server. It names no path and no
 * definition: who wants them reads those of v3.
 */
export function openApiV2(accept = "*/*"): ApiAnswer {
  const asked = accept.split(",").map((each) => each.trim());
  if (!asked.includes(ASKED) && !asked.includes(PROTOBUF)) {
    return json({ swagger: "2.0", info: INFO, paths: {}, definitions: {} });
  }
  const info = [field(1, INFO.title), field(2, INFO.version)].join("");
  // Source: gnostic, `openapiv2/OpenAPIv2.proto`, message `Document`. All its bytes are ASCII.
  const body = [field(1, "2.0"), field(2, info), field(8, ""), field(9, "")].join("");
  return { kind: "body", code: 200, contentType: PROTOBUF, body };
}

/** A field of a Protocol Buffers message with a text or another message, of less than 128 bytes. */
function field(number: number, content: string): string {
  return String.fromCharCode(number * 8 + 2, content.length) + content;
}

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
    info: INFO,
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
