import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, isMapping } from "../../../provider/config";
import type { ClusterConfig } from "./loadConfig";
import { machineFacts, type MachineFacts, v1alpha1Document } from "./machineFacts";

const known = new WeakMap<ClusterConfig, Map<string, MachineFacts>>();

/** The facts of a configuration on a machine of a release. Machines of a pool share them. */
export function factsOn(config: ClusterConfig, talosVersion: string): MachineFacts {
  const byRelease = known.get(config) ?? new Map<string, MachineFacts>();
  known.set(config, byRelease);
  const facts =
    byRelease.get(talosVersion) ?? machineFacts(config.documents, talosVersion) ?? config.facts;
  byRelease.set(talosVersion, facts);
  return facts;
}

/**
 * The facts of a configuration that a machine runs since a boot with another one. `machine.files` are
 * written at a boot only, so those of that boot are there. Source: talos v1.14.1,
 * `v1alpha1_sequencer_tasks.go`, `WriteUserFiles`. Older releases reboot when these files change.
 */
export function factsSinceBoot(
  config: ClusterConfig,
  booted: ClusterConfig,
  talosVersion: string,
): MachineFacts {
  const [now, then] = [config, booted].map(({ documents }) => v1alpha1Document(documents));
  const [files, former] = [now, then].map((document) => filesOf(document));
  const facts = factsOn(config, talosVersion);
  if (now === undefined || isDeepStrictEqual(files, former)) {
    return facts;
  }
  const { files: _, ...machine } = isMapping(now.machine) ? now.machine : {};
  const document: ConfigDocument = {
    ...now,
    machine: former === undefined ? machine : { ...machine, files: former },
  };
  const documents = config.documents.map((each) => (each === now ? document : each));
  return machineFacts(documents, talosVersion) ?? facts;
}

function filesOf(document: ConfigDocument | undefined) {
  return isMapping(document?.machine) ? document.machine.files : undefined;
}
