import type { EmulatedNode } from "../../../emulator";
import type { YamlValue } from "../../../provider/config/machineConfig";
import { fieldsOfDocuments } from "../../../provider/config/settings/fieldsOf";
import { pathOf, valueAt } from "../../../provider/config/settings/keyPaths";
import { decodeDocuments } from "../../../provider/config/yaml/encode";

/**
 * The settings that a machine runs by their fields (`cluster.apiServer.image`), whichever form its
 * version contract writes them in.
 */
export function machineSettings(
  node: EmulatedNode | undefined,
): (field: string) => YamlValue | undefined {
  const fields = fieldsOfDocuments(decodeDocuments(node?.machineConfiguration ?? ""));
  return (field) => valueAt(fields, pathOf(field));
}
