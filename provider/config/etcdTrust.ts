import { type ConfigDocument, textAt } from "./machineConfig";
import { valueAt } from "./settings/keyPaths";

/**
 * The certificates that etcd trusts, as they are in the outline of a machine's configuration, the
 * issuing one first. None for a worker.
 */
export function etcdAuthorities(outline: ConfigDocument): readonly string[] {
  const text = textAt(valueAt(outline, ["cluster", "etcd", "ca"]), "crt");
  return text === undefined ? [] : text.split(", ");
}

/**
 * Whether a machine reboots because etcd trusts other CAs. In a preview, one of them may not be made
 * yet.
 *
 * etcd reads them when it starts, and Talos restarts it only with its machine. Which of them issues
 * may change at any time: etcd and its clients read their own certificates for each connection.
 *
 * Sources: etcd v3.6.7, `client/pkg/transport/listener.go` (`ServerConfig` makes the pool of CAs
 * once, `GetCertificate` reads the file each time); Talos v1.12.1, `pkg/system/services/etcd.go`,
 * which has no restart over the API.
 */
export function changesEtcdTrust(before: ConfigDocument, after: ConfigDocument): boolean {
  const [old, now] = [before, after].map((each) => [...etcdAuthorities(each)].sort().join());
  return old !== now;
}
