import { type ConfigDocument, textAt, type YamlValue } from "./machineConfig";
import { fieldsOf } from "./settings/fieldsOf";
import { valueAt } from "./settings/keyPaths";

/**
 * Folders in which a machine can make what isn't there: everything else is in Talos' image, and read-only.
 * Source: Talos v1.12.1 and v1.14.1, `Overlays` of pkg/machinery/constants, and the mounts of
 * internal/pkg/mount.
 */
const WRITABLE =
  /^\/+(?:var|run|tmp|opt|dev|proc|sys|system|etc\/cni|etc\/kubernetes|usr\/libexec\/kubernetes)(?:\/|$)/;

const LOOK = "look with `talosctl ls` on a machine of the same Talos before";

/**
 * Warnings about what needs a file or folder of Talos' image, which can't be known here: files that are
 * changed, and folders outside of `/var` that kubelet, a control plane's pod or a disk is mounted by.
 *
 * Sources: Talos v1.10.9 to v1.14.1, `WriteUserFiles` and `existsAndIsFile` in `v1alpha1_sequencer_tasks.go`,
 * `system/services/kubelet.go` (it makes the sources of mounts), `controllers/block/user_disk_config.go`,
 * `volumes` in `controllers/k8s/control_plane_static_pod.go`.
 *
 * @param outline of the configuration (`outlineDocuments`)
 */
export function fileWarnings(outline: ConfigDocument): string[] {
  const { machine, cluster } = fieldsOf(outline);
  return [
    ...itemsAt(machine, "files").flatMap(changedFile),
    ...itemsAt(machine, "kubelet", "extraMounts").flatMap((mount) =>
      missingFolder("machine.kubelet.extraMounts", textAt(mount, "source"), "kubelet never starts"),
    ),
    ...["apiServer", "controllerManager", "scheduler"].flatMap((component) =>
      itemsAt(cluster, component, "extraVolumes").flatMap((volume) =>
        missingFolder(
          `cluster.${component}.extraVolumes`,
          textAt(volume, "hostPath"),
          "the component never starts",
        ),
      ),
    ),
    ...itemsAt(machine, "disks").flatMap((disk) =>
      itemsAt(disk, "partitions").flatMap((partition) =>
        missingFolder(
          "machine.disks",
          textAt(partition, "mountpoint"),
          "the partition is never mounted",
        ),
      ),
    ),
  ];
}

function changedFile(file: YamlValue): string[] {
  const [path, op] = [textAt(file, "path"), textAt(file, "op")];
  return path !== undefined && (op === "overwrite" || op === "append")
    ? [
        `machine.files: ${JSON.stringify(op)} needs the file ${JSON.stringify(path)} in Talos' image: without it, a machine restarts in each boot; ${LOOK}`,
      ]
    : [];
}

function missingFolder(place: string, folder: string | undefined, consequence: string): string[] {
  return folder === undefined || WRITABLE.test(folder)
    ? []
    : [
        `${place}: ${JSON.stringify(folder)} has to be in Talos' image, because nothing can be made there: without it, ${consequence}; use a folder below /var, or ${LOOK}`,
      ];
}

/** The items of a list, which is a mapping in an outline. */
function itemsAt(value: YamlValue | undefined, ...path: readonly string[]): readonly YamlValue[] {
  const found = valueAt(value, path) ?? null;
  return typeof found === "object" ? Object.values(found ?? {}) : [];
}
