import { createHash } from "node:crypto";
import { parse } from "yaml";
import { type ConfigDocument, isMapping } from "../../../provider/config";

/** Fingerprints of the keys with which an API server reads Secrets; the first one encrypts. */
export type EncryptionKeys = readonly string[];

/** The keys of Talos' own encryption configuration (v1.12.1, `APIServerEncryptionConfig`). */
export function talosKeys(
  secretbox: string | undefined,
  aescbc: string | undefined,
): EncryptionKeys {
  return [secretbox ?? [], aescbc ?? []].flat().map(fingerprint);
}

/** The keys of an encryption configuration file; none of one that can't be read. */
export function keysInFile(text: string): EncryptionKeys {
  return keysOfResources(parse(text) as ConfigDocument | null);
}

/** The keys of an encryption configuration, for the first of its `resources`. */
export function keysOfResources(configuration: ConfigDocument | null): EncryptionKeys {
  const [resource] = listAt(configuration, "resources");
  return listAt(resource, "providers").flatMap((provider) =>
    Object.values(provider).flatMap((settings) =>
      listAt(isMapping(settings) ? settings : null, "keys").flatMap(({ secret }) =>
        typeof secret === "string" ? [fingerprint(secret)] : [],
      ),
    ),
  );
}

function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function listAt(value: ConfigDocument | null | undefined, key: string): readonly ConfigDocument[] {
  const list = value?.[key];
  return Array.isArray(list) ? list.filter(isMapping) : [];
}
