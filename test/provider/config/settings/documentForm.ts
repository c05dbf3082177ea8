import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../../provider/config/machineConfig";
import { withValue } from "../../../../provider/config/settings/keyPaths";
import { locate } from "../../../../provider/config/settings/locate";
import { pemOfBase64 } from "../../../../provider/config/settings/pemForms";

/**
 * The outline of the same configuration in documents, as contract v1.14 writes it.
 *
 * @param outline with all settings in fields
 */
export function documentForm(outline: ConfigDocument): ConfigDocument {
  return leavesOf(outline, []).reduce<ConfigDocument>(
    (moved, [path, value]) => says(moved, path, value),
    {},
  );
}

type Leaf = readonly [path: readonly string[], value: YamlValue];

/** Values that stand at one place, and mappings that others fill. */
function leavesOf(value: YamlValue, path: readonly string[]): readonly Leaf[] {
  return isMapping(value) && Object.keys(value).length > 0 && !WHOLE.includes(path.join("."))
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
    : [[path, value]];
}

/** Settings with a form of their own. */
const WHOLE = ["cluster.ca", "cluster.aggregatorCA", "cluster.acceptedCAs", "cluster.network.cni"];

function says(moved: ConfigDocument, path: readonly string[], value: YamlValue): ConfigDocument {
  const field = path.join(".");
  const [name = "", ...rest] = path.slice(2);
  if (field === "cluster.ca" || field === "cluster.aggregatorCA") {
    const kind = field === "cluster.ca" ? "KubeAPIServerCAConfig" : "KubeAggregatorCAConfig";
    const { crt = "", key = "" } = isMapping(value) ? value : {};
    return withValue(moved, [kind, "issuingCA"], { cert: crt, key });
  }
  if (field === "cluster.acceptedCAs") {
    const texts = (Array.isArray(value) ? value : []).map((each) =>
      isMapping(each) ? (each.crt ?? "") : "",
    );
    return withValue(moved, ["KubeAPIServerCAConfig", "acceptedCAs"], texts);
  }
  if (field === "cluster.network.cni") {
    return isMapping(value) && value.name === "flannel"
      ? withValue(moved, ["KubeFlannelCNIConfig"], { backendType: "vxlan" })
      : moved;
  }
  if (field === "cluster.secretboxEncryptionSecret") {
    return withValue(moved, ["KubeEtcdEncryptionConfig", "config"], {
      resources: [{ providers: [{ secretbox: { keys: [{ name: "key2", secret: value }] } }] }],
    });
  }
  if (field === `cluster.inlineManifests.${name}.name`) {
    return moved;
  }
  if (field.startsWith("cluster.inlineManifests.")) {
    return withValue(
      moved,
      [`KubeInlineManifestConfig/${name}`, "manifest", ...rest.slice(1)],
      value,
    );
  }
  if (field === "cluster.extraManifests") {
    const urls = Array.isArray(value) ? value : [];
    return urls.reduce<ConfigDocument>(
      (all, url, index) =>
        withValue(all, [`KubeExternalManifestConfig/extra-${index + 1}`, "url"], url),
      moved,
    );
  }
  const location = locate(path, undefined);
  if (location?.isDerived === true) {
    const [id = ""] = location.place;
    return value === true && moved[id] === undefined ? { ...moved, [id]: {} } : moved;
  }
  const formed =
    location?.form === "opposite"
      ? value !== true
      : location?.form === "pem"
        ? pemOfBase64(typeof value === "string" ? value : "")
        : value;
  return withValue(moved, location?.place ?? path, formed);
}
