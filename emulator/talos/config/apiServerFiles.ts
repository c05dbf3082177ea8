import { type ConfigDocument, isMapping } from "../../../provider/config/machineConfig";
import { textAt, textMapAt, valueAt } from "./yamlPath";

/** Additional flags of the API server that name a file. */
const FILE_FLAGS = ["service_account_key_file", "encryption_provider_config"] as const;

/** A file that an additional flag names. */
export interface FileOfFlag {
  /** Its path in the API server. */
  readonly path: string;
  /** Empty if no file of the configuration is there. */
  readonly content: string;
  readonly isReadable: boolean;
}

/** Talos mounts it into the API server besides its own folders (v1.12.1). */
const AUDIT_LOGS: ConfigDocument = {
  hostPath: "/var/log/audit/kube",
  mountPath: "/var/log/audit/kube",
};

/** The permission to read of users other than the owner and its group. */
const READABLE_FOR_OTHERS = 0o004;

/**
 * The file that an additional flag of the API server names, in one of the volumes that it mounts. A
 * machine writes its files while it boots, so `config` has those of the boot: `factsSinceBoot`.
 *
 * They belong to root, and the API server runs as another user. Talos gives that user the folder of
 * audit logs with its files, but only while the folder belongs to somebody else: in a folder of an
 * earlier boot, new files stay root's. Sources: talos v1.12.1, `block/mount.go`
 * (`updateTargetSettings`), `v1alpha1_sequencer_tasks.go` (`WriteUserFiles`); seen on real nodes.
 */
export function fileOfFlag(
  config: ConfigDocument,
  flag: (typeof FILE_FLAGS)[number],
): FileOfFlag | undefined {
  const path = textMapAt(config, "cluster", "apiServer", "extraArgs")[flag];
  if (path === undefined) {
    return undefined;
  }
  const volume = [...mappingsAt(config, "cluster", "apiServer", "extraVolumes"), AUDIT_LOGS].find(
    (each) => path.startsWith(`${textAt(each, "mountPath") ?? ""}/`),
  );
  const onHost = path.replace(textAt(volume, "mountPath") ?? "", textAt(volume, "hostPath") ?? "");
  const file = mappingsAt(config, "machine", "files").find(
    (each) => textAt(each, "path") === onHost,
  );
  const permissions = Number(file?.permissions ?? 0);
  return {
    path,
    content: textAt(file, "content") ?? "",
    isReadable: (permissions & READABLE_FOR_OTHERS) !== 0,
  };
}

/** The first file that the API server can't read, so that it ends; undefined without one. */
export function unreadableFile(config: ConfigDocument): string | undefined {
  return FILE_FLAGS.map((flag) => fileOfFlag(config, flag)).find(
    (file) => file?.isReadable === false,
  )?.path;
}

function mappingsAt(config: ConfigDocument, ...path: string[]): readonly ConfigDocument[] {
  const list = valueAt(config, ...path);
  return Array.isArray(list) ? list.filter(isMapping) : [];
}
