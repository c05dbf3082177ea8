import type { YAMLMap } from "yaml";
import { textAt } from "./configText";
import type { KubeconfigEntries, OwnEntries } from "./kubeconfigEntries";

export interface EntryNames {
  readonly clusterName: string;
  readonly userName: string;
  /** Name of the context; undefined if the user chose it. */
  readonly contextName: string | undefined;
}

/**
 * Finds the entries of one cluster in a kubeconfig: the cluster with its server, by the name in the
 * server's certificate; its user; and contexts of these two.
 */
export class KubeconfigOwner {
  constructor(
    private readonly entries: KubeconfigEntries,
    private readonly own: OwnEntries,
  ) {}

  /** The names of the entries for a name of the cluster, which may end in a number. */
  named(clusterName: string): EntryNames & { readonly contextName: string } {
    const suffix = clusterName.slice(this.own.clusterName.length);
    const { userName, contextName } = this.own;
    return { clusterName, userName: userName + suffix, contextName: contextName + suffix };
  }

  /** Whether entries of these names exist, and all belong to the cluster. */
  has(names: EntryNames): boolean {
    return this.isOwnCluster(names.clusterName) && !this.isTaken(names);
  }

  /** Whether another cluster has an entry of these names. */
  isTaken({ clusterName, userName, contextName }: EntryNames): boolean {
    const { entries } = this;
    const hasCluster = this.isOwnCluster(clusterName);
    return (
      (!hasCluster && entries.names("clusters").includes(clusterName)) ||
      // A context without its cluster must not suddenly point to ours.
      (!hasCluster && this.isClusterUsed(clusterName)) ||
      this.contextsOf({ user: userName }).some((context) => clusterOf(context) !== clusterName) ||
      (!hasCluster && entries.names("users").includes(userName)) ||
      (contextName !== undefined &&
        entries.names("contexts").includes(contextName) &&
        !this.isOwnContext(contextName, { clusterName, userName }))
    );
  }

  /** Whether a context points to the cluster with its user. */
  isOwnContext(name: string, names: Omit<EntryNames, "contextName">): boolean {
    const context = this.entries.get("contexts", name);
    return (
      context !== undefined &&
      clusterOf(context) === names.clusterName &&
      textAt(context, "user") === names.userName
    );
  }

  isClusterUsed(clusterName: string): boolean {
    return this.entries.names("contexts").some((name) => {
      const context = this.entries.get("contexts", name);
      return context !== undefined && clusterOf(context) === clusterName;
    });
  }

  private contextsOf({ user }: { readonly user: string }): readonly YAMLMap[] {
    return this.entries.names("contexts").flatMap((name) => {
      const context = this.entries.get("contexts", name);
      return context !== undefined && textAt(context, "user") === user ? [context] : [];
    });
  }

  private isOwnCluster(name: string): boolean {
    const cluster = this.entries.get("clusters", name);
    return (
      cluster !== undefined &&
      serverOf(textAt(cluster, "server"), textAt(cluster, "tls-server-name")) ===
        serverOf(this.own.cluster.server, this.own.cluster["tls-server-name"])
    );
  }
}

function clusterOf(context: YAMLMap): string | undefined {
  return textAt(context, "cluster");
}

/** Name and port of a server. The port alone is not enough, and an address may have changed. */
function serverOf(server: string | undefined, certificateName: string | undefined): string {
  if (server === undefined || !URL.canParse(server)) {
    return server ?? "";
  }
  const { hostname, port } = new URL(server);
  return `${certificateName ?? hostname}:${port}`;
}
