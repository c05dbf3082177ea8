import { kubeletSchemaFiles } from "../gen/schemaFiles";
import { ConfigSchema } from "./configSchema";

/**
 * The settings of kubelet that each Talos minor (13 is v1.13) knows, whatever kubelet the machine
 * runs. Written by `npm run adopt`; each has one document, without a kind.
 */
export const kubeletSchemas: ReadonlyMap<number, ConfigSchema> = new Map(
  kubeletSchemaFiles.map((file) => {
    const schema = new ConfigSchema(file);
    return [schema.talosMinor, schema] as const;
  }),
);
