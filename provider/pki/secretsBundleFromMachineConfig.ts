import { isMapping, textAt, type ConfigDocument } from "../config/machineConfig";
import { fieldsOfDocuments } from "../config/settings/fieldsOf";
import { collectSecrets, type SecretsLayout } from "./collectSecrets";
import type { SecretsBundle } from "./secretsBundle";
import { SecretsBundleError } from "./secretsBundleError";
import { decodeSecrets } from "./secretsReader";

const layout: SecretsLayout = {
  id: "cluster.id",
  secret: "cluster.secret",
  bootstrapToken: "cluster.token",
  secretboxSecret: "cluster.secretboxEncryptionSecret",
  aescbcSecret: "cluster.aescbcEncryptionSecret",
  trustdToken: "machine.token",
  etcd: "cluster.etcd.ca",
  k8s: "cluster.ca",
  k8sAggregator: "cluster.aggregatorCA",
  k8sServiceAccountKey: "cluster.serviceAccount.key",
  os: "machine.ca",
};

/** The type and id of a machine's active configuration in `talosctl get machineconfig -o yaml`. */
const RESOURCE_TYPE = "MachineConfigs.config.talos.dev";
const ACTIVE_ID = "v1alpha1";

/**
 * The secrets of a cluster from the configuration of a control plane machine: the applied file, or
 * the output of `talosctl get machineconfig -o yaml`.
 *
 * Accepts the same as `talosctl gen secrets --from-controlplane-config`. Like that, it ignores CAs
 * that are only accepted (`acceptedCAs`), so complete a rotation first.
 *
 * @param now when certificates must still be valid. Default: now
 * @throws SecretsBundleError with all problems
 */
export function secretsBundleFromMachineConfig(text: string, now = new Date()): SecretsBundle {
  const documents = unwrap(decodeSecrets(text));
  const configurations = documents.filter(isMachineConfig);
  const [configuration] = configurations;
  if (configuration === undefined || configurations.length > 1) {
    const message = `holds ${configurations.length} machine configurations: give that of one control plane machine`;
    throw new SecretsBundleError([{ path: "", message }]);
  }
  const type = textAt(configuration.machine, "type");
  if (type === "worker") {
    const message = `is "worker", and workers don't have the keys of a cluster: give the configuration of a control plane machine`;
    throw new SecretsBundleError([{ path: "machine.type", message }]);
  }
  return collectSecrets(fieldsOfDocuments(documents), layout, { now, isWhole: false });
}

/** Whether documents are or contain a machine configuration, and not only secrets. */
export function holdsMachineConfig(documents: readonly ConfigDocument[]): boolean {
  return documents.some((document) => isResource(document) || isMachineConfig(document));
}

/** The machine configuration proper is the only document without a kind. */
function isMachineConfig(document: ConfigDocument): boolean {
  return document.kind === undefined && (document.machine ?? document.version) !== undefined;
}

function isResource(document: ConfigDocument): boolean {
  return textAt(document.metadata, "type") === RESOURCE_TYPE;
}

/** The applied documents, also from a machine's resource. */
function unwrap(documents: readonly ConfigDocument[]): readonly ConfigDocument[] {
  const resources = documents.filter(isResource);
  if (resources.length === 0) {
    return documents;
  }
  const active = resources.filter(({ metadata }) => textAt(metadata, "id") === ACTIVE_ID);
  // Older machines show the configuration itself, newer ones its text.
  return (active.length > 0 ? active : resources).flatMap(({ spec = "" }) =>
    isMapping(spec) ? [spec] : decodeSecrets(typeof spec === "string" ? spec : ""),
  );
}
