import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, isMapping } from "../../../provider/config/machineConfig";
import type { ClusterConfig } from "./loadConfig";
import { machineFacts, type MachineFacts, v1alpha1Document } from "./machineFacts";

/**
 * The facts of a configuration that a machine runs since a boot with another one. `machine.files` are
 * written at a boot only, so those of that boot are there. Source: talos v1.14.1,
 * `v1alpha1_sequencer_tasks.go`, `WriteUserFiles`. Older releases reboot when these files change.
 */
export function factsSinceBoot(config: ClusterConfig, booted: ClusterConfig): MachineFacts {
  const [now, then] = [config, booted].map(({ documents }) => v1alpha1Document(documents));
  const [files, former] = [now, then].map((document) => filesOf(document));
  if (now === undefined || isDeepStrictEqual(files, former)) {
    return config.facts;
  }
  const { files: _, ...machine } = isMapping(now.machine) ? now.machine : {};
  const document: ConfigDocument = {
    ...now,
    machine: former === undefined ? machine : { ...machine, files: former },
  };
  return (
    machineFacts(config.documents.map((each) => (each === now ? document : each))) ?? config.facts
  );
}

function filesOf(document: ConfigDocument | undefined) {
  return isMapping(document?.machine) ? document.machine.files : undefined;
}
