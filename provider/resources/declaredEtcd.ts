import { documentsOfOutline } from "../config/effects/outline";
import { etcdMinorOf, etcdWayBackProblem } from "../config/releases/etcdRelease";
import { installerOf } from "../config/settings/installer";
import { systemOfInstaller } from "../config/talosSystem";
import type { CheckFailure } from "../engine/handler";
import type { ConfigurationOutline } from "../render/renderConfiguration";
import { outlineOf } from "../render/renderMachineConfiguration";

/** The etcd that a cluster was healthy with. */
export interface RecordedEtcd {
  /**
   * Computed by `check`: the minor of etcd in the control plane's configuration, 7 of etcd 3.7.
   * Recorded when all members run it. Absent where it isn't known.
   */
  readonly etcdMinor?: number;
}

/** The etcd of a control plane's configuration, and its Talos; undefined while that is unknown. */
export function declaredEtcd(configuration: ConfigurationOutline | string) {
  const outline = configuration === "" ? undefined : outlineOf(configuration);
  const installer = outline && installerOf(outline);
  const talos = installer === undefined ? undefined : systemOfInstaller(installer)?.version;
  return outline === undefined || talos === undefined
    ? undefined
    : { talos, minor: etcdMinorOf(documentsOfOutline(outline), talos) };
}

/** An older etcd can't follow one that all members have run. */
export function checkEtcd(
  olds: RecordedEtcd | undefined,
  etcd: ReturnType<typeof declaredEtcd>,
): CheckFailure[] {
  const ran = olds?.etcdMinor;
  const problem =
    ran === undefined || etcd === undefined
      ? undefined
      : etcdWayBackProblem(`3.${ran}.0`, etcd.minor, etcd.talos);
  return problem === undefined ? [] : [{ property: "talosVersion", reason: problem }];
}
