import {
  ConfigTextError,
  isNone,
  KUBECTL_INDENTATION,
  parseConfig,
  renderConfig,
  rootMapping,
  setText,
} from "./configText";
import { KubeconfigEntries, readOwnEntries } from "./kubeconfigEntries";
import { KubeconfigOwner } from "./kubeconfigOwner";
import { type MergeCluster, numberedName } from "./mergeResult";

/** The fields with which a client verifies a server. They exclude each other. */
const TRUST = ["certificate-authority", "insecure-skip-tls-verify", "tls-server-name"];

/**
 * Adds a cluster to a kubeconfig. Fields of existing entries that the cluster's kubeconfig does not
 * have are kept, for example a context's namespace.
 */
export const mergeKubeconfig: MergeCluster = (before, own, options = {}) => {
  const { contextName, setCurrent = false } = options;
  const document = parseConfig(before);
  const root = rootMapping(document);
  const entries = new KubeconfigEntries(document);
  const wanted = readOwnEntries(own);
  const owner = new KubeconfigOwner(entries, wanted);

  // With another name for the context, a context of the default name is not changed.
  const namesOf = (name: string) => {
    const usual = owner.named(name);
    return contextName === undefined ? usual : { ...usual, contextName: undefined };
  };
  const clusterName = numberedName(
    wanted.clusterName,
    {
      ours: (name) => owner.has(namesOf(name)),
      free: (name) => !owner.isTaken(namesOf(name)),
    },
    entries.count(),
  );
  const usual = owner.named(clusterName);
  const names = { ...usual, contextName: contextName ?? usual.contextName };
  if (
    entries.names("contexts").includes(names.contextName) &&
    !owner.isOwnContext(names.contextName, names)
  ) {
    throw new ConfigTextError(
      `it has a context "${names.contextName}" of another cluster or user: choose another name with --context, or rename it with "kubectl config rename-context"`,
    );
  }

  for (const [key, value] of [
    ["apiVersion", "v1"],
    ["kind", "Config"],
  ] as const) {
    if (isNone(root.get(key, true))) {
      setText(root, key, value);
    }
  }
  const cluster = entries.get("clusters", names.clusterName);
  for (const key of TRUST.filter((each) => wanted.cluster[each] === undefined)) {
    cluster?.delete(key);
  }
  entries.set("clusters", names.clusterName, wanted.cluster);
  entries.set("contexts", names.contextName, {
    // Fields that a person has added, such as a namespace, are kept.
    ...(entries.get("contexts", names.contextName) === undefined && wanted.context),
    cluster: names.clusterName,
    user: names.userName,
  });
  const user = entries.get("users", names.userName);
  for (const key of user?.items.map((pair) => String(pair.key)) ?? []) {
    if (wanted.user[key] === undefined) {
      user?.delete(key);
    }
  }
  entries.set("users", names.userName, wanted.user);
  const current: unknown = root.get("current-context", true);
  if (setCurrent || isNone(current) || root.get("current-context") === "") {
    setText(root, "current-context", names.contextName);
  }
  return {
    text: renderConfig(document, before, KUBECTL_INDENTATION),
    contextName: names.contextName,
    ...(contextName === undefined &&
      names.contextName !== wanted.contextName && { renamedFrom: wanted.contextName }),
    isCurrent: root.get("current-context") === names.contextName,
  };
};
