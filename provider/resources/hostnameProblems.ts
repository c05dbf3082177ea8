import { ConfigError } from "../config/configError";
import { outlineDocuments } from "../config/effects/outline";
import type { ConfigDocument, YamlValue } from "../config/machineConfig";
import { applyPatches, type Patch } from "../config/patches/patch";
import { newestSchema } from "../config/schema/talosSchemas";
import { textIn, valueIn } from "../config/settings/settingIn";
import type { CheckFailure } from "../engine/handler";
import type { RenderOptions } from "../render/renderConfiguration";

/** A machine, how a message calls it, and its outline. */
export type NamedOutline = readonly [name: string, outline: ConfigDocument];

/**
 * What is wrong with a machine's names beside those of others: Talos and etcd know a machine by its host
 * name, Kubernetes by the kubelet's flag, or else by the host name. Of two with one name, one would not
 * join, or both would be one node. Source: Talos v1.12.1 and v1.14.1, `NodenameController` and
 * `KubeletSpecController` (D/controllers/k8s; D is internal/app/machined/pkg).
 */
export function hostnameProblems(
  outline: ConfigDocument,
  others: readonly NamedOutline[],
): readonly string[] {
  const [host, node] = [hostnameOf(outline), nodeNameOf(outline)];
  const sameHost = others.find(([, each]) => host !== undefined && hostnameOf(each) === host);
  const sameNode = others.find(([, each]) => node !== undefined && nodeNameOf(each) === node);
  return sameHost !== undefined
    ? [
        `${JSON.stringify(host)} is the host name of ${sameHost[0]} already: give each its own, because Kubernetes knows a machine by it`,
      ]
    : sameNode !== undefined
      ? [
          `${JSON.stringify(node)} is the name of the node of ${sameNode[0]} already: give each its own, by its host name or the kubelet's flag hostname-override, because Kubernetes knows a machine by it`,
        ]
      : [];
}

/**
 * The same of machines with other configurations, of which only the patches are known here, and among
 * them. Whatever else is wrong with those patches, their own resource says.
 *
 * @param documents of this configuration, without patches. The host names of all roles are at one place
 * @param mine the machines of this configuration
 * @param otherPatches by how a message calls the machine
 */
export function otherHostnameProblems(
  documents: readonly ConfigDocument[],
  mine: readonly NamedOutline[],
  otherPatches: Readonly<Record<string, readonly Patch[]>>,
  options: RenderOptions,
): CheckFailure[] {
  const others = Object.entries(otherPatches).flatMap(
    ([name, patches]): readonly NamedOutline[] => {
      const outline = outlineWith(documents, patches, options);
      return outline === undefined ? [] : [[name, outline]];
    },
  );
  return others.flatMap(([name, outline], index) =>
    hostnameProblems(outline, [...mine, ...others.slice(0, index)]).map((reason) => ({
      property: "otherPatches",
      reason: `${name}: ${reason}`,
    })),
  );
}

/** Undefined for patches that can't be applied here. */
function outlineWith(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  { schema = newestSchema, marked = [] }: RenderOptions,
): ConfigDocument | undefined {
  try {
    return outlineDocuments(applyPatches(documents, patches, { schema }), { marked });
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}

function hostnameOf(outline: ConfigDocument): string | undefined {
  return textIn(outline, "machine.network.hostname");
}

/** The flag wins over the host name. Talos sorts flags, so the spelling with `_` comes last. */
function nodeNameOf(outline: ConfigDocument): string | undefined {
  const values = ["hostname-override", "hostname_override"].map((flag) =>
    lastText(valueIn(outline, "machine.kubelet.extraArgs", flag)),
  );
  return values.findLast((each) => each !== undefined) ?? hostnameOf(outline);
}

function lastText(value: YamlValue | undefined): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === "string" && last !== "" ? last : undefined;
}
