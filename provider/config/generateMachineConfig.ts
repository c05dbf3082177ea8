import { checkMachineConfigInput } from "./checkInput";
import { refuse } from "./configError";
import { baseConfig } from "./generate/baseConfig";
import { combineDocuments } from "./generate/documentOrder";
import type { Replaced } from "./generate/generator";
import { generators } from "./generate/generators";
import { union } from "./generate/mapping";
import { type ConfigDocument, isMapping, mapMembers } from "./machineConfig";
import type { MachineConfigInput } from "./machineConfigInput";
import { versionContract } from "./releases/versionContract";
import { normalizeDocument } from "./schema/normalize";
import { talosSchema } from "./schema/talosSchemas";

/**
 * The documents of a machine configuration. Encoded, they are byte for byte what `talosctl gen
 * config` of the contract's Talos generates for the same secrets and options; of a bundle with an AES-CBC key:
 * see `encryptionResources`. They contain the cluster's keys. A worker's contain none that could take over
 * the cluster.
 *
 * @throws ConfigError with all problems of the input
 */
export function generateMachineConfig(input: MachineConfigInput): ConfigDocument[] {
  refuse(checkMachineConfigInput(input));
  const contract = versionContract(input.versionContract, input);
  const schema = talosSchema(input.talosVersion ?? input.versionContract);
  const parts = generators.map(({ generate }) => generate(input, contract));
  const config = parts.reduce(
    (whole, part) => union(whole, part.config ?? {}),
    baseConfig(input, contract),
  );
  const documents = [
    withoutReplaced(
      config,
      parts.flatMap(({ replaced = [] }) => replaced),
    ),
    ...combineDocuments(
      parts.flatMap((part) => part.documents ?? []),
      contract,
    ),
  ];
  return documents.map((document) => normalizeDocument(document, schema));
}

/** The machine configuration proper without the fields that documents replace. */
function withoutReplaced(config: ConfigDocument, replaced: readonly Replaced[]): ConfigDocument {
  return mapMembers(config, (part, section) =>
    isMapping(part)
      ? mapMembers(part, (value, key) =>
          replaced.some((field) => field[0] === section && field[1] === key) ? undefined : value,
        )
      : part,
  );
}
