import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "../../../provider/kubernetes/kubernetesObject";

interface Recorded {
  readonly apiVersion: string;
  readonly spec: object;
}

/** The definitions of what Flux follows, of source-controller and kustomize-controller v1.10.1. */
export function fluxDefinitions(): KubernetesObject[] {
  const file = join(__dirname, "../../components/addOns/testdata/fluxDefinitions.json");
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Recorded>>;
  return Object.entries(recorded).map(([kind, { apiVersion, spec }]) => {
    const [group = "", version = ""] = apiVersion.split("/");
    const singular = kind.toLowerCase();
    const plural = kind === "GitRepository" ? "gitrepositories" : `${singular}s`;
    const status = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind, singular, plural, listKind: `${kind}List` },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: structural(spec), status },
              },
            },
          },
        ],
      },
    };
  });
}

/** A schema as definitions have it: there, what isn't named is refused anyway. */
function structural(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(structural);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "additionalProperties" || value !== false)
      .map(([name, value]) => [name, structural(value)]),
  );
}
