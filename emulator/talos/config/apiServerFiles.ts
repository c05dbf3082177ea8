import { parse } from "yaml";
import { type ConfigDocument, isMapping, type YamlValue } from "../../../provider/config";
import { textAt, textMapAt, valueAt } from "./yamlPath";

/** Additional flags of the API server that name files which this package writes. */
type OwnFileFlag =
  | "service_account_key_file"
  | "encryption_provider_config"
  | "authentication_config"
  | "authentication-config";

/**
 * Flags of the API server that name a file which it reads at its start. Source: Kubernetes v1.37.2, the `AddFlags` of
 * `apiserver/pkg/server/options` and `kubeapiserver/options`.
 */
const FILE_FLAGS = [
  "audit_policy_file",
  "audit_webhook_config_file",
  "authentication_config",
  "authentication_token_webhook_config_file",
  "authorization_config",
  "authorization_webhook_config_file",
  "client_ca_file",
  "egress_selector_config_file",
  "encryption_provider_config",
  "etcd_cafile",
  "etcd_certfile",
  "etcd_keyfile",
  "kubelet_certificate_authority",
  "kubelet_client_certificate",
  "kubelet_client_key",
  "oidc_ca_file",
  "peer_ca_file",
  "requestheader_client_ca_file",
  "service_account_key_file",
  "service_account_signing_key_file",
  "tls_cert_file",
  "tls_private_key_file",
  "token_auth_file",
  "tracing_config_file",
] as const;

/** Folders that Talos itself mounts into the API server with what is in them (v1.12.1 and v1.14.1). */
const TALOS_FOLDERS = ["/system/", "/etc/ssl/certs/"];

/** A file that an additional flag names. */
export interface FileOfFlag {
  /** Its path in the API server. */
  readonly path: string;
  /** Empty if no file of the configuration is there. */
  readonly content: string;
  /** Whether a file of the configuration is there. */
  readonly exists: boolean;
  /** Whether the API server's user may read it. */
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
 * audit logs with its files, but only while the folder belongs to somebody else. In a folder of an
 * earlier boot, new files stay root's. Sources: talos v1.12.1, `block/mount.go`
 * (`updateTargetSettings`), `v1alpha1_sequencer_tasks.go` (`WriteUserFiles`); seen on real nodes.
 */
export function fileOfFlag(config: ConfigDocument, flag: OwnFileFlag): FileOfFlag | undefined {
  const path = textMapAt(config, "cluster", "apiServer", "extraArgs")[flag];
  return path === undefined ? undefined : fileAt(config, path);
}

/** The AuthenticationConfiguration in the file of an additional flag; undefined without one. */
export function authenticationOfFlag(config: ConfigDocument): YamlValue | undefined {
  const file =
    fileOfFlag(config, "authentication_config") ?? fileOfFlag(config, "authentication-config");
  try {
    return file && (parse(file.content) as YamlValue);
  } catch {
    return undefined;
  }
}

function fileAt(config: ConfigDocument, path: string): FileOfFlag {
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
    exists: file !== undefined,
    isReadable: (permissions & READABLE_FOR_OTHERS) !== 0,
  };
}

/** What the API server says of the first file that it can't read, before it ends; undefined without one. */
export function fileFault(config: ConfigDocument): string | undefined {
  const flags = textMapAt(config, "cluster", "apiServer", "extraArgs");
  for (const [flag, path] of Object.entries(flags)) {
    const isFile = FILE_FLAGS.some((each) => each === flag.replaceAll("-", "_"));
    const isTalos = TALOS_FOLDERS.some((folder) => path.startsWith(folder));
    if (!isFile || isTalos || path === "") {
      continue;
    }
    const { exists, isReadable } = fileAt(config, path);
    if (!exists) {
      return `open ${path}: no such file or directory`;
    }
    if (!isReadable) {
      return `open ${path}: permission denied`;
    }
  }
  return undefined;
}

function mappingsAt(config: ConfigDocument, ...path: string[]): readonly ConfigDocument[] {
  const list = valueAt(config, ...path);
  return Array.isArray(list) ? list.filter(isMapping) : [];
}
