import { ConfigSchema } from "./configSchema";
import schemaV110 from "./schema/kubelet/v1.10.json";
import schemaV111 from "./schema/kubelet/v1.11.json";
import schemaV112 from "./schema/kubelet/v1.12.json";
import schemaV113 from "./schema/kubelet/v1.13.json";
import schemaV114 from "./schema/kubelet/v1.14.json";

/**
 * The settings of kubelet that each Talos minor (13 is v1.13) knows, whatever kubelet the machine
 * runs. Written by `schema/kubeletGenerator`; each has one document, without a kind.
 */
export const kubeletSchemas: ReadonlyMap<number, ConfigSchema> = new Map(
  [schemaV110, schemaV111, schemaV112, schemaV113, schemaV114].map((file) => {
    const schema = new ConfigSchema(file);
    return [schema.talosMinor, schema] as const;
  }),
);
