import type { Resource } from "../../../provider/api/gen/cosi/resource/Resource";
import { timestamp } from "../rpc/timestamp";
import type { StoredResource } from "./resource";

/** A resource as the API sends it. */
export function resourceMessage(resource: StoredResource): Resource {
  return {
    metadata: {
      namespace: resource.namespace,
      type: resource.type,
      id: resource.id,
      version: `${resource.version}`,
      owner: resource.owner,
      phase: "running",
      created: timestamp(resource.created),
      updated: timestamp(resource.updated),
      ...(resource.annotations ? { annotations: resource.annotations } : {}),
    },
    spec: { protoSpec: resource.proto, yamlSpec: resource.yaml },
  };
}

/** What is sent of a resource that does not exist: names and nothing else. */
export function tombstoneMessage(namespace: string, type: string, id: string): Resource {
  return {
    metadata: { namespace, type, id, version: "undefined", phase: "running" },
    spec: { yamlSpec: "" },
  };
}
