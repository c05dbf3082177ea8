import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { encryptionKeys, formsOfKinds } from "./formsOfKinds";
import { pathOf, valueAt, withoutMember } from "./keyPaths";
import { isRead } from "./locate";
import { namedKinds } from "./namedKinds";
import { settingPlaces } from "./settingPlaces";

/** Kinds of which fields have everything. */
const WHOLE: readonly string[] = [
  ...formsOfKinds.map(({ kind }) => kind),
  ...namedKinds.map(({ kind }) => kind),
  // What an image is installed by, which a machine that runs doesn't read.
  "DiscoveryServiceConfig",
  "UnattendedInstallConfig",
].filter((kind) => kind !== "KubeEtcdEncryptionConfig");

/**
 * What a document says beside the fields that it replaces; undefined if those say it all.
 *
 * @param id of the document, as in an outline
 * @param outline of the whole configuration
 */
export function documentOnlyParts(
  id: string,
  document: ConfigDocument,
  outline: ConfigDocument,
): YamlValue | undefined {
  const [kind = ""] = id.split("/");
  if (WHOLE.includes(kind) || (kind === "KubeEtcdEncryptionConfig" && isAsRendered(document))) {
    return undefined;
  }
  const place = settingPlaces.find((each) => each.kind === kind);
  if (place === undefined || !isRead(outline, place)) {
    return document;
  }
  if (place.section !== undefined) {
    return undefined;
  }
  const paths = Object.keys(place.members ?? {}).map(pathOf);
  const others = paths.reduce(withoutMember, document);
  const endpoint = valueAt(outline, ["KubeClusterConfig", "endpoint"]);
  return kind === "KubeServiceAccountConfig" &&
    valueAt(others, ["issuer", "issuerURL"]) === endpoint
    ? withoutMember(others, ["issuer", "issuerURL"])
    : others;
}

/**
 * Whether an encryption configuration is the one that Talos renders from fields: one key of each kind, then
 * what isn't encrypted. Source: talos v1.14.1, `k8stemplates.APIServerEncryptionConfig`.
 */
function isAsRendered({ config }: ConfigDocument): boolean {
  const resources = isMapping(config) ? config.resources : undefined;
  const [only, ...more] = Array.isArray(resources) ? resources : [];
  const providers = isMapping(only) && Array.isArray(only.providers) ? only.providers : [];
  const kinds = providers.flatMap((each) => (isMapping(each) ? Object.keys(each) : []));
  const expected = ["secretbox", "aescbc", "identity"].filter((kind) => kinds.includes(kind));
  const areSingle = ["secretbox", "aescbc"].every(
    (provider) => encryptionKeys(config, provider).length < 2,
  );
  return (
    more.length === 0 && areSingle && kinds.join() === expected.join() && kinds.includes("identity")
  );
}
