import { createHash } from "node:crypto";
import { parse } from "yaml";
import { type ConfigDocument, isMapping, textAt } from "../../../provider/config";
import { textsAt } from "./yamlPath";

/** The keys with which an API server reads Secrets; the first one encrypts. */
export type EncryptionKeys = readonly EncryptionKey[];

/** A key with which an API server reads Secrets. */
export interface EncryptionKey {
  /** The fingerprint of a key in the configuration; of one in KMS, the name of its provider. */
  readonly id: string;
  /** Of a key in KMS: whether the machine runs the plugin that asks KMS. Whether KMS answers isn't simulated. */
  readonly hasPlugin?: boolean;
}

/** The keys of Talos' own encryption configuration (v1.12.1, `APIServerEncryptionConfig`). */
export function talosKeys(
  secretbox: string | undefined,
  aescbc: string | undefined,
): EncryptionKeys {
  return [secretbox ?? [], aescbc ?? []].flat().map(keyOf);
}

/** The keys of an encryption configuration file; none of one that can't be read. */
export function keysInFile(text: string): EncryptionKeys {
  return keysOfResources(parse(text) as ConfigDocument | null, []);
}

/**
 * The keys of an encryption configuration, for the first of its `resources`.
 *
 * @param sockets those of the plugins on the machine
 */
export function keysOfResources(
  configuration: ConfigDocument | null,
  sockets: readonly string[],
): EncryptionKeys {
  const [resource] = listAt(configuration, "resources");
  return listAt(resource, "providers").flatMap(({ kms, ...others }): EncryptionKey[] => {
    const [id, endpoint] = ["name", "endpoint"].map((key) => textAt(kms, key));
    return id === undefined
      ? Object.values(others).flatMap((settings) =>
          listAt(isMapping(settings) ? settings : null, "keys").flatMap(({ secret }) =>
            typeof secret === "string" ? [keyOf(secret)] : [],
          ),
        )
      : [{ id, hasPlugin: sockets.some((socket) => `unix://${socket}` === endpoint) }];
  });
}

/** The sockets on which the static pods of a machine listen, as far as their arguments say so. */
export function pluginSockets(documents: readonly ConfigDocument[]): readonly string[] {
  return documents
    .filter(({ kind }) => kind === "KubeStaticPodConfig")
    .flatMap(({ pod }) =>
      listAt(isMapping(pod) && isMapping(pod.spec) ? pod.spec : null, "containers"),
    )
    .flatMap((container) => textsAt(container, "args"))
    .flatMap((argument) => /^--listen=(.+)$/.exec(argument)?.[1] ?? []);
}

function keyOf(secret: string): EncryptionKey {
  return { id: createHash("sha256").update(secret).digest("hex") };
}

function listAt(value: ConfigDocument | null | undefined, key: string): readonly ConfigDocument[] {
  const list = value?.[key];
  return Array.isArray(list) ? list.filter(isMapping) : [];
}
